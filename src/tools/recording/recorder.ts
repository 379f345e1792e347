import { operationNamed } from '../../api/operations.ts'
import { formatVersion } from '../../api/version.ts'
import type { CallObserver, MessageSide, ResponseHead } from '../../audit/observer.ts'
import { BodyCapture, type BodyContext } from '../../audit/record/body.ts'
import { gatherFromHeaders } from '../../audit/redact/headers.ts'
import { usual } from '../../audit/redact/json.ts'
import { gatherFromSearch, redactSearch } from '../../audit/redact/query.ts'
import { plainHeader, plainPath } from '../../audit/redact/secrets.ts'
import type { Observer, Watched } from '../../audit/watched.ts'
import { Headers } from '../../http/headers.ts'
import type { RecordedCall } from './format.ts'

/** Limit for a recorded body in bytes. */
const BODY_LIMIT = 256 * 1024

/** Observes every call of a bridge; `write` receives it when it has ended. */
export const recorder =
  (write: (call: RecordedCall) => void): Observer =>
  (watched) =>
    new CallRecorder(watched, write)

class CallRecorder implements CallObserver {
  readonly #watched: Watched
  readonly #write: (call: RecordedCall) => void
  readonly #at = new Date()
  readonly #started = performance.now()
  readonly #secrets = new Set<string>()
  readonly #request: BodyCapture
  readonly #tunnel = { fromClient: 0, fromEngine: 0 }
  #engineResponse: BodyCapture | undefined
  #clientResponse: BodyCapture | undefined
  #head: ResponseHead | undefined
  #hijacked = false

  constructor(watched: Watched, write: (call: RecordedCall) => void) {
    this.#watched = watched
    this.#write = write
    const json = watched.operation !== undefined && operationNamed(watched.operation).request === 'json'
    this.#request = new BodyCapture(json ? 'message' : 'stream')
    gatherFromHeaders(watched.request.fields, this.#secrets)
  }

  request(): void {
    // what the client asked is recorded, not what became of it
  }

  response(side: 'engineResponse' | 'clientResponse', head: ResponseHead): void {
    const { operation } = this.#watched
    const kind = operation === undefined ? 'stream' : operationNamed(operation).response
    const whole = head.status >= 400 || kind === 'json' || kind === 'text' || kind === 'none'
    if (side === 'clientResponse') {
      this.#head = head
      this.#clientResponse = new BodyCapture(whole ? 'message' : 'stream')
    } else {
      this.#head ??= head
      this.#engineResponse = new BodyCapture(whole ? 'message' : 'stream')
    }
  }

  body(side: MessageSide, chunk: Buffer): void {
    if (side === 'clientRequest') this.#request.push(chunk)
    else if (side === 'engineResponse') this.#engineResponse?.push(chunk)
    else if (side === 'clientResponse') this.#clientResponse?.push(chunk)
  }

  stream(from: 'client' | 'engine', chunk: Buffer): void {
    this.#hijacked = true
    this.#tunnel[from === 'client' ? 'fromClient' : 'fromEngine'] += chunk.length
  }

  over(): void {
    this.#write(this.#call())
  }

  #call(): RecordedCall {
    const { call, operation, plan, request: fromClient } = this.#watched
    gatherFromSearch(call.search, operation, this.#secrets)
    const search = redactSearch(call.search, operation, new Set())
    const prefix = call.prefix.kind === 'version' ? `/v${call.prefix.text}` : ''
    const context: BodyContext = { operation, limit: BODY_LIMIT, redaction: usual, secrets: this.#secrets }
    const request = this.#request.record(context, { complete: true, plain: false })
    // A lane without translation shows one side only: both are the same then.
    const toClient = this.#clientResponse?.record(context, { complete: true, plain: this.#isText() })
    const response = toClient ?? this.#engineResponse?.record(context, { complete: true, plain: this.#isText() })
    const headers = this.#head === undefined ? undefined : Headers.fromRaw(this.#head.headers)
    return compact({
      at: this.#at.toISOString(),
      milliseconds: Math.round(performance.now() - this.#started),
      method: call.method,
      path: `${prefix}${plainPath(call.wirePath)}${search}`,
      client: formatVersion(plan.client),
      operation,
      userAgent: plain(fromClient.field('user-agent')),
      contentType: plain(fromClient.field('content-type')),
      request,
      status: this.#head?.status,
      responseType: headers?.get('Content-Type'),
      response,
      tunnel: this.#hijacked ? this.#tunnel : undefined,
    })
  }

  #isText(): boolean {
    const { operation } = this.#watched
    const failed = (this.#head?.status ?? 0) >= 400
    return failed || (operation !== undefined && operationNamed(operation).response === 'text')
  }
}

const plain = (value: string | undefined): string | undefined => (value === undefined ? undefined : plainHeader(value))

type Loose<T> = { [Name in keyof T]: T[Name] | undefined }

/** Removes undefined members. */
const compact = (call: Loose<Required<RecordedCall>>): RecordedCall =>
  Object.fromEntries(Object.entries(call).filter(([, value]) => value !== undefined)) as unknown as RecordedCall
