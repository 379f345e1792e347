import { ProxyError } from '../../src/api/errors.ts'
import { integer, isObject, type JsonValue } from '../../src/api/json/json.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { BILLION, nanoseconds, wholeOrZero } from './moments.ts'

/** Engine 1.6 treats 0 as unset, and a negative `until` as a moment before all events. */
export function sinceOf16(text: string, { query }: RequestMessage): string | null {
  const since = wholeOrZero(text)
  if (since === 0n || wholeOrZero(query.get('until') ?? '') < 0n) return null
  return String(since < 0n ? 1n : since)
}

export function untilOf16(text: string): string | null {
  const until = wholeOrZero(text)
  return until === 0n ? null : String(until < 0n ? 1n : until)
}

/** Newer engines send past events for every `since` except -1, and an `until` of 0 or less does not end their stream. */
export function sinceFor16(text: string): string | null | undefined {
  const since = nanoseconds(text)
  return since === -BILLION ? null : since === 0n ? '1' : undefined
}

export const untilFor16 = (text: string): null | undefined => ((nanoseconds(text) ?? 1n) <= 0n ? null : undefined)

/** Whether an event is after the client's `until`. `exact` compares nanoseconds if the engine sends them. */
export function isAfterUntil(record: JsonValue | undefined, { call }: StepContext, exact: boolean): boolean {
  const until = nanoseconds(call.query.get('until') ?? '')
  if (!isObject(record) || until === undefined || until <= 0n) return false
  const second = (integer(record['time']) ?? 0n) * BILLION
  return (exact ? (integer(record['timeNano']) ?? second) : second) > until
}

/** From engine 1.12 on `until` alone also selects past events, and it must not precede `since`. */
export function untilAsksForThePast({ query }: RequestMessage): void {
  const [since, until] = [query.get('since') ?? '', query.get('until') ?? '']
  const [from, to] = [nanoseconds(since), nanoseconds(until)]
  if (to === undefined || to === -BILLION) return
  if (from === undefined || from === -BILLION) query.set('since', '1')
  else if (to < from)
    throw new ProxyError('validation', `\`since\` time (${since}) cannot be after \`until\` time (${until})`)
}
