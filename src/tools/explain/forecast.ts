import { type OperationName, operationNames } from '../../api/operations.ts'
import { type ApiVersion, formatVersion, isNewer, isOlder, LOWEST } from '../../api/version.ts'
import type { Versions } from '../../translate/change.ts'
import { type Applied, applied, type Lost, lossesOf, versionsBetween } from './applies.ts'
import { type KnownEngine, refusedBy } from './releases.ts'

/** Results of a client of one version on an engine, with and without the bridge. */
export interface Forecast {
  readonly client: ApiVersion
  readonly versions: Versions
  /** The engine's error for such a client without a bridge; undefined: it is served. */
  readonly refusal: string | undefined
  /** The bridge's error for it; undefined: it is served. */
  readonly refusedByBridge: string | undefined
  /** The operations that the bridge translates. */
  readonly operations: ReadonlyMap<OperationName, readonly Applied[]>
  /** Number of distinct changes among them. */
  readonly changes: number
  /** How many affect the client even where the engine serves it directly: only the engine's release counts. */
  readonly changesWithoutBridge: number
  readonly losses: readonly Lost[]
}

export function forecast(client: ApiVersion, engine: KnownEngine): Forecast {
  const versions = versionsBetween(client, engine)
  const operations = forOperations(versions)
  const refusal = refusedBy(engine, client)
  const direct = refusal === undefined ? forOperations({ ...versions, target: client }) : new Map()
  return {
    client,
    versions,
    refusal,
    refusedByBridge: bridgeRefusal(client, engine),
    operations,
    changes: distinct(operations),
    changesWithoutBridge: distinct(direct),
    losses: lossesOf([...operations.values()].flat()),
  }
}

export function forOperations(versions: Versions): ReadonlyMap<OperationName, readonly Applied[]> {
  const all = operationNames.map((operation) => [operation, applied(operation, versions)] as const)
  return new Map(all.filter(([, changes]) => changes.length > 0))
}

const distinct = (operations: ReadonlyMap<OperationName, readonly Applied[]>): number =>
  new Set([...operations.values()].flat().map(({ change }) => change.id)).size

function bridgeRefusal(client: ApiVersion, { highest }: KnownEngine): string | undefined {
  if (isOlder(client, LOWEST)) return `the bridge serves clients from ${formatVersion(LOWEST)} on`
  // Clients that negotiate lower their version themselves; others need --announce-api.
  if (isNewer(client, highest)) return `served with --announce-api ${formatVersion(client)}`
  return undefined
}
