import { newerFieldsIn, servedAs, toldInstead } from '../../../rules/clients.ts'
import type { EngineFacts } from '../../api/engine-facts.ts'
import { asksForVersion, type Call, clientVersion } from '../../api/read-call.ts'
import { type ApiVersion, clampVersion, isOlder, LOWEST, offered } from '../../api/version.ts'
import type { ClientRequest } from '../../http/client/request.ts'
import type { Core, Door } from '../core.ts'

export interface Client {
  /** Version of the responses to the client. */
  readonly version: ApiVersion
  /** Set for a program that is told another version than the engine's (rules/clients.ts). */
  readonly told: { readonly name: string; readonly version: ApiVersion } | undefined
  /** The bridge as presented to this client. */
  readonly core: Core
}

/** Determines the client's version. Throws a ProxyError for a version that the bridge does not serve. */
export function identify(
  bridge: Core,
  { unversioned }: Door,
  request: ClientRequest,
  call: Call,
  { highest }: EngineFacts,
): Client {
  const newest = offered(bridge.policy.announce, highest)
  const known = bridge.knownClients?.find(request.headers.get('user-agent'))
  const announced = known && toldInstead(known, newest)
  const unnamed = asksForVersion(call) ? clampVersion(newest, LOWEST, highest) : (unversioned ?? highest)
  const asked = clientVersion(call, announced !== undefined && isOlder(newest, announced) ? announced : newest, unnamed)
  if (known === undefined) return { version: asked, told: undefined, core: bridge }
  const operation = call.match?.operation.name
  const version = servedAs(known, operation, asked, call.prefix.kind === 'none' && unversioned === undefined)
  const core =
    bridge.knownClients?.as(bridge, {
      announce: announced ?? bridge.policy.announce,
      newerFields: bridge.policy.newerFields === 'pass' ? 'pass' : newerFieldsIn(known, operation),
    }) ?? bridge
  if (announced === undefined) return { version, told: undefined, core }
  return {
    version: known.onlyTold !== true && isOlder(announced, version) ? announced : version,
    told: { name: known.name, version: announced },
    core,
  }
}
