import type { Headers } from '../../http/headers.ts'
import { ProxyError } from '../errors.ts'
import type { JsonValue } from '../json/json.ts'
import { goError } from '../json/read.ts'
import type { OperationName } from '../operations.ts'
import { type ApiVersion, formatVersion, isWithin } from '../version.ts'
import { bodyOf } from './bodies.ts'
import {
  AND_LATER,
  type Asked,
  type Finding,
  LAST_SPECIFIED,
  type Refusal,
  type Say,
  UNREAD_AT_START,
} from './finding.ts'
import { checkHeaders } from './headers.ts'
import { checkQuery } from './query.ts'

export type ValidationMode = 'strict' | 'warn' | 'off'

/** A request body: its text, and its value if the text is JSON. */
export interface RequestBody {
  readonly text: string
  readonly value: JsonValue | undefined
  /** Further text follows the value. */
  readonly more?: boolean
}

/** Limit of findings without a refusal, for a list with an error in each element. */
const MAX_FINDINGS = 100

/**
 * Validates requests as an engine of the client's version would. `warn` reports violations of the specification, and
 * refuses only those that all engines serving that version refuse and the connected engine would accept, with the
 * wording of that version's engine. `strict` refuses every finding. Messages are never modified.
 */
export class Validation {
  readonly #strict: boolean
  readonly #newerPass: boolean

  /** With `newerFields: 'pass'`, fields newer than the client's version are reported but never refused. */
  constructor(mode: Exclude<ValidationMode, 'off'>, newerFields: 'drop' | 'pass' = 'drop') {
    this.#strict = mode === 'strict'
    this.#newerPass = newerFields === 'pass'
  }

  /** Validates query and headers. Throws a ProxyError. */
  request(asked: Asked, search: string, headers: Headers): void {
    this.#judge(asked, (say) => {
      checkQuery(search, asked.operation, asked.client, say)
      checkHeaders(headers, asked, say)
    })
  }

  /** Rules exist for the operation's body; others need not be parsed. */
  readsBody(operation: OperationName, client: ApiVersion): boolean {
    return bodyOf(operation, client) !== undefined
  }

  /** Validates a body. Throws a ProxyError. */
  body(asked: Asked, { text, value, more = false }: RequestBody): void {
    const kind = bodyOf(asked.operation, asked.client)
    if (kind === undefined || text === '') return
    this.#judge(asked, (say) => {
      if (value === undefined) return say('body', 'must be JSON', badJson(asked, text))
      if (more) say('body', 'must end where its JSON ends')
      if (value !== null) kind(value, '', say, asked.client)
    })
  }

  #judge(asked: Asked, check: (say: Say) => void): void {
    const findings: Finding[] = []
    check((field, rule, refusal) => {
      if (findings.length < MAX_FINDINGS || refusal !== undefined)
        findings.push({ field: field === '' ? 'body' : field, rule, refusal })
    })
    if (findings.length === 0) return
    asked.report(findings)
    const broken = this.#newerPass ? findings.filter(({ rule }) => !rule.endsWith(AND_LATER)) : findings
    if (this.#strict && broken.length > 0) {
      const why = broken.map(({ field, rule }) => `${field} ${rule}`).join('; ')
      throw new ProxyError('validation', `the request is not valid at API ${formatVersion(asked.client)}: ${why}`)
    }
    const refusal = findings.find((one) => one.refusal !== undefined)?.refusal
    if (refusal !== undefined) throw new ProxyError('validation', refusal.text, { status: refusal.status })
  }
}

/** Of a start body longer than what newer engines ignore (recordings 1.6.2 … 1.10.3: start-hc-badjson). */
function badJson({ operation, client }: Asked, text: string): Refusal | undefined {
  const isRead = operation === 'ContainerStart' && Buffer.byteLength(text) > UNREAD_AT_START
  return isRead && isWithin(client, 18, LAST_SPECIFIED) ? { status: 500, text: goError(text) } : undefined
}
