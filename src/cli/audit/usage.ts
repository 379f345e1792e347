import type { JsonObject } from '../../api/json/json.ts'
import { number, objects, peerOf, text } from './records.ts'

/** More different rows than people read; a client that makes up names must not fill the memory. */
const MOST = 5_000
const OTHERS = '(others)'

/** Calls that have something in common. */
interface Row {
  readonly cells: readonly string[]
  readonly peers: Set<string>
  calls: number
  /** Answered with 400 or more. */
  failed: number
}

/** Counts calls by what they have in common; from so many different rows on, all others are one. */
class Tally {
  readonly #rows = new Map<string, Row>()

  count(record: JsonObject, ...cells: readonly string[]): void {
    const own = JSON.stringify(cells)
    const key = this.#rows.size < MOST || this.#rows.has(own) ? own : OTHERS
    const row = this.#rows.get(key) ?? { cells: key === own ? cells : [OTHERS], peers: new Set(), calls: 0, failed: 0 }
    row.calls++
    row.failed += isFailed(record) ? 1 : 0
    if (row.peers.size < MOST) row.peers.add(peerOf(record))
    this.#rows.set(key, row)
  }

  /** The one with the most calls first. */
  get rows(): readonly Row[] {
    return [...this.#rows.values()].toSorted((a, b) => b.calls - a.calls)
  }
}

const isFailed = (record: JsonObject): boolean => (number(record, 'status') ?? 0) >= 400

/** The use of an engine, as its audit log shows it. */
export class Usage {
  calls = 0
  failed = 0
  first: string | undefined
  last: string | undefined
  /** Lines that are not audit records. */
  unreadable = 0
  /** Records that the log says it had to drop. */
  dropped = 0
  /** User agent and version. */
  readonly clients = new Tally()
  /** Client version and operation, or method and path where no table has the call. */
  readonly versions = new Tally()
  /** Client and target version. */
  readonly spoken = new Tally()
  readonly operations = new Tally()
  /** Value, the version that it needs, change. */
  readonly losses = new Tally()
  /** Error code of the bridge. */
  readonly refusals = new Tally()

  /** Counts one record: calls by their last one. */
  count(record: JsonObject | undefined): void {
    if (record === undefined) {
      this.unreadable++
      return
    }
    const stage = text(record, 'stage')
    if (stage === 'dropped') this.dropped += number(record, 'dropped', 'count') ?? 0
    if (stage === 'complete' || stage === 'failed') this.#countCall(record)
  }

  #countCall(record: JsonObject): void {
    this.calls++
    if (isFailed(record)) this.failed++
    const time = text(record, 'time')
    this.first ??= time
    this.last = time ?? this.last
    const client = text(record, 'clientVersion')
    const version = client ?? text(record, 'prefix') ?? '?'
    const target = text(record, 'targetVersion')
    const operation = text(record, 'operation') ?? `${text(record, 'method') ?? ''} ${text(record, 'path') ?? ''}`
    const refusal = text(record, 'error', 'code')
    this.clients.count(record, text(record, 'userAgent') ?? '(no user agent)', version)
    this.operations.count(record, operation)
    if (client !== undefined) this.versions.count(record, client, operation)
    if (target !== undefined) this.spoken.count(record, version, target)
    if (refusal !== undefined) this.refusals.count(record, refusal)
    for (const loss of objects(record, 'losses'))
      this.losses.count(record, text(loss, 'what') ?? '?', text(loss, 'needs') ?? '', text(loss, 'change') ?? '?')
  }
}
