import { integer, isObject, type JsonValue, parseJson } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'
import { RecordSplitter } from '../../src/translate/run/record-splitter.ts'
import { asMoment, BILLION, fromMilliseconds, nanoseconds } from '../by-hand/moments.ts'

/** How many events the engines up to 1.11 remembered; newer ones remember 256 (daemon/events/events.go). */
const REMEMBERED = 64
/** A history that is longer is not cut. */
const LONGEST = 1 << 20

/**
 * Engines 1.7 to 1.11 sent the past only with `since`, and then all that they remembered from there on, whatever
 * `until` said: that only ended the stream (api/server/server.go:getEvents @v1.7.1, daemon/events @v1.10.3; asked 1.9.1 and
 * 1.10.3). Newer ones send the past up to `until` and end at once when it is over.
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

/** `-1` stands for none, with any fraction. */
const isNone = (since: bigint): boolean => since >= -BILLION && since < 0n

const smaller = (some: bigint, other: bigint): bigint => (some < other ? some : other)

/** When what the engine remembers happened, the oldest first. */
async function remembered(context: EmulationContext): Promise<bigint[]> {
  // Docker takes the 0 for a moment that is over and still cuts nothing off there; Podman does not.
  const end = context.engine.product === undefined ? '0' : asMoment(fromMilliseconds(Date.now()))
  const path = `/events?since=0&until=${end}`
  const { status, start } = await context.engineStart('GET', path, { bytes: LONGEST })
  if (status !== 200 || start.length >= LONGEST) return []
  const records = new RecordSplitter(LONGEST).push(start).map((record) => parseJson(record.toString()))
  return records.flatMap((record) => whenHappened(record, context))
}

/** Events that the client's version does not have were not remembered either. */
function whenHappened(record: JsonValue, context: EmulationContext): bigint[] {
  const time = isObject(record) ? integer(record['timeNano']) : undefined
  const known = time !== undefined && context.translateResponse('SystemEvents', record) !== null
  return known ? [time] : []
}
