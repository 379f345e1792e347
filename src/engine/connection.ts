import http from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import { type Dispatcher, errors, Pool } from 'undici'
import { Refusal } from '../errors.ts'
import { type Address, formatAddress } from './address.ts'
import type { Dial } from './dial.ts'
import { Reading } from './reading.ts'

/** A call as it goes over the wire: the path with prefix and query, headers as flat name/value pairs. */
export interface EngineRequest {
  readonly method: string
  readonly path: string
  readonly headers: readonly string[]
  readonly body: Buffer | Readable | null
}

/** Receives an answer as it comes. Exactly one of `end` and `failed` is the last call. */
export interface ReplySink {
  head(status: number, reason: string, headers: readonly string[], sending: Sending): void
  data(chunk: Buffer): void
  end(): void
  failed(cause: Refusal): void
}

/** A call under way. */
export interface Sending {
  pause(): void
  resume(): void
  /** Closes the engine's connection: the engine cancels what it was doing. */
  abort(): void
}

/** What the engine did with a request to hand over the connection. */
export type Upgraded =
  | {
      readonly kind: 'open'
      readonly status: number
      readonly reason: string
      readonly headers: readonly string[]
      readonly socket: Duplex
      /** Of what comes through the socket. */
      readonly reading: Reading
      readonly head: Buffer
    }
  | { readonly kind: 'answer'; readonly message: http.IncomingMessage }

/**
 * How long an idle connection is kept: less than the other side keeps it, for a call written as the engine hangs up is lost, and
 * one that changes state cannot be sent again. Docker up to 20.10 hangs up after 300 s (its `ReadHeaderTimeout`, measured), later
 * ones and Podman never; proxies and balancers before an engine mostly after 60 or 75 s.
 */
export const KEPT_MS = 50_000

/** Of the header fields of an answer, where nothing else is said. */
const MAX_HEADER_BYTES = 1 << 20

export interface EngineLimits {
  /** Bytes of all header fields of an answer. */
  readonly header?: number
  /** How long an idle connection is kept. */
  readonly keptMs?: number
}

/** The only file that knows undici and engine sockets. */
export class EngineConnection {
  readonly address: Address
  readonly #dial: Dial
  readonly #maxHeaderSize: number
  readonly #pool: Pool
  #open = 0

