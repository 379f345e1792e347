import { once } from 'node:events'
import type { Duplex, Writable } from 'node:stream'
import { isTrue } from '../../translate/ops/calls/requests.ts'
import type { Printed, Process } from './process.ts'
import type { Handler, Route } from './store.ts'
import { ENGINE_HEADERS, EngineError, frame, openStream, rawHead, readAll, streamType } from './wire.ts'

/** Writes the wanted streams: in frames, of a terminal as they are. */
const printer =
  (to: Writable, { tty }: Process, wants: (stream: 1 | 2) => boolean) =>
  ({ stream, data }: Printed): void => {
    if (wants(stream)) to.write(tty ? data : frame(stream, data))
  }

/** Prints what a process prints, until one of the two ends. */
function follow(process: Process, to: Writable, print: (printed: Printed) => void): void {
  const end = (): void => void to.end()
  process.on('output', print).once('exited', end)
  to.once('close', () => process.off('output', print).off('exited', end))
}

const wantedIn =
  (query: URLSearchParams) =>
  (stream: 1 | 2): boolean =>
    isTrue(query.get(stream === 1 ? 'stdout' : 'stderr'))

export const logs: Handler = ({ res, target, query, store }) => {
  const { process } = store.container(target)
  const wants = wantedIn(query)
  if (!wants(1) && !wants(2)) throw new EngineError(400, 'Bad parameters: you must choose at least one stream')
  openStream(res, streamType(process.tty))
  const print = printer(res, process, wants)
  process.log.forEach(print)
  if (isTrue(query.get('follow')) && process.running) follow(process, res, print)
  else res.end()
}

function takeOver(socket: Duplex, { tty }: Process): void {
  const upgrade = { 'Content-Type': streamType(tty), Connection: 'Upgrade', Upgrade: 'tcp' }
  socket.write(rawHead(101, 'UPGRADED', { ...upgrade, ...ENGINE_HEADERS }))
}

/** The client's input until it half-closes. */
function feed(process: Process, socket: Duplex, head: Buffer): void {
  process.input.write(head)
  if (socket.readableEnded)
    process.input.end() // the end came with the head: no further event
  else socket.pipe(process.input)
}

export function attach({ store, target, query }: Route, socket: Duplex, head: Buffer): void {
  const { process, config } = store.container(target)
  takeOver(socket, process)
  const print = printer(socket, process, wantedIn(query))
  if (isTrue(query.get('logs'))) process.log.forEach(print)
  if (process.exitCode !== undefined || !isTrue(query.get('stream'))) {
    socket.end()
    return
  }
  follow(process, socket, print)
  if (isTrue(query.get('stdin')) && config['OpenStdin'] === true) feed(process, socket, head)
  else socket.resume()
}

export async function startExec(found: Route, socket: Duplex, head: Buffer): Promise<void> {
  const exec = found.store.exec(found.target)
  const input = await inputBehindBody(found, socket, head)
  const { container, process, config } = exec
  container.checkRunning()
  if (process.started) throw new EngineError(409, `exec command ${exec.id} has already run`)
  takeOver(socket, process)
  const wants = (stream: 1 | 2): boolean => config[stream === 1 ? 'AttachStdout' : 'AttachStderr'] === true
  follow(process, socket, printer(socket, process, wants))
  feed(process, socket, input)
  container.startExec(exec)
}

/** The first input. The body before it is in `head` and on the socket up to Node 25, from 26 on in `req`. */
async function inputBehindBody({ req }: Route, socket: Duplex, head: Buffer): Promise<Buffer> {
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
  return read.subarray(length)
}
