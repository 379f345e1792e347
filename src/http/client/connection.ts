import type { Socket } from 'node:net'
import type { Deadlines, Timed } from '../deadlines.ts'
import { Malformed, ProxyError } from '../errors.ts'
import type { Limits } from '../limits.ts'
import { PROBE_MS, probe, ReadProgress } from '../liveness.ts'
import { rejectionText } from '../message/head-text.ts'
import { Output } from '../output.ts'
import { HeldInput, type InputOwner } from './held-input.ts'
import { type BodySource, ClientRequest } from './request.ts'
import { RequestReader } from './request-reader.ts'
import { ClientResponse, type HijackedConnection, type ResponseConnection } from './response.ts'

/** The part of the server that a connection uses. */
export interface ConnectionHandlers {
  readonly limits: Pick<Limits, 'max-header' | 'header-timeout' | 'idle-timeout'>
  readonly deadlines: Deadlines
  /** Serves one request; resolves when both sides are done with it. A rejection destroys the connection. */
  call(request: ClientRequest, response: ClientResponse): Promise<void>
  /** Reports an unreadable request: its first bytes, and the status sent to the client, if any. */
  malformed(socket: Socket, bytes: Buffer, cause: Malformed, status: number | undefined): void
  failed(cause: unknown): void
  /** Responses of ended calls that wait for their clients to read: one more, or one less. */
  unread(change: 1 | -1): void
  readonly draining: () => boolean
}

/** How long the server reads and drops input after closing, so that the client sees the response (RFC 9112, 9.6). */
export const LINGER_MS = 1000

const NOTHING = Buffer.alloc(0)

/** A client's connection: serves requests one after the other until it closes or a tunnel takes it over. */
export class ClientConnection implements Timed, BodySource, ResponseConnection, InputOwner {
  readonly input: HeldInput
  readonly output: Output
  deadline = 0
  halfClosed = false
  readonly #socket: Socket
  readonly #handlers: ConnectionHandlers
  readonly #reader: RequestReader
  readonly #progress = new ReadProgress()
  #request: ClientRequest | undefined
  #response: ClientResponse | undefined
  /** The client is probed because its socket is not read. */
  #probing = false
  /** Input is dropped: a body has failed, perhaps while its request is served, or the connection lingers. */
  #closing = false
  #hijacked = false
  /** Output of an ended call waits for the client. */
  #unread = false

