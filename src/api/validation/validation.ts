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

/** The call, as known when it is validated. */
export interface Asked {
  readonly operation: OperationName
  readonly client: ApiVersion
  readonly engine: EngineFacts
  /** Receives the findings, before a refusal too. */
  readonly report: (findings: readonly Finding[]) => void
}

/** A request body: its text, and its value if the text is JSON. */
export interface AskedBody {
  readonly text: string
  readonly value: JsonValue | undefined
  /** Further text follows the value. */
  readonly more?: boolean
}

/** For bodies longer than the few bytes that engines ignore. */
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
 * Validates requests as an engine of the client's version would. `warn` reports violations of the specification, and
 * refuses only those that all engines serving that version refuse and the connected engine would accept, with the
 * wording of that version's engine. `strict` refuses every finding. Messages are never modified.
 */
export class Validation {
  readonly #strict: boolean
  readonly #newerPass: boolean
  readonly #bodies = new Map<string, Check | undefined>()

  /** With `newerFields: 'pass'`, fields newer than the client's version are reported but never refused. */
  constructor(mode: Exclude<ValidationMode, 'off'>, newerFields: 'drop' | 'pass' = 'drop') {
    this.#strict = mode === 'strict'
    this.#newerPass = newerFields === 'pass'
  }

  /** Rules exist for the query or the headers of the request. */
  readsHead(operation: OperationName, search: string): boolean {
    return readsQuery(operation, search) || readsHeaders(operation)
  }

  /** Validates query and headers. Throws a ProxyError. */
  request(asked: Asked, search: string, headers: Headers): void {
    const { operation, client } = asked
    const query = readsQuery(operation, search) ? checkQuery(new URLSearchParams(search), operation, client) : []
    this.#judge(asked, [...query, ...checkHeaders(headers, operation, client)])
  }

  /** Rules exist for the operation's body; others need not be parsed. */
  readsBody(operation: OperationName, client: ApiVersion): boolean {
    return this.#check(operation, client) !== undefined
  }

  /** Validates a body. Throws a ProxyError. */
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

/** An empty body is left to the engine. */
function notJson({ operation, client }: Asked, text: string): Raw[] {
  const read = operation === 'ContainerStart' && Buffer.byteLength(text) > UNREAD_AT_START
  const native = read ? nativeAt(badJsonAtStart, client) : undefined
  return [{ field: 'body', rule: 'must be JSON', value: text, native }]
}

/** Limit of findings, for a list with an error in each element. */
const MAX_FINDINGS = 100

function findingsOf(check: Check, value: JsonValue): Raw[] {
  const found: Raw[] = []
  check(value, '', (field, rule) => {
    if (found.length >= MAX_FINDINGS) return
    found.push({ field: field === '' ? 'body' : field, rule, value: undefined, native: undefined })
  })
  return found
}
