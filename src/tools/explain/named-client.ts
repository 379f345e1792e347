import { type KnownClient, knownClients } from '../../../rules/clients.ts'
import { type ApiVersion, formatVersion, isOlder } from '../../api/version.ts'
import { knownClient } from '../../proxy/steps/known-clients.ts'
import type { KnownEngine } from './releases.ts'

/** A program as named by its User-Agent, on an engine. */
export interface NamedClient {
  readonly known: KnownClient
  /** The version it uses there through the bridge. */
  readonly speaks: ApiVersion
}

export const namedClient = (userAgent: string, { highest }: KnownEngine): NamedClient | undefined => {
  const known = knownClient(userAgent)
  return known && { known, speaks: isOlder(known.understands, highest) ? known.understands : highest }
}

/** Programs that misread an engine with that highest version. */
export const misledBy = (highest: ApiVersion): readonly KnownClient[] =>
  knownClients.filter(({ understands }) => isOlder(understands, highest))

export const describe = ({ known, speaks }: NamedClient): string =>
  speaks === known.understands
    ? `${known.name} ${known.reason}. It is told ${formatVersion(speaks)}, unless --known-clients is off.`
    : `${known.name} ${known.reason}. It understands ${formatVersion(known.understands)}, and the engine speaks no more.`
