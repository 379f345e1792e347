import { z } from 'zod'
import { Refusal } from '../../errors.ts'
import type { Headers } from '../../translate/headers.ts'
import type { JsonValue } from '../../translate/json.ts'
import type { EngineFacts } from '../../translate/message.ts'
import type { OperationName } from '../operations.ts'
import { type ApiVersion, formatVersion } from '../version.ts'
import { bodyOf } from './bodies.ts'
import { AND_LATER, type Finding, type Native, nativeAt, type Raw, UNREAD_AT_START, whyInWords } from './finding.ts'
import { decodeAsGo } from './go-json.ts'
import { checkHeaders, readsHeaders } from './headers.ts'
import { checkQuery, hasRequired } from './query.ts'

export type ValidationMode = 'strict' | 'warn' | 'off'

/** A call, as far as it is known when it is looked at. */
export interface Asked {
  readonly operation: OperationName
  readonly client: ApiVersion
  readonly engine: EngineFacts
  /** Hears of what was found, before a refusal too. */
  readonly report: (findings: readonly Finding[]) => void
}

/** A body that came: its text, and the value when the text is JSON. */
export interface AskedBody {
  readonly text: string
  readonly value: JsonValue | undefined
  /** Whether something stands behind the value. */
  readonly more?: boolean
}

/** Of more than the few bytes that are not read. */
const badJsonAtStart: readonly Native[] = [
  {
    from: 18,
    to: 22,
    status: 500,
    text: (text) => {
      const decoded = decodeAsGo(String(text))
      return 'error' in decoded ? decoded.error : ''
    },
    source: 'recordings 1.6.2 … 1.10.3: start-hc-badjson',
  },
]

/**
 * Looks at requests as an engine of the client's version would. `warn` reports what the specification does not allow,
 * and refuses only what all engines that serve that version refuse and the engine behind would let through, in the words
 * of the version's own. `strict` refuses every finding. Messages are looked at, never changed.
 */
export class Validation {
  readonly #strict: boolean
  readonly #newerPass: boolean
  readonly #bodies = new Map<string, z.ZodType | undefined>()

  /** With `newerFields: 'pass'` what is merely newer than the client's version is reported and never refused. */
  constructor(mode: Exclude<ValidationMode, 'off'>, newerFields: 'drop' | 'pass' = 'drop') {
    this.#strict = mode === 'strict'
    this.#newerPass = newerFields === 'pass'
  }

  /** Whether there is anything to say about the query or the headers of a request. */
  readsHead(operation: OperationName, search: string): boolean {
    return readsQuery(operation, search) || readsHeaders(operation)
  }

  /** Query and headers. Throws the refusal. */
  request(asked: Asked, search: string, headers: Headers): void {
    const { operation, client } = asked
    const query = readsQuery(operation, search) ? checkQuery(new URLSearchParams(search), operation, client) : []
    this.#judge(asked, [...query, ...checkHeaders(headers, operation, client)])
  }

  /** Whether there is anything to say about the body of an operation: what has nothing is not parsed. */
  readsBody(operation: OperationName, client: ApiVersion): boolean {
    return this.#schema(operation, client) !== undefined
  }

  /** The body, once it was read. Throws the refusal. */
  body(asked: Asked, { text, value, more = false }: AskedBody): void {
    const schema = this.#schema(asked.operation, asked.client)
    if (schema === undefined || text === '') return
    if (value === undefined) {
      this.#judge(asked, notJson(asked, text))
      return
    }
    if (more) this.#judge(asked, [{ field: 'body', rule: BEHIND, value: text, native: undefined }])
    const result = schema.safeParse(value)
    if (!result.success) this.#judge(asked, result.error.issues.map(rawOf))
  }

  #schema(operation: OperationName, client: ApiVersion): z.ZodType | undefined {
    const key = `${operation} ${client}`
    if (!this.#bodies.has(key)) {
      const kind = bodyOf(operation, client)
      this.#bodies.set(key, kind === undefined ? undefined : z.nullable(kind(client)))
    }
    return this.#bodies.get(key)
  }

  #judge(asked: Asked, raw: readonly Raw[]): void {
    if (raw.length === 0) return
    const findings = raw.map((one) => decide(one, asked))
    asked.report(findings)
    const broken = this.#newerPass ? findings.filter(({ rule }) => !rule.endsWith(AND_LATER)) : findings
    if (this.#strict && broken.length > 0) {
      const why = broken.map(whyInWords).join('; ')
      throw new Refusal('validation', `the request is not valid at API ${formatVersion(asked.client)}: ${why}`)
    }
    const refusal = findings.find((one) => one.refusal !== undefined)?.refusal
    if (refusal !== undefined) throw new Refusal('validation', refusal.text, { status: refusal.status })
  }
}

const readsQuery = (operation: OperationName, search: string): boolean => search.length > 1 || hasRequired(operation)

function decide({ field, rule, native, value }: Raw, { engine }: Asked): Finding {
  const refuses = native !== undefined && native.leftTo?.(engine) !== true
  return { field, rule, refusal: refuses ? { status: native.status, text: native.text(value) } : undefined }
}

const BEHIND = 'must end where its JSON ends'

/** Engines read the first value and leave what follows it (up to 28); no value at all is their error to tell. */
function notJson({ operation, client }: Asked, text: string): Raw[] {
  if ('end' in decodeAsGo(text)) {
    return [{ field: 'body', rule: BEHIND, value: text, native: undefined }]
  }
  const read = operation === 'ContainerStart' && Buffer.byteLength(text) > UNREAD_AT_START
  const native = read ? nativeAt(badJsonAtStart, client) : undefined
  return [{ field: 'body', rule: 'must be JSON', value: text, native }]
}

const rawOf = ({ path, message }: z.core.$ZodIssue): Raw => ({
  field: fieldOf(path),
  rule: message,
  value: undefined,
  native: undefined,
})

function fieldOf(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
  return text === '' ? 'body' : text.replace(/^\./, '')
}
