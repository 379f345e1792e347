import type { KnownClient } from '../../../rules/clients.ts'
import type { EngineFacts } from '../../api/engine-facts.ts'
import { asksForVersion, type Call, clientVersion } from '../../api/read-call.ts'
import { type ApiVersion, isOlder, offered } from '../../api/version.ts'
import type { ClientRequest } from '../../http/client/request.ts'
import type { Door, Journey } from '../journey.ts'

export interface Client {
  /** Version of the responses to the client. */
  readonly version: ApiVersion
  /** Set for a program that misreads the announced version (rules/clients.ts). */
  readonly known: KnownClient | undefined
  /** The bridge as presented to this client. */
  readonly journey: Journey
}

/** Determines the client's version. Throws a ProxyError for a version that the bridge does not serve. */
export function identify(
  bridge: Journey,
  { unversioned }: Door,
  request: ClientRequest,
  call: Call,
  { highest }: EngineFacts,
): Client {
  const newest = offered(bridge.policy.announce, highest)
  const known = misreading(bridge, newest, request)
  const unnamed = asksForVersion(call) ? highest : (unversioned ?? highest)
  const asked = clientVersion(call, newest, unnamed)
  if (known === undefined) return { version: asked, known, journey: bridge }
  const version = isOlder(known.understands, asked) ? known.understands : asked
  return { version, known, journey: bridge.knownClients?.told(bridge, known) ?? bridge }
}

function misreading({ knownClients }: Journey, newest: ApiVersion, request: ClientRequest): KnownClient | undefined {
  const known = knownClients?.find(request.field('user-agent'))
  return known !== undefined && isOlder(known.understands, newest) ? known : undefined
}
