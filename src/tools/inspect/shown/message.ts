import { writeJson } from '../../../api/json/json.ts'
import { BodyCapture, type BodyContext } from '../../../audit/record/body.ts'
import { isCredential } from '../../../audit/redact/headers.ts'
import { namesSecret, REDACTED, scrubber } from '../../../audit/redact/text.ts'
import { GrowingText, type StreamKind } from './growing-text.ts'
import type { KeptBody, Message, StreamText } from './view.ts'

/** As in src/audit/record/body.ts: larger bodies are dropped. */
const WHOLE = 1 << 20

/** One message in transit: its head, and its body or the end of its stream. */
export class PassingMessage {
  readonly line: string
  readonly rawHeaders: readonly string[]
  readonly #stream: GrowingText | undefined
  #capture: BodyCapture | undefined
  readonly #head: number
  #bytes = 0
  #body: KeptBody | undefined

  /** `message`: a body that is read when complete. */
  constructor(
    line: string,
    rawHeaders: readonly string[],
    kind: StreamKind | 'message',
    options: ConstructorParameters<typeof GrowingText>[1],
  ) {
    this.line = line
    this.rawHeaders = [...rawHeaders]
    this.#head = lengthOf([line, ...rawHeaders])
    this.#capture = new BodyCapture(kind === 'message' ? 'message' : 'stream')
    if (kind !== 'message') this.#stream = new GrowingText(kind, options)
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length
    this.#capture?.push(chunk)
    this.#stream?.push(chunk)
  }

  /** The message is no longer shown. */
  letGo(): void {
    this.#stream?.letGo()
  }

  /** Approximate memory use in bytes. */
  get held(): number {
    if (this.#stream !== undefined) return this.#head + this.#stream.held
    return this.#head + (this.#body === undefined ? (this.#bytes > WHOLE ? 0 : this.#bytes) : weightOf(this.#body))
  }

  /** The message has ended, completely (`complete`) or not. */
  settle(context: BodyContext, end: { readonly complete: boolean; readonly plain: boolean }): void {
    const record = this.#capture?.record(context, end)
    this.#capture = undefined
    if (record === undefined) return
    const { json, ...rest } = record
    this.#body = json === undefined ? rest : { ...rest, json: writeJson(json) }
  }

  view(secrets: ReadonlySet<string>): Message {
    const stream: StreamText | undefined = this.#stream?.view
    return {
      line: this.line,
      headers: cleanHeaders(this.rawHeaders, secrets),
      ...(this.#body === undefined ? {} : { body: this.#body }),
      ...(stream === undefined || stream.bytes === 0 ? {} : { stream }),
    }
  }
}

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0)

const weightOf = ({ json = '', text = '' }: KeptBody): number => json.length + text.length

/** Headers without those that are secret by name or contain a secret. */
export function cleanHeaders(raw: readonly string[], secrets: ReadonlySet<string>): [string, string][] {
  const headers: [string, string][] = []
  const scrub = scrubber(secrets)
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [name = '', value = ''] = raw.slice(i, i + 2)
    headers.push([name, isCredential(name) || namesSecret(name) ? REDACTED : scrub(value)])
  }
  return headers
}
