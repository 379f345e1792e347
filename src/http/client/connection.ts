import type { Socket } from 'node:net'
import type { Deadlines, Timed } from '../deadlines.ts'
import type { Limits } from '../limits.ts'
import { BodyReader } from '../message/body.ts'
import { type Framing, persists, requestFraming } from '../message/framing.ts'
import { type RequestHead, readRequestHead } from '../message/head.ts'
import { HeadReader, REQUEST_BEGINS } from '../message/head-reader.ts'
import { Malformed } from '../message/malformed.ts'
import { reasonOf } from '../message/reasons.ts'
import { Output } from '../output.ts'
import { readPreface } from './preface.ts'
import { type BodySource, type BodyTarget, ClientRequest } from './request.ts'
import { ClientResponse, headText, type ResponseWire, type TakenOver } from './response.ts'

/** What a connection takes of the server that accepted it. */
export interface Served {
  readonly limits: Pick<Limits, 'header' | 'headerMs' | 'idleMs'>
  readonly deadlines: Deadlines
  /** Sees one call through; resolves when it is over on both sides. */
  call(request: ClientRequest, response: ClientResponse): Promise<void>
  /** Hears of a request that could not be read. `bytes`: what came of it; `status`: what the client was told, if anything. */
  malformed(socket: Socket, bytes: Buffer, cause: Malformed, status: number | undefined): void
  /** A call that rejects: its connection is cut. */
  failed(cause: unknown): void
  readonly draining: () => boolean
}

/** How long a client that was refused may go on writing before its connection is cut (RFC 9112, 9.6). */
const LINGER_MS = 1000
/** How often a client that has ended its side, or is not read, is asked whether it is still there. */
const PROBE_MS = 1000
/** Bytes that wait for a call before them; then the client has to wait. */
const MOST_AHEAD = 64 * 1024

/** Of a head that is kept for the next request. */
const MOST_KEPT = 1024

const NOTHING = Buffer.alloc(0)
/** Reads a body that nobody wants. */
const NOWHERE = { data: () => undefined }

/**
 * A client's connection: reads a head, sees the call through, reads the next. Requests written ahead wait for their turn. It
 * ends idle, closing, or taken over by a tunnel.
 */
export class ClientConnection implements Timed, BodySource, ResponseWire {
  readonly output: Output
  deadline = 0
  readonly #socket: Socket
  readonly #served: Served
  readonly #heads: HeadReader
  #request: ClientRequest | undefined
  #response: ClientResponse | undefined
  #body: BodyReader | undefined
  #target: BodyTarget | undefined
  /** Read, and not looked at yet. */
  #ahead: Buffer[] = []
  #aheadSize = 0
  #full = false
  #bodyPaused = false
  /** It is not read, and asked now and then whether it is still there. */
  #probing = false
  /** The client has ended its side. */
  halfClosed = false
  #closing = false
  /** How many calls have begun. */
  #carried = 0
  #taken = false
  /** How many bytes the client had taken when that was asked last. */
  #takenBytes = 0
  /** The request before. */
  #last: { readonly text: string; readonly read: ReturnType<typeof readRequest> } | undefined

