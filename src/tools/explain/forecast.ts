import { type OperationName, operationNames } from '../../api/operations.ts'
import { type ApiVersion, formatVersion, isNewer, isOlder, LOWEST } from '../../api/version.ts'
import type { Exchange } from '../../translate/change.ts'
import { type Applied, applied, exchangeOf, type Lost, lossesOf } from './applies.ts'
import { type KnownEngine, refusedBy } from './releases.ts'

/** What a client of one version can expect of an engine, with the bridge and without it. */
export interface Forecast {
  readonly client: ApiVersion
  readonly exchange: Exchange
  /** What the engine says to such a client without a bridge; undefined: it is served. */
  readonly refusal: string | undefined
  /** What the bridge says to it; undefined: it is served. */
  readonly refusedByBridge: string | undefined
  /** The operations for which the bridge does something. */
  readonly operations: ReadonlyMap<OperationName, readonly Applied[]>
  /** How many different changes these are. */
  readonly changes: number
  /** How many of them meet a client that the engine serves itself: what the engine's age alone changed. */
  readonly changesWithoutBridge: number
  readonly losses: readonly Lost[]
}

export function forecast(client: ApiVersion, engine: KnownEngine): Forecast {
  const exchange = exchangeOf(client, engine)
  const operations = forOperations(exchange)
  const refusal = refusedBy(engine, client)
  const direct = refusal === undefined ? forOperations({ ...exchange, target: client }) : new Map()
  return {
    client,
    exchange,
    refusal,
    refusedByBridge: bridgeRefusal(client, engine),
    operations,
    changes: distinct(operations),
    changesWithoutBridge: distinct(direct),
    losses: lossesOf([...operations.values()].flat()),
  }
}

export function forOperations(exchange: Exchange): ReadonlyMap<OperationName, readonly Applied[]> {
  const all = operationNames.map((operation) => [operation, applied(operation, exchange)] as const)
  return new Map(all.filter(([, changes]) => changes.length > 0))
}

const distinct = (operations: ReadonlyMap<OperationName, readonly Applied[]>): number =>
  new Set([...operations.values()].flat().map(({ change }) => change.id)).size

function bridgeRefusal(client: ApiVersion, { highest }: KnownEngine): string | undefined {
  if (isOlder(client, LOWEST)) return `the bridge serves clients from ${formatVersion(LOWEST)} on`
  // Clients that negotiate come down by themselves; those that do not are told --announce-api's version.
  if (isNewer(client, highest)) return `served with --announce-api ${formatVersion(client)}`
  return undefined
}
