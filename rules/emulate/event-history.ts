import { integer, type JsonValue, memberAt, parseJson } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'
import { RecordSplitter } from '../../src/translate/run/record-splitter.ts'
import { asMoment, BILLION, fromMilliseconds, nanoseconds } from '../by-hand/moments.ts'

/** How many events the engines up to 1.11 remembered; newer ones remember 256 (daemon/events/events.go). */
const REMEMBERED = 64
/** Limit of the history in bytes; a longer one is ignored. */
const LONGEST = 1 << 20

/**
 * Engines 1.7 to 1.11 send past events only with `since`, and then all remembered ones after it, whatever `until`, which
 * only ends the stream (api/server/server.go:getEvents @v1.7.1, daemon/events @v1.10.3; seen on 1.9.1 and 1.10.3). Newer
 * ones send past events up to `until`, and end at once if it has passed.
 */
export async function historyAsBefore112({ query }: RequestMessage, context: EmulationContext): Promise<void> {
  if (context.policy.profile === 'spec') return
  const now = fromMilliseconds(Date.now())
  const since = nanoseconds(query.get('since') ?? '')
  const until = nanoseconds(query.get('until') ?? '')
  if ((since === undefined && query.get('since')) || (until === undefined && query.get('until'))) return // refused
  const ends = until !== undefined && until > 0n
  if (!ends) query.delete('until')
  if (since === undefined || isNone(since)) {
    query.delete('since')
    if (ends) query.set('since', asMoment(smaller(until, now)))
    return
  }
  const past = (await remembered(context)).slice(-REMEMBERED).filter((time) => time >= since)
  const [first, last] = [past[0], past.at(-1)]
  query.set('since', asMoment(first ?? (ends ? smaller(since, until) : since)))
  if (ends && until < now && last !== undefined && last > until) query.set('until', asMoment(last))
}

/** `-1`, with any fraction, means unset. */
const isNone = (since: bigint): boolean => since >= -BILLION && since < 0n

const smaller = (some: bigint, other: bigint): bigint => (some < other ? some : other)

/** Times of the events that the engine remembers, oldest first. */
async function remembered(context: EmulationContext): Promise<bigint[]> {
  // Docker ends the stream at once for 0 and still sends all past events; Podman does not.
  const end = context.engine.product === undefined ? '0' : asMoment(fromMilliseconds(Date.now()))
  const path = `/events?since=0&until=${end}`
  const { status, start } = await context.engineStart('GET', path, { bytes: LONGEST })
  if (status !== 200 || start.length >= LONGEST) return []
  const records = new RecordSplitter(LONGEST).push(start).map((record) => parseJson(record.toString()))
  return records.flatMap((record) => whenHappened(record, context))
}

/** Empty for an event that the client's version does not have: its engine did not remember it. */
function whenHappened(record: JsonValue, context: EmulationContext): bigint[] {
  const time = integer(memberAt(record, 'timeNano'))
  const known = time !== undefined && context.translateResponse('SystemEvents', record) !== null
  return known ? [time] : []
}
