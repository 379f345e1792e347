import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import net from 'node:net'
import { join } from 'node:path'
import type { Contender } from './contenders.ts'
import type { Program } from './programs.ts'
import { median } from './result.ts'
import { withContenders } from './stage.ts'

/** A load in short slices, one contender after the other. */
export interface Slices {
  readonly path: string
  readonly connections: number
  /** The number of calls in a slice. */
  readonly calls: number
  readonly rounds: number
}

/**
 * Processor seconds per 1,000 calls by contender, and the median of their ratios to the first one's. Slices are so short
 * that other load on the machine affects all contenders alike: the ratios are robust, requests per second are not.
 */
export async function costs(
  contenders: readonly Contender[],
  { path, connections, calls, rounds }: Slices,
): Promise<{ readonly name: string; readonly cost: number; readonly ratio: number }[]> {
  return withContenders(contenders, startCanned, async (running) => {
    const loads = await Promise.all(running.map(({ port }) => Load.open(port, path, connections)))
    const used: number[][] = running.map(() => [])
    for (let round = -Math.ceil(rounds / 4); round < rounds; round++)
      for (const [i, { program }] of running.entries()) {
        const before = processorTime(program)
        await loads[i]?.run(calls)
        if (round >= 0) used[i]?.push(((processorTime(program) - before) / calls) * 1000)
      }
    for (const load of loads) load.close()
    return running.map(({ name }, i) => {
      const own = used[i] ?? []
      return { name, cost: median(own), ratio: median(own.map((cost, round) => cost / (used[0]?.[round] ?? cost))) }
    })
  })
}

/** Processor seconds of all living threads, in steps of a nanosecond (/proc/PID/task/TID/schedstat). */
function processorTime({ pid }: Program): number {
  const folder = `/proc/${pid}/task`
  const threads = readdirSync(folder).map((id) => readFileSync(join(folder, id, 'schedstat'), 'utf8'))
  return threads.reduce((sum, line) => sum + Number(line.split(' ')[0]) / 1e9, 0)
}

const VERSION = JSON.stringify({ Version: '20.10.24', ApiVersion: '1.41', MinAPIVersion: '1.12', Os: 'linux' })
const HEAD = 'HTTP/1.1 200 OK\r\nApi-Version: 1.41\r\nDocker-Experimental: false\r\nOstype: linux\r\n'
const END = Buffer.from('\r\n\r\n')

const answer = (type: string, body: string): string =>
  `${HEAD}Server: Docker/20.10.24 (linux)\r\nDate: Sat, 01 Jan 2022 00:00:00 GMT\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

/** An engine that answers requests without a body from a few texts: it costs next to nothing. */
async function startCanned(folder: string): Promise<Program & { readonly socket: string }> {
  const inspected = JSON.stringify({
    Id: 'a'.repeat(64),
    Config: { Env: Array(100).fill('A=0123456789012345678901234') },
  })
  const answers = new Map([
    ['_ping', answer('text/plain; charset=utf-8', 'OK')],
    ['version', answer('application/json', VERSION)],
    ['containers/one/json', answer('application/json', inspected)],
  ])
  const socket = join(folder, 'canned.sock')
  const server = net.createServer((connection) => {
    connection.on('error', () => connection.destroy())
    connection.on('data', (chunk) => {
      const path = /^\w+ (?:\/v[\d.]+)?\/(\S+)/.exec(chunk.toString('latin1'))?.[1] ?? ''
      connection.write(answers.get(path) ?? answer('text/plain', 'page not found').replace('200 OK', '404 Not Found'))
    })
  })
  server.listen(socket)
  await once(server, 'listening')
  return { name: 'canned', pid: process.pid, socket, stop: async () => void server.close() }
}

/** Connections that repeat a call, each as soon as it has its answer. */
class Load {
  readonly #sockets: readonly net.Socket[]
  readonly #request: string
  #left = 0
  #open = 0
  #over = Promise.withResolvers<void>()

  static async open(port: number, path: string, connections: number): Promise<Load> {
    const sockets = Array.from({ length: connections }, () => net.connect({ port, host: '127.0.0.1', noDelay: true }))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    return new Load(
      sockets,
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUser-Agent: bench\r\nAccept: */*\r\n\r\n`,
    )
  }

  constructor(sockets: readonly net.Socket[], request: string) {
    this.#sockets = sockets
    this.#request = request
    for (const socket of sockets) this.#listen(socket)
  }

  #listen(socket: net.Socket): void {
    let wanted = -1
    let size = 0
    socket.on('error', (cause) => this.#over.reject(cause))
    socket.on('close', () => this.#over.reject(new Error('cut off')))
    socket.on('data', (chunk: Buffer) => {
      if (wanted === -1) wanted = lengthOf(chunk, this.#over.reject)
      size += chunk.length
      if (size < wanted) return
      wanted = -1
      size = 0
      this.#open--
      this.#ask(socket)
    })
  }

  #ask(socket: net.Socket): void {
    if (this.#left === 0) {
      if (this.#open === 0) this.#over.resolve()
      return
    }
    this.#left--
    this.#open++
    socket.write(this.#request)
  }

  run(calls: number): Promise<void> {
    this.#left = calls
    this.#over = Promise.withResolvers()
    for (const socket of this.#sockets) this.#ask(socket)
    return this.#over.promise
  }

  close(): void {
    for (const socket of this.#sockets) socket.removeAllListeners('close').destroy()
  }
}

/** The length of a whole answer, from its head, which comes in one piece. */
function lengthOf(chunk: Buffer, fail: (cause: Error) => void): number {
  const head = chunk.indexOf(END)
  const text = chunk.toString('latin1', 0, head)
  if (head === -1 || !text.startsWith('HTTP/1.1 200')) fail(new Error(`unexpected answer: ${text}`))
  return head + END.length + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
}
