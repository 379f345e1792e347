import { type KnownClient, knownClients, toldInstead } from '../../../rules/clients.ts'
import { type ApiVersion, formatVersion } from '../../api/version.ts'
import { knownClient } from '../../proxy/steps/known-clients.ts'
import type { KnownEngine } from './releases.ts'

/** A program as named by its User-Agent, on an engine. */
export interface NamedClient {
  readonly known: KnownClient
  /** The version it uses there through the bridge. */
  readonly speaks: ApiVersion
  /** Whether it is told that version in place of the engine's highest. */
  readonly told: boolean
}

export const namedClient = (userAgent: string, { highest }: KnownEngine): NamedClient | undefined => {
  const known = knownClient(userAgent)
  if (known === undefined) return undefined
  const told = toldInstead(known, highest)
  return { known, speaks: told ?? highest, told: told !== undefined }
}

/** Programs that an engine with that highest version misleads, and what they are told. */
export const misledBy = (highest: ApiVersion): readonly { readonly name: string; readonly told: ApiVersion }[] =>
  knownClients.flatMap((known) => {
    const told = toldInstead(known, highest)
    return told === undefined ? [] : [{ name: known.name, told }]
  })

export const describe = ({ known, speaks, told }: NamedClient): string =>
  told
    ? `${known.name} ${known.reason}. It is told ${formatVersion(speaks)}, unless --known-clients is off.`
    : `${known.name} ${known.reason}. It works with ${formatVersion(speaks)}, the highest version of this engine.`
