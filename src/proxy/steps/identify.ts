import { toldInstead } from '../../../rules/clients.ts'
import type { EngineFacts } from '../../api/engine-facts.ts'
import { asksForVersion, type Call, clientVersion } from '../../api/read-call.ts'
import { type ApiVersion, isOlder, offered } from '../../api/version.ts'
import type { ClientRequest } from '../../http/client/request.ts'
import type { Core, Door } from '../core.ts'

export interface Client {
  /** Version of the responses to the client. */
  readonly version: ApiVersion
  /** Set for a program that is told, or served at, another version (rules/clients.ts). */
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
  const known = bridge.knownClients?.find(request.field('user-agent'))
  const announced = known && toldInstead(known, newest)
  const unnamed = asksForVersion(call) ? highest : (unversioned ?? highest)
  const asked = clientVersion(call, announced !== undefined && isOlder(newest, announced) ? announced : newest, unnamed)
  const served = known?.served?.asked === asked ? known.served.as : undefined
  const other = served ?? announced
  return {
    version: served ?? (announced !== undefined && isOlder(announced, asked) ? announced : asked),
    told: known && other && { name: known.name, version: other },
    core: (announced && bridge.knownClients?.told(bridge, announced)) ?? bridge,
  }
}
