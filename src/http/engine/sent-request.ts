import { type BodyTarget, fieldOf } from '../client/request.ts'
import { BodyReader } from '../message/body.ts'
import { ChunkWriter } from '../message/chunks/chunk-writer.ts'
import { persists, responseFraming } from '../message/framing.ts'
import { type Fields, type ResponseHead, readResponseHead } from '../message/head.ts'
import { Malformed } from '../message/malformed.ts'
import type { EngineConnection, OnConnection } from './connection.ts'
import { asEngineFault, brokeOff, EngineFault } from './fault.ts'
import type { EngineCall, EngineRequest, ResponseSink } from './request.ts'

/** What a request takes of the pool that sends it. */
export interface Sender {
  readonly where: string
  /** The connection may carry another call. `saysMs`: how long the engine says that it keeps it, less a margin. */
  keep(connection: EngineConnection, saysMs?: number): void
  /** Sends a request again that no byte of a response came for. */
  again(sent: SentRequest): void
  deadlineIn(ms: number): number
}

/** Calls that change nothing: they may be sent again when a kept connection turns out to have closed (RFC 9110, 9.2.1). */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** Raw streams that engines before upgrades gave with a 200. */
const RAW_STREAM = /^application\/vnd\.docker\.(?:raw|multiplexed)-stream/

/** One request on its way through a connection, told to its sink. */
export class SentRequest implements EngineCall, OnConnection, BodyTarget {
  readonly request: EngineRequest
  readonly #sender: Sender
  readonly #sink: ResponseSink
  readonly #patienceMs: number
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

  /** `patienceMs`: how long the head of the response may take; 0: for ever. */
  constructor(sender: Sender, request: EngineRequest, sink: ResponseSink, patienceMs: number) {
    this.request = request
    this.#sender = sender
    this.#sink = sink
    this.#patienceMs = patienceMs
    this.#chunks = request.streamed?.framing.kind === 'chunked' ? new ChunkWriter() : undefined
  }

  get safe(): boolean {
    return SAFE.has(this.request.method) && this.request.streamed === undefined && this.request.takesOver === undefined
  }

  get over(): boolean {
    return this.#over
  }

  begin(connection: EngineConnection): void {
    if (this.#over) {
      this.#sender.keep(connection)
      return
    }
    this.#connection = connection
    connection.call = this
    connection.calls++
    connection.deadline = this.#sender.deadlineIn(this.#patienceMs)
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
    this.#fail(new EngineFault('engine-broke-off', 'the client left'))
  }

  halfClose(): void {
    this.#halfClosed = true
    if (!this.#over) this.#connection?.socket.end()
  }

  // The client's body, as it comes.

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
    this.#connection?.close() // the bridge's doing: the client left, or broke the rules of HTTP
    this.#fail(cause)
  }

  // The connection.

  drained(): void {
    this.request.streamed?.resume()
  }

  late(): void {
    const seconds = this.#patienceMs / 1000
    this.#fail(new EngineFault('engine-timeout', `the engine did not begin to answer within ${seconds} s`))
  }

  bytes(chunk: Buffer): boolean {
    this.#heard = true
    try {
      this.#read(chunk)
    } catch (cause) {
      if (!(cause instanceof Malformed)) {
        this.#fail(cause instanceof Error ? cause : new Error(String(cause)))
        return true
      }
      const message = `the engine at ${this.#sender.where} sent a malformed response: ${cause.message}`
      this.#fail(new EngineFault('engine-broke-off', message, cause))
    }
    return this.#sink.holds !== true
  }

  #read(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length && !this.#over) {
      if (this.#body === undefined) {
        const head = this.#connection?.heads.read(chunk, at)
        if (head === undefined) return
        at = head.next
        this.#takeHead(readResponseHead(head.text), chunk, at)
      } else at = this.#body.feed(chunk, at, this.#sink)
      if (this.#body?.done === true && !this.#over) {
        this.#finish(at === chunk.length)
        return
      }
    }
    if (!this.#over) this.#sink.flush?.()
  }

  #takeHead(head: ResponseHead, chunk: Buffer, at: number): void {
    const { method, takesOver } = this.request
    const framing = responseFraming(head, method)
    if (head.status === 101) {
      if (takesOver === undefined) throw new Malformed('it switched protocols without being asked')
      this.#switch(head, Buffer.from(chunk.subarray(at)))
      return
    }
    if (head.status < 200) {
      this.#sink.interim?.(head.status, head.reason, head.fields)
      return
    }
    if (takesOver !== undefined && head.status === 200 && framing.kind === 'until-close' && isRawStream(head.fields)) {
      this.#switch(head, Buffer.from(chunk.subarray(at)))
      return
    }
    if (this.#connection !== undefined) this.#connection.deadline = 0
    this.#head = head
    this.#body = new BodyReader(framing)
    this.#sink.head(head.status, head.reason, head.fields, this)
  }

  #switch({ status, reason, fields }: ResponseHead, rest: Buffer): void {
    const connection = this.#connection
    if (connection === undefined) return
    this.#over = true
    connection.detach()
    connection.socket.pause()
    const { socket, reading } = connection
    if (this.#sink.switched === undefined) connection.destroy()
    else this.#sink.switched(status, reason, fields, { socket, reading, rest })
  }

  /** `clean`: nothing came behind the response. */
  #finish(clean: boolean): void {
    const connection = this.#connection
    const head = this.#head
    this.#release()
    if (connection !== undefined) {
      if (this.#paused) connection.socket.resume()
      const keeps = clean && this.#bodySent && head !== undefined && persists(head.minor, head.fields)
      if (keeps && connection.usable) this.#sender.keep(connection, keptMs(head.fields))
      else connection.destroy()
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
    this.#fail(error === undefined ? brokeOff(this.#sender.where) : asEngineFault(error, this.#sender.where))
  }

  /** A kept connection may have closed as the request was written: what changes nothing is asked again, once. */
  #mayRetry(): boolean {
    return !this.#retried && this.safe && (this.#connection?.calls ?? 0) > 1
  }

  #fail(cause: Error): void {
    const connection = this.#connection
    this.#release()
    connection?.destroy()
    this.#sink.failed(cause)
  }

  /** The call is over: its connection is another's, or gone. */
  #release(): void {
    this.#over = true
    const connection = this.#connection
    this.#connection = undefined
    if (connection !== undefined) {
      connection.call = undefined
      connection.deadline = 0
    }
    if (!this.#bodySent) this.request.streamed?.resume() // what still comes is dropped
  }
}

/** It must not be closed by the engine as a request is written. */
const MARGIN_MS = 2000

/** From `Keep-Alive: timeout=SECONDS`; undefined where it does not say. */
function keptMs(fields: Fields): number | undefined {
  const said = /(?:^|[,\s])timeout=(\d{1,6})/i.exec(fieldOf(fields, 'keep-alive') ?? '')
  return said === null ? undefined : Number(said[1]) * 1000 - MARGIN_MS
}

function isRawStream(fields: Fields): boolean {
  return RAW_STREAM.test(fieldOf(fields, 'content-type') ?? '')
}

function requestText({ method, path, headers, body, streamed }: EngineRequest): string {
  let text = `${method} ${path} HTTP/1.1\r\n`
  for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`
  if (body !== null) text += `Content-Length: ${body.length}\r\n`
  else if (streamed?.framing.kind === 'length') text += `Content-Length: ${streamed.framing.length}\r\n`
  else if (streamed?.framing.kind === 'chunked') text += 'Transfer-Encoding: chunked\r\n'
  return `${text}\r\n`
}
