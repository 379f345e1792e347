import { createHash } from 'node:crypto'
import { type JsonValue, mapTexts, parseJson, writeJson } from '../../api/json/json.ts'
import { type Redaction, redactJson } from '../redact/json.ts'
import { BEYOND, jsonIn } from '../redact/json-in-text.ts'
import { cleanerOf } from '../redact/known.ts'
import { scrub } from '../redact/text.ts'
import type { BodyRecord } from './record.ts'

/** Up to this size a body is kept whole for as long as it passes, because what is secret in it is seen on the whole only. */
const WHOLE = 1 << 20

/** What the bodies of one call share. */
export interface BodyContext {
  readonly operation: string | undefined
  /** How much of a body is recorded, in bytes. */
  readonly limit: number
  readonly redaction: Redaction
  /** The secrets seen so far: those of the request are looked for in the answer. */
  readonly secrets: Set<string>
}

/** Gathers one body while it passes: its size and its hash, and a bounded copy where its content may be recorded. */
export class BodyCapture {
  readonly #hash = createHash('sha256')
  readonly #kind: 'message' | 'stream'
  #chunks: Buffer[] = []
  #bytes = 0

  /** `stream`: tar archives, output, progress: content that is never recorded. */
  constructor(kind: 'message' | 'stream') {
    this.#kind = kind
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length
    this.#hash.update(chunk)
    if (this.#kind === 'stream') return
    // The chunk is the lane's, and part of a larger buffer that would be held with it.
    if (this.#bytes <= WHOLE) this.#chunks.push(Buffer.from(chunk))
    else this.#chunks = []
  }

  /** `complete`: whether all of it has passed. `plain`: text that is no JSON may be recorded (errors up to 1.23). */
  record(context: BodyContext, { complete, plain }: { complete: boolean; plain: boolean }): BodyRecord | undefined {
    if (this.#bytes === 0) return undefined
    const whole = { bytes: this.#bytes, sha256: this.#hash.digest('hex') }
    if (this.#kind === 'stream') return { ...whole, withheld: 'stream' }
    if (this.#bytes > WHOLE) return { ...whole, cut: true, withheld: 'too-large' }
    if (!complete) return { ...whole, withheld: 'incomplete' }
    const text = Buffer.concat(this.#chunks).toString()
    const body = jsonIn(text)
    if (body === BEYOND) return { ...whole, withheld: 'too-large' }
    if (body !== undefined) return shown(whole, text, clean(body, context), context.limit)
    if (!plain) return { ...whole, withheld: 'not-json' }
    return shownText(whole, text, scrub(text, context.secrets), context.limit)
  }
}

type Whole = Pick<BodyRecord, 'bytes' | 'sha256'>

/** Without what is secret by its place, and without the request's secrets where a text quotes them. */
function clean(body: JsonValue, { operation, secrets, redaction }: BodyContext): JsonValue {
  const known = new Set(secrets)
  const redacted = redactJson(body, operation, secrets, redaction)
  return known.size === 0 ? redacted : withoutValues(redacted, known)
}

function withoutValues(value: JsonValue, secrets: ReadonlySet<string>): JsonValue {
  return mapTexts(value, cleanerOf(secrets))
}

function shown(whole: Whole, came: string, body: JsonValue, limit: number): BodyRecord {
  const text = writeJson(body)
  const redacted = text !== writeJson(parseJson(came))
  const base = { ...whole, ...(redacted ? marked(text) : {}) }
  return Buffer.byteLength(text) <= limit
    ? { ...base, json: body as never }
    : { ...base, cut: true, text: cut(text, limit) }
}

function shownText(whole: Whole, came: string, text: string, limit: number): BodyRecord {
  const base = { ...whole, ...(text === came ? {} : marked(text)) }
  return Buffer.byteLength(text) <= limit ? { ...base, text } : { ...base, cut: true, text: cut(text, limit) }
}

/** The hash of a body with a password in it would let the password be guessed: it is that of the redacted text. */
const marked = (text: string): Pick<BodyRecord, 'sha256' | 'redacted'> => ({
  sha256: createHash('sha256').update(text).digest('hex'),
  redacted: true,
})

/** The beginning, without half a character at its end. */
const cut = (text: string, limit: number): string =>
  new TextDecoder('utf-8').decode(Buffer.from(text).subarray(0, limit), { stream: true })
