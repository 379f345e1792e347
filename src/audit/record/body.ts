import { createHash, hash } from 'node:crypto'
import { type JsonValue, mapTexts, writeJson } from '../../api/json/json.ts'
import { ByteCollector } from '../../http/byte-collector.ts'
import { BEYOND, jsonIn, type Redacting, redactJson } from '../redact/json.ts'
import { cleanerOf } from '../redact/known.ts'
import { REDACTED, scrub } from '../redact/text.ts'
import type { BodyRecord } from './record.ts'

/** Bodies up to this size are buffered whole, because secrets are found only in whole JSON. */
const WHOLE = 1 << 20

/** Of a body up to this size, whose content is withheld, the hash could tell by guessing what it is: a secret, say. */
const GUESSABLE = 4096

/** Shared by the bodies of a call. */
export interface BodyContext extends Redacting {
  /** Maximum bytes recorded of a body. */
  readonly limit: number
}

/** Records size and hash of a body, and a bounded copy if its content may be recorded. */
export class BodyCapture {
  readonly #hash = createHash('sha256')
  readonly #kind: 'message' | 'stream'
  readonly #collector = new ByteCollector()
  #bytes = 0

  /** `stream`: archives, output, progress; their content is never recorded. */
  constructor(kind: 'message' | 'stream') {
    this.#kind = kind
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length
    this.#hash.update(chunk)
    if (this.#kind === 'stream') return
    // A copy: the chunk belongs to the lane, and would keep a larger buffer alive.
    if (this.#bytes <= WHOLE) this.#collector.add(chunk, true)
    else this.#collector.clear()
  }

  /** The bytes that are kept. */
  get held(): number {
    return this.#collector.size
  }

  /** `complete`: the whole body was seen. `plain`: text other than JSON may be recorded (errors up to 1.23). */
  record(context: BodyContext, { complete, plain }: { complete: boolean; plain: boolean }): BodyRecord | undefined {
    if (this.#bytes === 0) return undefined
    const whole = { bytes: this.#bytes, sha256: this.#hash.digest('hex') }
    if (this.#kind === 'stream') return withheld(whole, 'stream')
    if (this.#bytes > WHOLE) return { ...whole, cut: true, withheld: 'too-large' }
    const text = this.#collector.whole().toString()
    const body = jsonIn(text)
    if (body === BEYOND) return { ...whole, withheld: 'too-large' }
    if (body !== undefined) {
      const json = clean(body, context)
      const written = writeJson(json)
      const base = hashed(whole, written, written !== writeJson(body))
      // A whole request body too, if the call was cut later.
      return complete
        ? shown(base, written, { json: json as never }, context.limit)
        : { ...base, withheld: 'incomplete' }
    }
    if (!complete) return withheld(whole, 'incomplete')
    if (!plain) return withheld(whole, 'not-json')
    const scrubbed = scrub(text, context.secrets)
    return shown(hashed(whole, scrubbed, scrubbed !== text), scrubbed, { text: scrubbed }, context.limit)
  }
}

/** Redacts secrets by their place, and those found before (in the request, for a response) anywhere in text. */
function clean(body: JsonValue, how: Redacting): JsonValue {
  const known = new Set(how.secrets)
  const redacted = redactJson(body, how)
  return known.size === 0 ? redacted : mapTexts(redacted, cleanerOf(known))
}

type Whole = Pick<BodyRecord, 'bytes' | 'sha256'>

/** The hash of the original would allow guessing a password. */
const hashed = (whole: Whole, text: string, redacted: boolean): BodyRecord =>
  redacted ? { ...whole, sha256: hash('sha256', text), redacted: true } : whole

const withheld = (whole: Whole, why: BodyRecord['withheld']): BodyRecord => ({
  ...hashed(whole, REDACTED, whole.bytes <= GUESSABLE),
  withheld: why,
})

/** The body, or where it is longer than the limit the beginning of its text. */
function shown(base: BodyRecord, text: string, body: Pick<BodyRecord, 'json' | 'text'>, limit: number): BodyRecord {
  return Buffer.byteLength(text) <= limit ? { ...base, ...body } : { ...base, cut: true, text: truncate(text, limit) }
}

/** A prefix that does not end within a character. */
const truncate = (text: string, limit: number): string =>
  new TextDecoder('utf-8').decode(Buffer.from(text).subarray(0, limit), { stream: true })
