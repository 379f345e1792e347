import { writeJson } from '../../../api/json/json.ts'
import { BodyCapture, type BodyContext } from '../../../audit/record/body.ts'
import { isCredential } from '../../../audit/redact/headers.ts'
import { cleanerOf } from '../../../audit/redact/known.ts'
import { plainHeader } from '../../../audit/redact/secrets.ts'
import { namesSecret, REDACTED } from '../../../audit/redact/text.ts'
import type { ReadonlyHeaders } from '../../../http/headers.ts'
import { GrowingText, type StreamOptions } from './growing-text.ts'
import type { BodyKind } from './kinds.ts'
import type { KeptBody, Message } from './view.ts'

/** One message in transit: its head, and its body or the end of its stream. */
export class PassingMessage {
  readonly #headers: readonly string[]
  readonly #stream: GrowingText | undefined
  #capture: BodyCapture | undefined
  #body: KeptBody | undefined

  constructor(headers: ReadonlyHeaders, kind: BodyKind, options: StreamOptions) {
    this.#headers = headers.raw()
    this.#capture = new BodyCapture(kind === 'message' ? 'message' : 'stream')
    if (kind !== 'message') this.#stream = new GrowingText(kind, options)
  }

  push(chunk: Buffer): void {
    this.#capture?.push(chunk)
    this.#stream?.push(chunk)
  }

  /** Approximate memory use in bytes. */
  get held(): number {
    const { json = '', text = '' } = this.#body ?? {}
    const waiting = this.#capture?.held ?? 0
    const head = this.#headers.reduce((sum, { length }) => sum + length, 0)
    return head + (this.#stream?.held ?? waiting + json.length + text.length)
  }

  /** The message has ended. `plain`: text other than JSON may be shown. */
  settle(context: BodyContext, plain: boolean): void {
    const record = this.#capture?.record(context, { complete: true, plain })
    this.#capture = undefined
    if (record === undefined) return
    const { json, ...rest } = record
    this.#body = json === undefined ? rest : { ...rest, json: writeJson(json) }
  }

  /** `line`: `GET /v1.22/info` or `200`. */
  view(line: string, secrets: ReadonlySet<string>): Message {
    const stream = this.#stream?.view
    return {
      line,
      headers: cleanHeaders(this.#headers, secrets),
      ...(this.#body === undefined ? {} : { body: this.#body }),
      ...(stream === undefined || stream.bytes === 0 ? {} : { stream }),
    }
  }
}

/** Headers without those that are secret by name or contain a secret. */
export function cleanHeaders(raw: readonly string[], secrets: ReadonlySet<string>): [string, string][] {
  const headers: [string, string][] = []
  const clean = cleanerOf(secrets)
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [name = '', value = ''] = raw.slice(i, i + 2)
    headers.push([name, isCredential(name) || namesSecret(name) ? REDACTED : plainHeader(clean(value))])
  }
  return headers
}
