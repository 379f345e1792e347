import type { JsonObject } from '../../api/json/json.ts'
import { number, objects, peerOf, text } from './records.ts'

/** What an audit log says of the use of an engine. */
export class Usage {
  calls = 0
  /** Answered with 400 or more. */
  failed = 0
  first: string | undefined
  last: string | undefined
  /** Lines that are no records. */
  unreadable = 0
  /** Records that the log says it had to drop. */
  dropped = 0
  readonly clients = new Map<string, Client>()
  /** By client version, then by operation, or method and path where no table has the call. */
  readonly versions = new Map<string, Map<string, number>>()
  /** By client and target version: `1.24 1.44`. */
  readonly spoken = new Map<string, number>()
  readonly operations = new Map<string, { calls: number; failed: number }>()
  readonly losses = new Map<string, { what: string; change: string; needs: string; calls: number }>()
  readonly refusals = new Map<string, number>()
}

interface Client {
  readonly userAgent: string
  readonly version: string
  readonly peers: Set<string>
  calls: number
  failed: number
}

/** More different ones than people read; a client that makes up names must not fill the memory. */
const MOST = 5_000
const OTHERS = '(others)'

/** Counts one record: calls by their last one. */
export function count(usage: Usage, record: JsonObject | undefined): void {
  if (record === undefined) {
    usage.unreadable++
    return
  }
  const stage = text(record, 'stage')
  if (stage === 'dropped') usage.dropped += number(record, 'dropped', 'count') ?? 0
  if (stage !== 'complete' && stage !== 'failed') return
  const failed = (number(record, 'status') ?? 0) >= 400 ? 1 : 0
  usage.calls++
  usage.failed += failed
  const time = text(record, 'time')
  usage.first ??= time
  usage.last = time ?? usage.last
  countClient(usage, record, failed)
  countOperation(usage, record, failed)
  for (const loss of objects(record, 'losses')) countLoss(usage, loss)
  const refusal = text(record, 'error', 'code')
  if (refusal !== undefined) add(usage.refusals, refusal)
}

function countClient({ clients, spoken }: Usage, record: JsonObject, failed: number): void {
  const version = text(record, 'clientVersion') ?? text(record, 'prefix') ?? '?'
  const target = text(record, 'targetVersion')
  if (target !== undefined) add(spoken, `${version} ${target}`)
  const userAgent = text(record, 'userAgent') ?? '(no user agent)'
  const key = room(clients, `${userAgent} ${version}`)
  const client = clients.get(key) ?? {
    userAgent: key === OTHERS ? OTHERS : userAgent,
    version: key === OTHERS ? '' : version,
    peers: new Set<string>(),
    calls: 0,
    failed: 0,
  }
  client.calls++
  client.failed += failed
  if (client.peers.size < MOST) client.peers.add(peerOf(record))
  clients.set(key, client)
}

function countOperation({ operations, versions }: Usage, record: JsonObject, failed: number): void {
  const name = text(record, 'operation') ?? `${text(record, 'method') ?? ''} ${text(record, 'path') ?? ''}`
  const key = room(operations, name)
  const operation = operations.get(key) ?? { calls: 0, failed: 0 }
  operation.calls++
  operation.failed += failed
  operations.set(key, operation)
  const version = text(record, 'clientVersion')
  if (version === undefined) return
  const ofVersion = versions.get(version) ?? new Map<string, number>()
  add(ofVersion, key)
  versions.set(version, ofVersion)
}

function countLoss({ losses }: Usage, loss: JsonObject): void {
  const what = text(loss, 'what') ?? '?'
  const change = text(loss, 'change') ?? '?'
  const key = room(losses, `${change} ${what}`)
  const known = losses.get(key) ?? { what, change, needs: text(loss, 'needs') ?? '', calls: 0 }
  known.calls++
  losses.set(key, known)
}

const room = (map: ReadonlyMap<string, unknown>, key: string): string =>
  map.size < MOST || map.has(key) ? key : OTHERS

function add(map: Map<string, number>, key: string): void {
  const place = room(map, key)
  map.set(place, (map.get(place) ?? 0) + 1)
}