  constructor(dial: Dial, { header = MAX_HEADER_BYTES, keptMs = KEPT_MS }: EngineLimits = {}) {
    this.address = dial.address
    this.#dial = dial
    this.#maxHeaderSize = header
    this.#pool = new Pool(dial.origin, {
      connect: dial.connector,
      connections: null,
      pipelining: 1,
      headersTimeout: 0, // wait, pull and build answer after hours
      bodyTimeout: 0, // events and stats are endless
      keepAliveTimeout: keptMs,
      keepAliveMaxTimeout: keptMs,
      maxHeaderSize: header,
    })
    this.#pool.on('connect', () => this.#open++)
    this.#pool.on('disconnect', () => this.#open--)
  }

  /** Whether a connection to the engine is still up, so that what was learnt over it still holds. */
  get connected(): boolean {
    return this.#open > 0
  }

  /** Sends one call. Never retries. `patienceMs`: how long the head of the answer may take; 0: for ever. */
  send({ method, path, headers, body }: EngineRequest, sink: ReplySink, patienceMs = 0): Sending {
    const sent = new Sent(sink, this.address, patienceMs)
    // What it finds wrong with a request it tells the handler too.
    this.#pool.dispatch({ method, path, headers: headers as string[], body, headersTimeout: patienceMs }, sent)
    return sent
  }

  /**
   * Asks the engine to hand over the connection. Any answer but a switch of protocols comes back as an ordinary
   * answer: `undici.upgrade()` would lose a 404 or 409 with its text, so this is `node:http`.
   */
  upgrade(request: EngineRequest, signal: AbortSignal): Promise<Upgraded> {
    const { promise, resolve, reject } = Promise.withResolvers<Upgraded>()
    const reading = new Reading((onread) => this.#dial.connect('half-open', onread))
    const out = http.request({
      method: request.method,
      path: request.path,
      headers: request.headers as string[],
      setHost: false,
      maxHeaderSize: this.#maxHeaderSize,
      signal,
      createConnection: () => reading.open(),
    })
    out.on('upgrade', (message, socket, head) =>
      resolve({
        kind: 'open',
        status: message.statusCode ?? 101,
        reason: message.statusMessage ?? '',
        headers: message.rawHeaders,
        socket,
        reading,
        head,
      }),
    )
    out.on('response', (message) => resolve({ kind: 'answer', message }))
    out.on('error', (error) => reject(asRefusal(error, this.address)))
    out.end(request.body instanceof Buffer ? request.body : undefined)
    return promise
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}

/** One call on its way through undici, told to its sink. */
class Sent implements Sending, Dispatcher.DispatchHandler {
  readonly #sink: ReplySink
  readonly #address: Address
  readonly #patienceMs: number
  #controller: Dispatcher.DispatchController | undefined
  #aborted = false
  #ended = false

  constructor(sink: ReplySink, address: Address, patienceMs: number) {
    this.#sink = sink
    this.#address = address
    this.#patienceMs = patienceMs
  }

  pause(): void {
    this.#controller?.pause()
  }

  resume(): void {
    this.#controller?.resume()
  }

  abort(): void {
    this.#aborted = true
    this.#controller?.abort(new Error('the client left'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#aborted) controller.abort(new Error('the client left'))
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    reason: string | undefined,
  ): void {
    if (status < 200) return
    const headers = rawHeaders(controller)
    controller.rawHeaders = null // a buffer for each name and value, which a followed stream would keep to its end
    this.#sink.head(status, reason ?? '', headers, this)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#sink.data(chunk)
  }

  onResponseEnd(): void {
    this.#ended = true
    this.#sink.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#ended) return
    this.#ended = true
    this.#sink.failed(
      error instanceof errors.HeadersTimeoutError ? late(this.#patienceMs, error) : asRefusal(error, this.#address),
    )
  }
}

const late = (patienceMs: number, cause: Error): Refusal =>
  new Refusal('engine-timeout', `the engine did not begin to answer within ${patienceMs / 1000} s`, { cause })

/** As bytes of latin1, which is how they came (RFC 9110, 5.5). */
function rawHeaders({ rawHeaders: raw }: Dispatcher.DispatchController): string[] {
  if (!Array.isArray(raw)) return []
  const texts = new Array<string>(raw.length)
  for (let i = 0; i < raw.length; i++) {
    const part: Buffer | string = raw[i] ?? ''
    texts[i] = typeof part === 'string' ? part : part.toString('latin1')
  }
  return texts
}

/** Codes of OpenSSL's check of a certificate and of a failed handshake. */
const TLS_FAILED = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|EPROTO$)/

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOENT', 'EACCES', 'ENOTFOUND', 'EHOSTUNREACH', 'ENOTSOCK'])

/** An error of the wire, in words for the client. */
export function asRefusal(error: Error, address: Address): Refusal {
  if (error instanceof Refusal) return error
  const code = 'code' in error ? String(error.code) : ''
  const where = formatAddress(address)
  if (error instanceof errors.ConnectTimeoutError || code === 'ETIMEDOUT') {
    return new Refusal('engine-timeout', `the engine at ${where} did not accept a connection in time`, { cause: error })
  }
  if (UNREACHABLE.has(code)) {
    return new Refusal('engine-unreachable', `cannot reach the engine at ${where} (${code}). Is it running?`, {
      cause: error,
    })
  }
  if (TLS_FAILED.test(code)) {
    return new Refusal('engine-unreachable', `no TLS with the engine at ${where}: ${error.message}`, { cause: error })
  }
  return new Refusal('engine-broke-off', `the engine at ${where} broke off: ${error.message}`, { cause: error })
}
