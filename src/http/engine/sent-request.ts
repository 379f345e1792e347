import type { BodyTarget } from '../client/request.ts'
import { asEngineError, brokeOff, Malformed, ProxyError, sentMalformed } from '../errors.ts'
import type { ReadonlyHeaders } from '../headers.ts'
import { ChunkWriter } from '../message/chunks/chunk-writer.ts'
import { BodyReader, persists, responseFraming } from '../message/framing.ts'
import { type ResponseHead, readResponseHead } from '../message/head.ts'
import type { EngineConnection, OnConnection } from './connection.ts'
import { type EngineCall, type EngineRequest, isSafe, type ResponseSink, requestText } from './request.ts'

/** The part of the pool that a request uses. */
export interface Sender {
  readonly where: string
  /** Returns a connection for reuse. `keepAliveMs`: the engine's keep-alive timeout less a margin. */
  keep(connection: EngineConnection, keepAliveMs?: number): void
  /** Retries on a new connection a request that got no byte of a response. */
  again(sent: SentRequest): void
  deadlineIn(ms: number): number
}

/** A request in progress on a connection; reports to its sink. */
export class SentRequest implements EngineCall, OnConnection, BodyTarget {
  readonly request: EngineRequest
  readonly #sender: Sender
  readonly #sink: ResponseSink
  readonly #timeoutMs: number
  readonly #chunks: ChunkWriter | undefined
  #connection: EngineConnection | undefined
  #body: BodyReader | undefined
  #head: ResponseHead | undefined
  #heard = false
  #bodySent = false
  #retried = false
  #paused = false
  #halfClosed = false
  #over = false

  /** `timeoutMs`: timeout for the response head; 0: none. */
  constructor(sender: Sender, request: EngineRequest, sink: ResponseSink, timeoutMs: number) {
    this.request = request
    this.#sender = sender
    this.#sink = sink
    this.#timeoutMs = timeoutMs
    this.#chunks = request.streamed?.framing.kind === 'chunked' ? new ChunkWriter() : undefined
  }

  get safe(): boolean {
    return isSafe(this.request.method) && this.request.streamed === undefined && this.request.hijackAs === undefined
  }

