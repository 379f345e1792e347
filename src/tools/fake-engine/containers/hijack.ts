import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { objectOf } from '../../../api/json/json.ts'
import { asTexts } from '../recorded.ts'
import { checkRunning, type Exec, type Store } from '../store.ts'
import {
  ENGINE_HEADERS,
  EngineError,
  flag,
  frame,
  RAW_STREAM,
  rawHead,
  readAll,
  readJson,
  streamType,
} from '../wire.ts'
import type { LogEntry } from './container.ts'
import type { Process } from './process.ts'

/** A connection hijacked by attach or exec start. */
export interface Taken {
  readonly req: IncomingMessage
  readonly socket: Duplex
  /** Bytes read after the head. */
  readonly head: Buffer
  readonly store: Store
  readonly target: string
  readonly query: URLSearchParams
}

function open(socket: Duplex, tty: boolean, headers: Readonly<Record<string, string>>): void {
  const upgrade = { 'Content-Type': streamType(tty), Connection: 'Upgrade', Upgrade: 'tcp' }
  socket.write(rawHead(101, 'UPGRADED', { ...upgrade, ...headers }))
}

/** The client's input until it half-closes; the other direction stays open. */
function feed(socket: Duplex, head: Buffer, process: Process, ends: boolean): void {
  const end = (): void => (ends ? process.endInput() : undefined)
  process.write(head)
  socket.on('data', (data: Buffer) => process.write(data))
  socket.once('end', end)
  if (socket.readableEnded) end() // the end came with the head: no further event
  socket.resume()
}

export function attach({ store, target, query, socket, head }: Taken): void {
  let container: ReturnType<Store['container']>
  try {
    container = store.container(target)
  } catch (cause) {
    if (!(cause instanceof EngineError)) throw cause
    // The daemon has hijacked the connection already and writes this directly (container_routes.go,
    // postContainersAttach).
    socket.end(`${rawHead(cause.status, 'Not Found', { 'Content-Type': RAW_STREAM })}${cause.message}\r\n`)
    return
  }
  open(socket, container.tty, {})
  container.happened('attach')
  const print = ({ stream, data }: LogEntry): void => {
    if (flag(query, stream === 1 ? 'stdout' : 'stderr')) socket.write(container.tty ? data : frame(stream, data))
  }
  if (flag(query, 'logs')) for (const entry of container.log) print(entry)
  if (!flag(query, 'stream') || container.status === 'exited') {
    socket.end()
    return
  }
  const over = (): void => void socket.end()
  container.on('output', print)
  container.once('exited', over)
  socket.once('close', () => container.off('output', print).off('exited', over))
  const { OpenStdin, StdinOnce } = container.config
  if (flag(query, 'stdin') && OpenStdin === true) feed(socket, head, container.process, StdinOnce === true)
  else socket.resume()
}

export async function startExec(taken: Taken): Promise<void> {
  const exec = taken.store.exec(taken.target)
  const { body, rest } = await takeBody(taken)
  const { Detach } = body.length === 0 ? {} : objectOf(await readJson(taken.req, body))
  checkRunning(exec.container)
  if (Detach === true) {
    launch(exec, () => undefined)
    exec.process.endInput()
    taken.socket.end(rawHead(200, 'OK', { ...ENGINE_HEADERS, 'Content-Length': '0', Connection: 'close' }))
  } else run(taken.socket, exec, rest)
}

function run(socket: Duplex, exec: Exec, rest: Buffer): void {
  const { AttachStdin, AttachStdout, AttachStderr, Tty } = exec.config
  open(socket, Tty === true, ENGINE_HEADERS)
  const print = (stream: 1 | 2, data: Buffer): void => {
    if ((stream === 1 ? AttachStdout : AttachStderr) === true) socket.write(Tty === true ? data : frame(stream, data))
  }
  if (exec.process.started) {
    print(1, Buffer.from(`exec command ${exec.id} has already run\r\n`))
    socket.end()
    return
  }
  launch(exec, print).then(() => socket.end())
  if (AttachStdin !== true) exec.process.endInput()
  feed(socket, rest, exec.process, true)
}

async function launch({ id, config, process, container }: Exec, print: (stream: 1 | 2, data: Buffer) => void) {
  container.happened(`exec_start: ${asTexts(config['Cmd']).join(' ')}`, { execID: id })
  container.once('exited', () => process.kill(9))
  const code = await process.start(asTexts(config['Cmd']), config['Tty'] === true, print)
  container.happened('exec_die', { execID: id, exitCode: String(code) })
}

/** The request's body: up to Node 25 in `head` and on the socket, from 26 on in `req`. */
async function takeBody({ req, socket, head }: Taken): Promise<{ body: Buffer; rest: Buffer }> {
  const length = Number(req.headers['content-length'] ?? 0)
  let read = Buffer.concat([await readAll(req), head])
  while (read.length < length) {
    if (socket.readableEnded) throw new EngineError(400, 'invalid JSON: unexpected EOF')
    socket.once('data', () => socket.pause())
    const next = once(socket, 'data') as Promise<[Buffer]>
    socket.resume()
    const [chunk] = await next
    read = Buffer.concat([read, chunk])
  }
  return { body: read.subarray(0, length), rest: read.subarray(length) }
}
