import type { EngineFacts } from '../../api/engine-facts.ts'
import type { Call } from '../../api/read-call.ts'
import type { Asked, Finding } from '../../api/validation/finding.ts'
import type { ApiVersion } from '../../api/version.ts'
import type { Entry } from '../../audit/entry/entry.ts'
import type { Headers } from '../../http/headers.ts'
import type { Core } from '../core.ts'
import type { Exchange } from '../exchange.ts'

interface Sent {
  readonly call: Call
  readonly headers: Headers
  readonly hasBody: boolean
  readonly client: ApiVersion
  readonly engine: EngineFacts
  readonly entry: Entry
}

/**
 * Validates query and headers at the client's version before anything is forwarded. Returns the check of the body,
 * which a lane calls after reading it; undefined if no rule checks the body. Throws a ProxyError.
 */
export function validate({ validation, log }: Core, sent: Sent): Exchange['checkBody'] {
  const { call, client, engine, entry } = sent
  if (validation === undefined || call.match === undefined) return undefined
  const operation = call.match.operation.name
  const looksIn = sent.hasBody && validation.readsBody(operation, client)
  const report = (findings: readonly Finding[]): void => {
    for (const finding of findings) entry.findings.push(finding)
    const said = findings.map(({ field, rule }) => `${entry.clean(field)} ${rule}`)
    log.debug({ auditId: entry.id, operation, findings: said }, 'a request is invalid at its version')
  }
  const asked: Asked = { operation, client, engine, report }
  validation.request(asked, call.search, sent.headers)
  return looksIn ? (body) => validation.body(asked, body) : undefined
}
