import { newerFieldsIn, servedAs, toldInstead } from '../../../rules/clients.ts'
import type { EngineFacts } from '../../api/engine-facts.ts'
import { ProxyError } from '../../api/errors.ts'
import { asksForVersion, type Call, clientVersion } from '../../api/read-call.ts'
import type { Asked, Finding } from '../../api/validation/finding.ts'
import { type ApiVersion, clampVersion, isOlder, LOWEST, offered } from '../../api/version.ts'
import type { Entry } from '../../audit/entry/entry.ts'
import type { ClientRequest } from '../../http/client/request.ts'
import type { ClientResponse } from '../../http/client/response.ts'
import type { Headers } from '../../http/headers.ts'
import { connectionOf } from '../../http/listener.ts'
import { Answer } from '../../translate/message.ts'
import type { Core, Door } from '../core.ts'
import type { Exchange } from '../exchange.ts'

/**
 * Rejects expectations other than 100-continue, which no engine meets (RFC 9110, 10.1.1). Throws a ProxyError; the
 * connection's remaining bytes are not read.
 */
export function checkExpectation(request: ClientRequest, response: ClientResponse, entry?: Entry): void {
  const expect = request.headers.get('expect')
  if (expect === undefined || request.minor === 0 || expect.toLowerCase() === '100-continue') return
  response.closeAfter()
  if (entry !== undefined) entry.endedBy ??= 'bridge'
  throw new ProxyError('bad-request', `cannot meet the expectation ${JSON.stringify(expect)}`, { status: 417 })
}

/** Applies limits and checks the origin. Throws a ProxyError, or a response that needs no engine. */
export function admit(core: Core, door: Door, request: ClientRequest, call: Call): Headers {
  const { metrics } = core
  door.checkOrigin?.(request.headers, call.url) // first: a web page must not use up the rate of its user
  core.admit(metrics.open + metrics.unread, connectionOf(request.socket).remoteAddress ?? door.name)
  if (call.localResponse !== undefined) throw call.localResponse
  if (call.method === 'OPTIONS') throw new Answer(200)
  checkDraining(core)
  return request.headers.copy()
}

/** Throws a ProxyError. */
export function checkDraining({ draining }: Pick<Core, 'draining'>): void {
  if (draining()) throw new ProxyError('draining', 'the bridge is shutting down')
}

export interface Client {
  /** Version of the responses to the client. */
  readonly version: ApiVersion
  /** Set for a program that is told another version than the engine's (rules/clients.ts). */
  readonly told: { readonly name: string; readonly version: ApiVersion } | undefined
  /** The shared core as presented to this client. */
  readonly core: Core
}

/** Determines the client's version. Throws a ProxyError for a version that the bridge does not serve. */
export function identify(
  shared: Core,
  { unversioned }: Door,
  request: ClientRequest,
  call: Call,
  { highest }: EngineFacts,
): Client {
  const newest = offered(shared.policy.announce, highest)
  const known = shared.knownClients?.find(request.headers.get('user-agent'))
  const announced = known && toldInstead(known, newest)
  const unnamed = asksForVersion(call) ? clampVersion(newest, LOWEST, highest) : (unversioned ?? highest)
  const asked = clientVersion(call, announced !== undefined && isOlder(newest, announced) ? announced : newest, unnamed)
  if (known === undefined) return { version: asked, told: undefined, core: shared }
  const operation = call.match?.operation.name
  const version = servedAs(known, operation, asked, call.prefix.kind === 'none' && unversioned === undefined)
  const core =
    shared.knownClients?.as(shared, {
      announce: announced ?? shared.policy.announce,
      newerFields: shared.policy.newerFields === 'pass' ? 'pass' : newerFieldsIn(known, operation),
    }) ?? shared
  if (announced === undefined) return { version, told: undefined, core }
  return {
    version: known.onlyTold !== true && isOlder(announced, version) ? announced : version,
    told: { name: known.name, version: announced },
    core,
  }
}

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
