import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { objectOf, stringOf } from '../../../api/json/json.ts'
import { asTexts } from '../recorded.ts'
import type { Exec, Store } from '../store.ts'
import {
  EngineError,
  engineHeaders,
  flag,
  frame,
  MULTIPLEXED_STREAM,
  RAW_STREAM,
  rawError,
  rawHead,
  readJsonBody,
} from '../wire.ts'
import type { Container, LogEntry } from './container.ts'
import { nextPid } from './container.ts'
import { Process } from './process.ts'

/** A connection hijacked by attach or exec start. */
export interface Taken {
  readonly req: IncomingMessage
  readonly socket: Duplex
  /** Bytes read after the head, starting with the request's body. */
  readonly head: Buffer
  readonly store: Store
  readonly target: string
  readonly query: URLSearchParams
}

/**
 * The head of a hijacked response: 101, or a raw 200 without Upgrade; only upgrades get the multiplexed content type
 * (recorded).
 */
function open(taken: Taken, tty: boolean, headers: Record<string, string>): void {
  const upgraded = taken.req.headers.upgrade !== undefined
  const type = { 'Content-Type': upgraded && !tty ? MULTIPLEXED_STREAM : RAW_STREAM }
  taken.socket.write(
    upgraded
      ? rawHead(101, 'UPGRADED', { ...type, Connection: 'Upgrade', Upgrade: 'tcp', ...headers })
      : rawHead(200, 'OK', { ...type, ...headers }),
  )
}

/** Reads the client's input until it half-closes; the other direction stays open. */
function feed(taken: Taken, head: Buffer, write: (data: Buffer) => void, end: () => void): void {
  if (head.length > 0) write(head)
  taken.socket.on('data', write)
  taken.socket.once('end', end)
  if (taken.socket.readableEnded) end() // the end came with the head: no further event
  taken.socket.resume()
}

export function attach(taken: Taken): void {
  const { store, target, query, socket } = taken
  let container: Container
  try {
    container = store.container(target)
  } catch (cause) {
    if (!(cause instanceof EngineError)) throw cause
    // The daemon has hijacked the connection already and writes this directly (container_routes.go,
    // postContainersAttach).
    socket.end(`${rawHead(cause.status, 'Not Found', { 'Content-Type': RAW_STREAM })}${cause.message}\r\n`)
    return
  }
  open(taken, container.tty, {})
  container.happened('attach')
  const print = ({ stream, data }: LogEntry): void => {
    if (flag(query, stream === 1 ? 'stdout' : 'stderr')) socket.write(container.tty ? data : frame(stream, data))
  }
  if (flag(query, 'logs')) for (const entry of container.log) print(entry)
  if (!flag(query, 'stream') || container.status === 'exited') {
    socket.end()
    return
  }
  const over = (): void => {
    container.off('output', print)
    socket.end()
  }
  container.on('output', print)
  container.once('exited', over)
  socket.once('close', () => {
    container.off('output', print)
    container.off('exited', over)
  })
  const [write, end] = [(data: Buffer): void => container.input(data), (): void => container.endInput()]
  if (flag(query, 'stdin')) feed(taken, taken.head, write, end)
  else socket.resume()
}

export async function startExec(taken: Taken): Promise<void> {
  try {
    const exec = taken.store.exec(taken.target)
    const { body, rest } = await takeBody(taken)
    const config = body.length === 0 ? {} : objectOf(readJsonBody(taken.req, body))
    if (!exec.container.running) throw new EngineError(409, `container ${exec.container.id} is not running`)
    if (config['Detach'] === true) startDetached(taken, exec)
    else run(taken, exec, rest)
  } catch (cause) {
    if (!(cause instanceof EngineError)) throw cause
    rawError(taken.socket, cause)
  }
}

function startDetached(taken: Taken, exec: Exec): void {
  launch(exec, () => undefined)?.endInput()
  taken.socket.end(rawHead(200, 'OK', { ...engineHeaders(), 'Content-Length': '0', Connection: 'close' }))
}

function run(taken: Taken, exec: Exec, rest: Buffer): void {
  const { socket } = taken
  const { AttachStdin, AttachStdout, AttachStderr, Tty } = exec.config
  const tty = Tty === true
  open(taken, tty, engineHeaders())
  const attached = { 1: AttachStdout === true, 2: AttachStderr === true }
  const process = launch(exec, (stream, data) => {
    if (attached[stream]) socket.write(tty ? data : frame(stream, data))
  })
  if (process === undefined) {
    const text = Buffer.from(`exec command ${exec.id} has already run\r\n`)
    socket.end(tty ? text : frame(1, text))
    return
  }
  void process.exited.then(() => socket.end())
  if (AttachStdin === true)
    feed(
      taken,
      rest,
      (data) => process.write(data),
      () => process.endInput(),
    )
  else {
    process.endInput()
    socket.resume()
  }
}

/** Starts it; undefined if it has been started before. */
function launch(exec: Exec, print: (stream: 1 | 2, data: Buffer) => void): Process | undefined {
  if (exec.started) return undefined
  const { Cmd, Env, WorkingDir } = exec.config
  const { container } = exec
  const world = container.world(exec.config['Tty'] === true)
  const process = new Process(
    asTexts(Cmd),
    {
      ...world,
      env: [...world.env, ...asTexts(Env)],
      workingDir: stringOf(WorkingDir) === '' ? world.workingDir : stringOf(WorkingDir),
    },
    print,
  )
  Object.assign(exec, { process, started: true, running: true, pid: nextPid() })
  const [command, ...args] = asTexts(Cmd)
  container.happened(`exec_start: ${command} ${args.join(' ')}`, { execID: exec.id })
  const ended = (code: number): void => {
    if (!exec.running) return
    Object.assign(exec, { running: false, exitCode: code })
    container.happened('exec_die', { execID: exec.id, exitCode: String(code) })
  }
  void process.exited.then(ended)
  container.once('exited', () => process.kill(9))
  return process
}

/** The request's body, which precedes the raw bytes on a connection taken from the parser. */
async function takeBody({ req, socket, head }: Taken): Promise<{ body: Buffer; rest: Buffer }> {
  const length = Number(req.headers['content-length'] ?? 0)
  let read = head
  while (read.length < length) read = Buffer.concat([read, await nextChunk(socket)])
  return { body: read.subarray(0, length), rest: read.subarray(length) }
}

function nextChunk(socket: Duplex): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const ended = (): void => reject(new EngineError(400, 'invalid JSON: unexpected EOF'))
  socket.once('data', resolve)
  socket.once('end', ended)
  socket.once('close', ended)
  if (socket.readableEnded) ended()
  socket.resume()
  return promise.finally(() => {
    socket.pause()
    socket.off('end', ended)
    socket.off('close', ended)
  })
}