  begin(connection: EngineConnection): void {
    if (this.#over) {
      this.#sender.keep(connection)
      return
    }
    this.#connection = connection
    connection.call = this
    connection.calls++
    connection.deadline = this.#sender.deadlineIn(this.#timeoutMs)
    const { body, streamed } = this.request
    connection.output.add(requestText(this.request))
    if (body !== null) connection.output.add(body)
    if (streamed === undefined) this.#bodySent = true
    else streamed.stream(this)
    connection.output.flush()
    if (this.#halfClosed && !this.#over) connection.socket.end()
  }

  pause(): void {
    if (this.#over) return
    this.#paused = true
    this.#connection?.socket.pause()
  }

  resume(): void {
    if (this.#over || !this.#paused) return
    this.#paused = false
    this.#connection?.socket.resume()
  }

  abort(): void {
    if (this.#over) return
    this.#connection?.close()
    this.#fail(new ProxyError('engine-broke-off', 'the client left'))
  }

  halfClose(): void {
    this.#halfClosed = true
    if (!this.#over) this.#connection?.socket.end()
  }

  // BodyTarget: the client's body.

  data(piece: Buffer, begins: number): void {
    const connection = this.#connection
    if (this.#over || connection === undefined) return
    if (this.#chunks === undefined) connection.output.add(piece)
    else this.#chunks.add(connection.output, piece, begins)
  }

  flush(): void {
    if (!this.#over && this.#connection?.output.flush() === false) this.request.streamed?.pause()
  }

  end(): void {
    const connection = this.#connection
    if (this.#over || connection === undefined) return
    this.#chunks?.end(connection.output)
    connection.output.flush()
    this.#bodySent = true
  }

  failed(cause: Error): void {
    if (this.#over) return
    this.#connection?.close() // the client left, or broke HTTP's rules
    this.#fail(cause)
  }

  // OnConnection: the engine.

  drained(): void {
    this.request.streamed?.resume()
  }

  timedOut(): void {
    const seconds = this.#timeoutMs / 1000
    this.#fail(new ProxyError('engine-timeout', `the engine sent no response within ${seconds} s`))
  }

  bytes(chunk: Buffer): boolean {
    this.#heard = true
    try {
      this.#read(chunk)
    } catch (cause) {
      if (cause instanceof Malformed) this.#fail(sentMalformed(this.#sender.where, cause))
      else this.#fail(cause instanceof Error ? cause : new Error(String(cause)))
    }
    return this.#sink.isWriting !== true
  }

  #read(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length && !this.#over) {
      if (this.#body === undefined) {
        const head = this.#connection?.heads.read(chunk, at)
        if (head === undefined) return
        at = head.next
        this.#takeHead(readResponseHead(head), chunk, at)
      } else at = this.#body.feed(chunk, at, this.#sink)
      if (this.#body?.done === true && !this.#over) {
        this.#finish(at === chunk.length)
        return
      }
    }
    if (!this.#over) this.#sink.flush?.()
  }

  #takeHead(head: ResponseHead, chunk: Buffer, at: number): void {
    const { method, hijackAs } = this.request
    const framing = responseFraming(head, method)
    if (head.status === 101 && hijackAs === undefined)
      throw new Malformed('it switched protocols, which the request did not ask for')
    const raw = head.status === 200 && framing.kind === 'until-close' && isRawStream(head.headers)
    if (head.status === 101 || (raw && hijackAs !== undefined)) {
      this.#switch(head, Buffer.from(chunk.subarray(at)))
      return
    }
    if (head.status < 200) {
      this.#sink.interim?.(head.status, head.reason, head.headers)
      return
    }
    if (this.#connection !== undefined) this.#connection.deadline = 0
    this.#head = head
    this.#body = new BodyReader(framing)
    this.#sink.head(head.status, head.reason, head.headers, this)
  }

  #switch({ status, reason, headers }: ResponseHead, rest: Buffer): void {
    const connection = this.#connection
    if (connection === undefined) return
    this.#over = true
    connection.detach()
    connection.socket.pause()
    const { socket, lender } = connection
    this.#sink.switched?.(status, reason, headers, { socket, lender, rest, close: () => connection.close() })
  }

  /** `clean`: the connection holds no bytes after the response. */
  #finish(clean: boolean): void {
    const connection = this.#connection
    const head = this.#head
    this.#release()
    if (connection !== undefined) {
      if (this.#paused) connection.socket.resume()
      // An early response: the next request would wait behind the rest of this one, and be lost if the engine closes.
      const isWritten = this.#bodySent && connection.socket.writableLength === 0
      const keeps = clean && isWritten && head !== undefined && persists(head)
      if (keeps && connection.usable) this.#sender.keep(connection, keepAliveMs(head.framingFields.keepAlive))
      else connection.socket.destroy()
    }
    this.#sink.end()
  }

  ended(): void {
    if (this.#over) return
    if (this.#body?.ended() === true) this.#finish(false)
    else if (this.#heard || !this.#mayRetry()) this.#fail(brokeOff(this.#sender.where))
  }

  closed(error: Error | undefined): void {
    if (this.#over) return
    if (error === undefined && this.#connection?.closedByUs !== true && this.#body?.ended() === true) {
      this.#finish(false)
      return
    }
    if (!this.#heard && this.#mayRetry()) {
      this.#retried = true
      this.#connection = undefined
      this.#sender.again(this)
      return
    }
    this.#fail(error === undefined ? brokeOff(this.#sender.where) : asEngineError(error, this.#sender.where))
  }

  /** The engine may close a kept connection just as a request is written: safe requests are retried, once. */
  #mayRetry(): boolean {
    return !this.#retried && this.safe && (this.#connection?.calls ?? 0) > 1
  }

  #fail(cause: Error): void {
    const connection = this.#connection
    this.#release()
    connection?.socket.destroy()
    this.#sink.failed(cause)
  }

  /** Lets go of the connection. */
  #release(): void {
    this.#over = true
    const connection = this.#connection
    this.#connection = undefined
    if (connection !== undefined) {
      connection.call = undefined
      connection.deadline = 0
    }
    if (!this.#bodySent) this.request.streamed?.resume() // drops the rest of the body
  }
}

/** Content types of a hijacked connection; engines that ignore the upgrade answer with 200. */
const RAW_STREAM = /^application\/vnd\.docker\.(?:raw|multiplexed)-stream/

const isRawStream = (headers: ReadonlyHeaders): boolean => RAW_STREAM.test(headers.get('content-type') ?? '')

/** Subtracted from the engine's timeout, so that it does not close the connection as a request is written. */
const MARGIN_MS = 2000

/** How long the connection may be kept by `Keep-Alive: timeout=SECONDS`; undefined without one. */
function keepAliveMs(keepAlive: string): number | undefined {
  if (keepAlive === '') return undefined
  const found = /(?:^|[,\s])timeout=(\d{1,6})/i.exec(keepAlive)
  return found === null ? undefined : Number(found[1]) * 1000 - MARGIN_MS
}