  constructor(socket: Socket, served: Served) {
    this.#socket = socket
    this.#served = served
    this.#heads = new HeadReader(served.limits.header, REQUEST_BEGINS)
    this.output = new Output(socket)
    socket.on('data', this.#onData)
    socket.on('end', this.#onEnd)
    socket.on('close', this.#onClose)
    socket.on('drain', this.#onDrain)
    socket.on('error', () => socket.destroy())
    served.deadlines.add(this)
    this.deadline = served.deadlines.in(served.limits.headerMs)
  }

  get gone(): boolean {
    return this.#socket.destroyed || !this.#socket.writable
  }

  get holds(): boolean {
    return this.#aheadSize > 0
  }

  get bodyDone(): boolean {
    return this.#body === undefined || this.#body.done
  }

  /** Closes at once what carries no call, and the others when theirs is over. */
  drain(): void {
    if (this.#request !== undefined || this.#taken || this.#closing) return
    if (this.#socket.writableLength > 0) this.#close()
    else this.#socket.destroy()
  }

  cut(): void {
    this.#socket.destroy()
  }

  stream(target: BodyTarget): void {
    this.#target = target
    if (this.bodyDone) {
      target.end()
      return
    }
    if (this.#aheadSize > 0) this.#workAhead()
    if (!this.bodyDone && (this.halfClosed || this.#socket.destroyed)) this.#bodyFailed(bodyCut())
  }

  pauseBody(): void {
    this.#bodyPaused = true
    this.#pause()
  }

  resumeBody(): void {
    this.#bodyPaused = false
    this.#resume()
  }

  keepsAlive(): boolean {
    const { minor, fields } = this.#request ?? { minor: 0, fields: [] }
    if (this.#served.draining() || !persists(minor, fields)) return false
    this.#skipBody()
    return this.bodyDone && (!this.halfClosed || this.holds)
  }

  takeOver(): TakenOver {
    this.#taken = true
    this.deadline = 0
    const socket = this.#socket
    socket.off('data', this.#onData)
    socket.off('end', this.#onEnd)
    socket.off('drain', this.#onDrain)
    this.#served.deadlines.delete(this)
    return { socket, rest: this.#takeAhead() }
  }

  /**
   * On a unix socket a client that has ended its side may be gone: then a write of no bytes fails with EPIPE, which a half-closed
   * one does not (Linux, unix_stream_sendmsg: the peer's release shuts both directions down).
   */
  #probe(): void {
    if (this.#socket.writableLength === 0) this.#socket.write('')
    this.deadline = this.#served.deadlines.in(PROBE_MS)
  }

  expired(): void {
    if ((this.halfClosed || this.#probing) && this.#request !== undefined) {
      this.#probe()
      return
    }
    if (this.#isTaking()) {
      this.deadline = this.#served.deadlines.in(this.#served.limits.idleMs)
      return
    }
    if (this.#closing || this.#request !== undefined) {
      this.cut()
      return
    }
    const fresh = this.#socket.bytesWritten === 0
    if (this.#heads.held === 0 && !fresh) this.#socket.destroy()
    else this.#refuse(new Malformed('the head of the request did not come in time', 408))
  }

  /** Whether the client has taken some of what waits for it since this was asked last. */
  #isTaking(): boolean {
    const { writableLength, bytesWritten } = this.#socket
    const taken = bytesWritten - writableLength
    const some = writableLength > 0 && taken > this.#takenBytes
    this.#takenBytes = taken
    return some
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#closing) return
    if (this.#aheadSize > 0) this.#hold(chunk)
    else this.#work(chunk)
  }

  /** Reads on: the body of the call under way, or the next head. What has to wait is held. */
  #work(chunk: Buffer): void {
    let at = 0
    try {
      while (at < chunk.length) {
        if (this.#closing) return
        // Who does not read answers gets no further ones: they would be held here.
        const waits =
          this.#request === undefined ? this.#socket.writableNeedDrain : this.bodyDone || this.#target === undefined
        if (waits) {
          this.#hold(at === 0 ? chunk : chunk.subarray(at))
          return
        }
        at =
          this.#target === undefined || this.#request === undefined
            ? this.#readHead(chunk, at)
            : this.#readBody(chunk, at, this.#target)
      }
    } catch (cause) {
      if (!(cause instanceof Malformed)) {
        this.#failed(cause)
        return
      }
      if (this.#request === undefined) this.#refuse(cause, chunk.subarray(at))
      else this.#bodyFailed(cause)
    }
  }

  #readBody(chunk: Buffer, at: number, target: BodyTarget): number {
    const body = this.#body
    if (body === undefined) return at
    const next = body.feed(chunk, at, target)
    if (body.done) target.end()
    else target.flush?.()
    return next
  }

  #readHead(chunk: Buffer, at: number): number {
    const { limits, deadlines } = this.#served
    const begun = this.#heads.held > 0
    const head = this.#heads.read(chunk, at)
    if (head === undefined) {
      if (!begun) this.deadline = deadlines.in(limits.headerMs)
      return chunk.length
    }
    this.deadline = 0
    const { head: read, framing } = this.#understand(head.text)
    this.#carried++
    if (this.halfClosed && this.#socket.remoteAddress === undefined) this.#probe()
    this.#body = framing.kind === 'none' ? undefined : new BodyReader(framing)
    this.#target = undefined
    const request = new ClientRequest(read, framing, this.#socket, this)
    const response = new ClientResponse(request, this)
    this.#request = request
    this.#response = response
    this.#served.call(request, response).then(this.#over, this.#failed)
    return head.next
  }

  /** Who asks the same again and again on one connection has it read once. */
  #understand(text: string): ReturnType<typeof readRequest> {
    const preface = this.#carried === 0 ? readPreface(text) : undefined
    if (preface !== undefined) return preface
    if (this.#last?.text === text) return this.#last.read
    const read = readRequest(text)
    this.#last = text.length <= MOST_KEPT && read.framing.kind === 'none' ? { text, read } : undefined
    return read
  }

  readonly #failed = (cause: unknown): void => {
    this.#served.failed(cause)
    this.cut()
  }

  /** The call is over. */
  readonly #over = (): void => {
    this.deadline = 0
    const response = this.#response
    if (!this.#taken) this.#skipBody()
    this.#request = undefined
    this.#response = undefined
    this.#target = undefined
    if (this.#taken) return
    if (response?.ended !== true) {
      this.cut()
      return
    }
    if (!response.keepsAlive || !this.bodyDone || (this.halfClosed && !this.holds)) {
      this.#close()
      return
    }
    this.#body = undefined
    this.deadline = this.#served.deadlines.in(this.#served.limits.idleMs)
    if (this.#served.draining()) this.#close()
    else this.#next()
  }

  /** Reads on where nothing is under way. */
  #next(): void {
    if (this.holds && !this.#socket.writableNeedDrain) this.#workAhead()
    if (this.halfClosed && this.#request === undefined && !this.#closing && !this.holds) this.#endWithoutCall()
  }

  /** The client has ended its side, and no call is under way. */
  #endWithoutCall(): void {
    if (this.#heads.held > 0) this.#refuse(new Malformed('the connection ended within a request'))
    else this.#close()
  }

  /** Looks for the end of a body that nobody took, in what has come. */
  #skipBody(): void {
    if (this.bodyDone || this.#target !== undefined) return
    this.#target = { ...NOWHERE, end: () => undefined, failed: () => undefined }
    this.#workAhead()
  }

  #workAhead(): void {
    this.#work(this.#takeAhead())
  }

  #takeAhead(): Buffer {
    const [only = NOTHING] = this.#ahead
    const all = this.#ahead.length > 1 ? Buffer.concat(this.#ahead) : only
    this.#ahead = []
    this.#aheadSize = 0
    this.#full = false
    this.#resume()
    return all
  }

  #hold(chunk: Buffer): void {
    this.#ahead.push(chunk)
    this.#aheadSize += chunk.length
    if (this.#aheadSize < MOST_AHEAD) return
    this.#full = true
    this.#pause()
  }

  /** The end of a client that is not read is not seen: it is asked whether it is still there. */
  #pause(): void {
    this.#socket.pause()
    if (this.#probing || this.#request === undefined || this.#socket.remoteAddress !== undefined) return
    this.#probing = true
    this.deadline = this.#served.deadlines.in(PROBE_MS)
  }

  #resume(): void {
    if (this.#full || this.#bodyPaused) return
    this.#socket.resume()
    if (this.#probing && !this.halfClosed) this.deadline = 0
    this.#probing = false
  }

  #bodyFailed(cause: Error): void {
    const target = this.#target
    this.#closing = true
    this.#target = undefined
    target?.failed(cause)
  }

  /** Answers what is no HTTP as Go's server does, and closes. */
  #refuse(cause: Malformed, last: Buffer = NOTHING): void {
    const bytes = this.#heads.held > 0 ? this.#heads.beginning : last
    this.#served.malformed(this.#socket, bytes, cause, this.gone ? undefined : cause.status)
    const reason = reasonOf(cause.status)
    const fields = [
      'Content-Type',
      'text/plain; charset=utf-8',
      'Enginebridge-Error',
      cause.code,
      'Connection',
      'close',
    ]
    this.output.add(headText(1, cause.status, reason, fields))
    this.output.add(`${cause.status} ${reason}`)
    this.#close()
  }

  /** Sends what was written, and closes: what the client still writes is read and dropped for a moment, so that it sees its answer. */
  #close(): void {
    this.#closing = true
    this.output.flush()
    this.#takeAhead()
    this.#bodyPaused = false
    this.#resume()
    this.deadline = this.#served.deadlines.in(this.#served.limits.idleMs)
    this.#socket.end(() => {
      if (this.halfClosed) this.cut()
      else this.deadline = this.#served.deadlines.in(LINGER_MS)
    })
  }

  readonly #onEnd = (): void => {
    this.halfClosed = true
    if (this.#closing) {
      if (this.#socket.writableEnded) this.#socket.end(() => this.cut())
    } else if (this.#request !== undefined) {
      if (!this.bodyDone) this.#bodyFailed(bodyCut())
      else if (this.#socket.remoteAddress === undefined) this.#probe()
      else this.#response?.tellHalfClosed()
    } else if (!this.holds) this.#endWithoutCall()
  }

  readonly #onDrain = (): void => {
    if (this.#response !== undefined) this.#response.tellDrained()
    else if (!this.#closing) this.#next()
  }

  readonly #onClose = (): void => {
    this.#served.deadlines.delete(this)
    this.deadline = 0
    if (this.#taken) return
    if (!this.bodyDone) this.#bodyFailed(bodyCut())
    this.#response?.tellLeft()
  }
}

function readRequest(text: string): { readonly head: RequestHead; readonly framing: Framing } {
  const head = readRequestHead(text)
  return { head, framing: requestFraming(head) }
}

const bodyCut = (): Malformed => new Malformed('the connection ended before its end')
