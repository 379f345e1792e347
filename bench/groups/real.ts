import http from 'node:http'
import { dirname, join } from 'node:path'
import { engineScript } from '../../test/live/support/engine-script.ts'
import { haproxy, quiet, relay } from '../contenders.ts'
import type { Program } from '../programs.ts'
import { Gathered, type Group, percentile } from '../result.ts'
import { withContenders } from '../stage.ts'
import { openTunnel, pingPong } from './carried.ts'

const CONTAINERS = 100
const CALLS = 200
/** A terminal that echoes its input. */
const ECHO = 'bench-echo'
const PINGS = 500
/** Calls until V8 has compiled the code of a call. */
const FIRST_CALLS = 500
const ENGINE = '20.10'

async function startReal(folder: string): Promise<Program & { readonly socket: string }> {
  const socket = join(folder, 'real.sock')
  await engineScript('up', ENGINE, socket)
  const agent = new http.Agent({ keepAlive: true })
  const where = { socketPath: socket, agent }
  for (let i = 1; i < CONTAINERS; i++) await post(where, `create?name=bench-${i}`, { Image: 'busybox', Cmd: ['true'] })
  const Cmd = ['sh', '-c', 'stty raw -echo; exec cat']
  await post(where, `create?name=${ECHO}`, { Image: 'busybox', Cmd, Tty: true, OpenStdin: true })
  await post(where, `${ECHO}/start`)
  agent.destroy()
  return { name: ENGINE, pid: process.pid, socket, stop: async () => void (await engineScript('down', socket)) }
}

function post(where: http.RequestOptions, path: string, body?: object): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const headers = { 'Content-Type': 'application/json' }
  const req = http.request({ ...where, method: 'POST', path: `/v1.41/containers/${path}`, headers }, (res) => {
    res.resume()
    res.once('end', () =>
      res.statusCode === 201 || res.statusCode === 204 ? resolve() : reject(new Error(`${path}: ${res.statusCode}`)),
    )
  })
  req.once('error', reject)
  req.end(body === undefined ? undefined : JSON.stringify(body))
  return promise
}

function timedCall(where: http.RequestOptions, path: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const start = performance.now()
  http
    .get({ ...where, path }, (res) => {
      res.resume()
      res.once('end', () => resolve(performance.now() - start))
    })
    .once('error', reject)
  return promise
}

/** The latency that people notice: one client, one call after the other, a real engine with a hundred containers. */
export async function real(rounds: number): Promise<Group> {
  const gathered = new Gathered()
  await withContenders([haproxy, relay, quiet], startReal, async (running, engine) => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    const ways = [
      { name: 'direct', where: { socketPath: engine.socket, agent } },
      ...running.map(({ name }) => ({
        name,
        where: { socketPath: join(dirname(engine.socket), `${name}.sock`), agent },
      })),
    ]
    const measure = async (calls: number, counts: boolean): Promise<void> => {
      for (const [what, path] of [
        [`list of ${CONTAINERS}`, '/v1.22/containers/json?all=1'],
        ['inspect', '/v1.22/containers/bench-1/json'],
        ['inspect of 1.20', '/v1.20/containers/bench-1/json'],
      ] as const)
        for (const { name, where } of ways) {
          const taken: number[] = []
          for (let i = 0; i < calls; i++) taken.push(await timedCall(where, path))
          if (counts) gathered.add(`${what}, p50`, 'ms', false, name, percentile(taken, 50))
        }
    }
    const typed = async (counts: boolean): Promise<void> => {
      for (const { name, where } of ways) {
        const socket = await openTunnel({ path: where.socketPath }, ECHO)
        const taken = await pingPong(socket, PINGS)
        socket.destroy()
        if (counts) gathered.add('typed into an attached terminal, echo p50', 'ms', false, name, percentile(taken, 50))
      }
    }
    await measure(FIRST_CALLS, false)
    await typed(false)
    for (let round = 0; round < rounds; round++) {
      await measure(CALLS, true)
      await typed(true)
    }
    agent.destroy()
  })
  return {
    name: 'A real engine',
    how: `Engine ${ENGINE} with ${CONTAINERS} containers, a client of 1.22 (1.20 where it says so), one call after the other, all over unix sockets, and single bytes typed into an attached terminal, each when the one before has come back. haproxy and the relay translate nothing.`,
    rows: gathered.rows(),
  }
}
