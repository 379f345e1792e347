import { execFile } from 'node:child_process'
import { truncate, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { haproxy, quiet, relay } from '../contenders.ts'
import { cpuSeconds, memory, type Program, run, waitForHttp } from '../programs.ts'
import { Gathered, type Group, HIGHEST, percentile } from '../result.ts'
import { type Running, withContenders } from '../stage.ts'

const execute = promisify(execFile)
const GIB = 2 ** 30

/** The engine of bench/engine.ts on a socket in `folder`. */
export async function startScripted(folder: string): Promise<Program & { readonly socket: string }> {
  const socket = join(folder, 'scripted.sock')
  const program = run('engine', process.execPath, [join(import.meta.dirname, '..', 'engine.ts'), socket])
  await waitForHttp({ socketPath: socket }, '/_ping', program)
  return { ...program, socket }
}

interface Timed {
  readonly seconds: number
  readonly cpu: number
}

async function timed({ program }: Running, work: () => Promise<unknown>): Promise<Timed> {
  const cpu = cpuSeconds(program)
  const start = performance.now()
  await work()
  return { seconds: (performance.now() - start) / 1000, cpu: cpuSeconds(program) - cpu }
}

/** A tar of 1 GiB down and up, by curl. */
export async function tar(rounds: number): Promise<Group> {
  const gathered = new Gathered()
  await withContenders([haproxy, relay, quiet], startScripted, async (running, engine) => {
    const file = join(engine.socket, '..', 'tar')
    await writeFile(file, '')
    await truncate(file, GIB)
    for (let round = 0; round < rounds; round++)
      for (const one of running) {
        const url = `http://127.0.0.1:${one.port}/v1.41/containers/x/archive?path=/x&size=${GIB}`
        const down = await timed(one, () => execute('curl', ['-sf', '-o', '/dev/null', url]))
        const up = await timed(one, () => execute('curl', ['-sf', '-T', file, url]))
        for (const [way, { seconds, cpu }] of [
          ['down', down],
          ['up', up],
        ] as const) {
          gathered.add(`1 GiB of tar ${way}`, 'MB/s', true, one.name, GIB / 1e6 / seconds)
          gathered.add(`1 GiB of tar ${way}, processor`, 's', false, one.name, cpu)
        }
      }
    for (const { name, program } of running) gathered.add(HIGHEST, 'MB', false, name, memory(program).peak)
  })
  return {
    name: 'Tar',
    how: 'curl over loopback; the engine is a Node program that sends or swallows.',
    rows: gathered.rows(),
  }
}

/** A connection that an attach has taken over. Not an exec: haproxy takes no upgrade with a body. */
export async function openTunnel(where: net.NetConnectOpts, container: string, more = ''): Promise<net.Socket> {
  const socket = net.connect(where)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.once('error', reject)
  socket.write(
    `POST /v1.41/containers/${container}/attach?stream=1&stdin=1&stdout=1${more} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n`,
  )
  socket.once('data', (chunk: Buffer) => {
    if (chunk.toString('latin1').startsWith('HTTP/1.1 101')) resolve()
    else reject(new Error(chunk.toString()))
  })
  await promise
  return socket
}

/** Round trips of one byte through a tunnel, in milliseconds. */
export async function pingPong(socket: net.Socket, count: number): Promise<number[]> {
  const taken: number[] = []
  for (let i = 0; i < count; i++) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const start = performance.now()
    socket.once('data', () => resolve())
    socket.write('x')
    await promise
    taken.push(performance.now() - start)
  }
  return taken
}

function drained(socket: net.Socket): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let bytes = 0
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  socket.once('end', () => resolve(bytes))
  socket.once('error', reject)
  return promise
}

const PINGS = 2000
const HEAD_ONLY = 512 // bytes that may have come with the head

/** An attach that floods, and one that echoes. */
export async function tunnel(rounds: number): Promise<Group> {
  const gathered = new Gathered()
  await withContenders([haproxy, relay, quiet], startScripted, async (running, engine) => {
    const near = running.map(({ name }) => ({ name, path: join(engine.socket, '..', `${name}.sock`) }))
    for (let round = 0; round < rounds; round++) {
      for (const { name, path } of [{ name: 'direct', path: engine.socket }, ...near]) {
        const socket = await openTunnel({ path }, 'x', '&size=0')
        const taken = await pingPong(socket, PINGS)
        socket.destroy()
        gathered.add('tunnel ping-pong over unix sockets, p50', 'ms', false, name, percentile(taken, 50))
      }
      for (const one of running) {
        const { seconds, cpu } = await timed(one, async () => {
          const bytes = await drained(await openTunnel({ host: '127.0.0.1', port: one.port }, 'x', `&size=${GIB}`))
          if (bytes < GIB - 64 * 1024 - HEAD_ONLY) throw new Error(`${one.name}: only ${bytes} bytes`)
        })
        gathered.add('tunnel, 1 GiB', 'MB/s', true, one.name, GIB / 1e6 / seconds)
        gathered.add('tunnel, 1 GiB, processor', 's', false, one.name, cpu)
      }
    }
    for (const { name, program } of running) gathered.add(HIGHEST, 'MB', false, name, memory(program).peak)
  })
  return {
    name: 'Tunnels',
    how: 'An attach over an upgraded connection, one client in Node; the engine is on a unix socket.',
    rows: gathered.rows(),
  }
}