  constructor(socket: Socket, handlers: ConnectionHandlers) {
    this.#socket = socket
    this.#handlers = handlers
    this.#reader = new RequestReader(handlers.limits['max-header'])
    this.input = new HeldInput(socket, this)
    this.output = new Output(socket)
    socket.on('data', this.#onData)
    socket.on('end', this.#onEnd)
    socket.on('close', this.#onClose)
    socket.on('drain', this.#onDrain)
    socket.on('error', () => socket.destroy())
    handlers.deadlines.add(this)
    this.#expireIn(handlers.limits['header-timeout'])
  }

  get gone(): boolean {
    return this.#socket.destroyed || !this.#socket.writable
  }

  get hasEarlyBytes(): boolean {
    return !this.input.empty
  }

  get #onUnixSocket(): boolean {
    return this.#socket.remoteAddress === undefined
  }

  #expireIn(ms: number): void {
    this.deadline = this.#handlers.deadlines.in(ms)
  }

  /** Closes an idle connection now, a busy one after its current request. */
  drain(): void {
    if (this.#request !== undefined || this.#hijacked || this.#closing) return
    if (this.#socket.writableLength > 0) this.#close()
    else this.#socket.destroy()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  bodyWanted(request: ClientRequest): void {
    if (this.hasEarlyBytes) this.#processHeld()
    if (!request.complete && (this.halfClosed || this.#socket.destroyed)) this.#cutBody(request)
  }

  /** A paused socket does not report its end: the client is probed until reading resumes. */
  inputPaused(): void {
    if (this.#probing || this.#request === undefined || !this.#onUnixSocket) return
    this.#probing = true
    this.#expireIn(PROBE_MS)
  }

  inputResumed(): void {
    if (this.#probing && !this.halfClosed) this.deadline = 0
    this.#probing = false
  }

  keepsAlive(): boolean {
    const request = this.#request
    if (request === undefined || this.#handlers.draining() || !request.persists) return false
    this.#skipBody(request)
    return request.complete && (!this.halfClosed || this.hasEarlyBytes)
  }

  hijack(): HijackedConnection {
    this.#hijacked = true
    this.deadline = 0
    const socket = this.#socket
    socket.off('data', this.#onData)
    socket.off('end', this.#onEnd)
    socket.off('drain', this.#onDrain)
    this.#handlers.deadlines.delete(this)
    return { socket, early: this.input.take() }
  }

  expired(): void {
    if ((this.halfClosed || this.#probing) && this.#request !== undefined) this.#probe()
    else if (this.#progress.advanced(this.#socket)) this.#expireIn(this.#handlers.limits['idle-timeout'])
    else if (this.#closing || this.#request !== undefined) this.destroy()
    else if (this.#reader.held === 0 && this.#socket.bytesWritten > 0) this.#socket.destroy()
    else this.#reject(new Malformed('timed out waiting for the request head', 'request-timeout'))
  }

  #probe(): void {
    probe(this.#socket)
    this.#expireIn(PROBE_MS)
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#closing) return
    if (this.hasEarlyBytes) this.input.add(chunk)
    else this.#process(chunk)
  }

  /** Feeds bytes to the current body or to the next head, and holds those that have to wait. */
  #process(chunk: Buffer): void {
    let at = 0
    try {
      while (at < chunk.length) {
        if (this.#closing) return
        if (this.#mustWait()) {
          this.input.add(at === 0 ? chunk : chunk.subarray(at))
          return
        }
        at = this.#request === undefined ? this.#readHead(chunk, at) : this.#request.readBody(chunk, at)
      }
    } catch (cause) {
      if (!(cause instanceof Malformed)) this.#failed(cause)
      else if (this.#request === undefined) this.#reject(cause, chunk.subarray(at))
      else this.#failBody(this.#request, cause)
    }
  }

  /** No further request is served to a client that does not read its responses: they would fill the memory. */
  #mustWait(): boolean {
    const request = this.#request
    return request === undefined ? this.#socket.writableNeedDrain : request.complete || !request.streams
  }

  #readHead(chunk: Buffer, at: number): number {
    const begun = this.#reader.held > 0
    const read = this.#reader.readRequest(chunk, at)
    if (read === undefined) {
      if (!begun) this.#expireIn(this.#handlers.limits['header-timeout'])
      return chunk.length
    }
    this.deadline = 0
    if (this.halfClosed && this.#onUnixSocket) this.#probe()
    const request = new ClientRequest(read.head, read.framing, this.#socket, this)
    const response = new ClientResponse(request, this)
    this.#request = request
    this.#response = response
    const { next } = this.#reader
    if (next < chunk.length) this.input.add(chunk.subarray(next)) // before the handler: it may read on
    this.#handlers.call(request, response).then(this.#served, this.#failed)
    return chunk.length
  }

  readonly #failed = (cause: unknown): void => {
    this.#handlers.failed(cause)
    this.destroy()
  }

  readonly #served = (): void => {
    this.deadline = 0
    const request = this.#request
    const response = this.#response
    if (request !== undefined && !this.#hijacked) this.#skipBody(request)
    this.#request = undefined
    this.#response = undefined
    if (this.#hijacked) return
    this.#setUnread(this.#socket.writableNeedDrain)
    if (request === undefined || response?.ended !== true) {
      this.destroy()
      return
    }
    const persistent = response.keepsAlive && request.complete && (!this.halfClosed || this.hasEarlyBytes)
    if (!persistent || this.#handlers.draining()) {
      this.#close()
      return
    }
    this.#expireIn(this.#handlers.limits['idle-timeout'])
    this.#readNext()
  }

  #setUnread(unread: boolean): void {
    if (unread !== this.#unread) this.#handlers.unread(unread ? 1 : -1)
    this.#unread = unread
  }

  #readNext(): void {
    if (this.hasEarlyBytes && !this.#socket.writableNeedDrain) this.#processHeld()
    if (this.halfClosed && this.#request === undefined && !this.#closing && !this.hasEarlyBytes)
      this.#endWithoutRequest()
  }

  /** The client has ended its side, and no request is being served. */
  #endWithoutRequest(): void {
    if (this.#reader.held > 0) this.#reject(new Malformed('the connection ended within a request head'))
    else this.#close()
  }

  /** Skips an unread body as far as it has arrived. */
  #skipBody(request: ClientRequest): void {
    if (request.complete || request.streams) return
    request.discardBody()
    this.#processHeld()
  }

  #processHeld(): void {
    this.#process(this.input.take())
  }

  #failBody(request: ClientRequest, cause: Malformed): void {
    this.#closing = true
    const { code, message, status } = cause
    request.failBody(new ProxyError(code, `cannot read the request body: ${message}`, { status, cause }))
  }

  #cutBody(request: ClientRequest): void {
    request.isCut = true
    this.#failBody(request, new Malformed('the connection ended within the request body'))
  }

  #reject(cause: Malformed, last: Buffer = NOTHING): void {
    const bytes = this.#reader.held > 0 ? this.#reader.beginning : last
    this.#handlers.malformed(this.#socket, bytes, cause, this.gone ? undefined : cause.status)
    this.output.add(rejectionText(cause))
    this.#close()
  }

  /** Lingering close: sends pending output, then drops input for a while before the socket closes. */
  #close(): void {
    this.#closing = true
    this.output.flush()
    this.input.take()
    this.input.resumeBody()
    this.#expireIn(this.#handlers.limits['idle-timeout'])
    this.#socket.end(() => {
      if (this.halfClosed) this.destroy()
      else this.#expireIn(LINGER_MS)
    })
  }

  readonly #onEnd = (): void => {
    this.halfClosed = true
    if (this.#closing) {
      if (this.#socket.writableEnded) this.#socket.end(() => this.destroy())
    } else if (this.#request !== undefined) {
      // An unread body may be held whole: `bodyWanted` checks it.
      if (this.#request.streams && !this.#request.complete) this.#cutBody(this.#request)
      else if (this.#onUnixSocket) this.#probe()
      else this.#response?.notifyHalfClosed()
    } else if (!this.hasEarlyBytes) this.#endWithoutRequest()
  }

  readonly #onDrain = (): void => {
    this.#setUnread(false)
    if (this.#response !== undefined) this.#response.notifyDrained()
    else if (!this.#closing) this.#readNext()
  }

  readonly #onClose = (): void => {
    this.#handlers.deadlines.delete(this)
    this.deadline = 0
    this.#setUnread(false)
    if (this.#hijacked) return
    if (this.#request?.complete === false) this.#cutBody(this.#request)
    this.#response?.notifyGone()
  }
}
