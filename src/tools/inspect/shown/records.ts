import { isObject, type JsonValue, writeJson } from '../../../api/json/json.ts'
import { BEYOND, jsonIn, type Redacting, redactJson, usual } from '../../../audit/redact/json.ts'
import { type Cleaner, cleanerOf, REDACTED } from '../../../audit/redact/known.ts'
import { scrub } from '../../../audit/redact/text.ts'
import { RecordSplitter } from '../../../translate/run/record-splitter.ts'

/** A larger record is not shown, and neither are those after it. */
const LARGEST_RECORD = 1 << 20

/** Limit of secrets per stream: each record is searched for all of them. */
const MAX_SECRETS = 1000

/** JSON records, one per line. They are read on arrival: secrets found in one are searched for in later ones. */
export class Records {
  readonly #splitter = new RecordSplitter(LARGEST_RECORD)
  readonly #how: Redacting
  readonly #limit: number
  #text = ''
  #forgotten = 0
  #known: { readonly size: number; readonly clean: Cleaner } | undefined

  constructor(operation: string | undefined, limit: number, secrets: Set<string>) {
    this.#how = { operation, secrets, redaction: usual }
    this.#limit = limit
  }

  get held(): number {
    return this.#splitter.waiting + this.#text.length
  }

  get end(): { readonly text: string; readonly forgotten: number } {
    return { text: this.#text, forgotten: this.#forgotten }
  }

  /** Keeps up to twice the limit: copying the rest at each record would take the square of the time. */
  push(chunk: Buffer): void {
    for (const record of this.#splitter.push(chunk)) {
      this.#text += `${this.#clean(record.toString())}\n`
      if (this.#text.length <= 2 * this.#limit) continue
      const start = this.#text.indexOf('\n', this.#text.length - this.#limit - 1) + 1
      this.#text = this.#text.slice(start)
      this.#forgotten += start
    }
  }

  #clean(text: string): string {
    const record = jsonIn(text)
    if (record === BEYOND) return REDACTED
    const { secrets } = this.#how
    if (record === undefined) return secrets.size > MAX_SECRETS ? REDACTED : scrub(text, secrets)
    const known = this.#cleaner() // before this record's own secrets, which are removed in place
    return known(writeJson(redactJson(withoutTrace(record), this.#how)))
  }

  /** Removes the secrets known so far. Records can add more: above a limit, nothing that could quote them is shown. */
  #cleaner(): Cleaner {
    const { secrets } = this.#how
    if (secrets.size > MAX_SECRETS) return () => REDACTED
    if (this.#known?.size !== secrets.size) this.#known = { size: secrets.size, clean: cleanerOf(secrets) }
    return this.#known.clean
  }
}

/** BuildKit's build trace is base64 protobuf: it contains build arguments, which no pattern matches. */
function withoutTrace(record: JsonValue): JsonValue {
  if (!isObject(record) || record['id'] !== 'moby.buildkit.trace' || typeof record['aux'] !== 'string') return record
  return { ...record, aux: '[withheld]' }
}
