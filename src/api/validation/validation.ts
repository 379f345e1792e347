import type { Headers } from '../../http/headers.ts'
import type { EngineFacts } from '../engine-facts.ts'
import { ProxyError } from '../errors.ts'
import type { JsonValue } from '../json/json.ts'
import { goError } from '../json/read.ts'
import type { OperationName } from '../operations.ts'
import { type ApiVersion, formatVersion } from '../version.ts'
import { bodyOf } from './bodies.ts'
import { AND_LATER, type Finding, type Native, nativeAt, type Raw, UNREAD_AT_START, whyInWords } from './finding.ts'
import { checkHeaders, readsHeaders } from './headers.ts'
import type { Check } from './kinds.ts'
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
    text: (text) => goError(String(text)),
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
  readonly #bodies = new Map<string, Check | undefined>()

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
    return this.#check(operation, client) !== undefined
  }

  /** The body, once it was read. Throws the refusal. */
  body(asked: Asked, { text, value, more = false }: AskedBody): void {
    const check = this.#check(asked.operation, asked.client)
    if (check === undefined || text === '') return
    if (value === undefined) {
      this.#judge(asked, notJson(asked, text))
      return
    }
    if (more) this.#judge(asked, [{ field: 'body', rule: BEHIND, value: text, native: undefined }])
    if (value !== null) this.#judge(asked, findingsOf(check, value))
  }

  #check(operation: OperationName, client: ApiVersion): Check | undefined {
    const key = `${operation} ${client}`
    if (!this.#bodies.has(key)) {
      const kind = bodyOf(operation, client)
      this.#bodies.set(key, kind?.(client))
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
      throw new ProxyError('validation', `the request is not valid at API ${formatVersion(asked.client)}: ${why}`)
    }
    const refusal = findings.find((one) => one.refusal !== undefined)?.refusal
    if (refusal !== undefined) throw new ProxyError('validation', refusal.text, { status: refusal.status })
  }
}

const readsQuery = (operation: OperationName, search: string): boolean => search.length > 1 || hasRequired(operation)

function decide({ field, rule, native, value }: Raw, { engine }: Asked): Finding {
  const refuses = native !== undefined && native.leftTo?.(engine) !== true
  return { field, rule, refusal: refuses ? { status: native.status, text: native.text(value) } : undefined }
}

const BEHIND = 'must end where its JSON ends'

/** No value at all is the engines' error to tell. */
function notJson({ operation, client }: Asked, text: string): Raw[] {
  const read = operation === 'ContainerStart' && Buffer.byteLength(text) > UNREAD_AT_START
  const native = read ? nativeAt(badJsonAtStart, client) : undefined
  return [{ field: 'body', rule: 'must be JSON', value: text, native }]
}

/** Of a list with something wrong in each element, this many are told. */
const MOST_FINDINGS = 100

function findingsOf(check: Check, value: JsonValue): Raw[] {
  const found: Raw[] = []
  check(value, '', (field, rule) => {
    if (found.length >= MOST_FINDINGS) return
    found.push({ field: field === '' ? 'body' : field, rule, value: undefined, native: undefined })
  })
  return found
}
