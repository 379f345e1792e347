import { ProxyError } from '../../src/api/errors.ts'
import { integer, isObject, type JsonValue } from '../../src/api/json/json.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { BILLION, nanoseconds, wholeOrZero } from './moments.ts'

/** Of engine 1.6: 0 is none; a negative `until` is over, and so far back that nothing has happened before it. */
export function zeroIsNone({ query }: RequestMessage): void {
  const since = wholeOrZero(query.get('since') ?? '')
  const until = wholeOrZero(query.get('until') ?? '')
  if (since === 0n || until < 0n) query.delete('since')
  else query.set('since', String(since < 0n ? 1n : since))
  if (until === 0n) query.delete('until')
  else query.set('until', String(until < 0n ? 1n : until))
}

/**
 * Adapts the window to engine 1.6. Newer engines send past events for every `since` except -1, and an `until` of 0 or
 * less does not end their stream.
 */
export function zeroIsAll({ query }: RequestMessage): void {
  const since = nanoseconds(query.get('since') ?? '')
  if (since === -BILLION) query.delete('since')
  else if (since === 0n) query.set('since', '1')
  const until = nanoseconds(query.get('until') ?? '')
  if (until !== undefined && until <= 0n) query.delete('until')
}

/** Whether an event came after the window that the client asked for; where `exact`, by the nanosecond if the engine has it. */
export function isAfterUntil(record: JsonValue | undefined, { call }: StepContext, exact: boolean): boolean {
  const until = nanoseconds(call.query.get('until') ?? '')
  if (!isObject(record) || until === undefined || until <= 0n) return false
  const second = (integer(record['time']) ?? 0n) * BILLION
  return (exact ? (integer(record['timeNano']) ?? second) : second) > until
}

/** From 1.12 on `until` alone asks for the past too, and it may not lie before `since`. */
export function untilAsksForThePast({ query }: RequestMessage): void {
  const [since, until] = [query.get('since') ?? '', query.get('until') ?? '']
  const [from, to] = [nanoseconds(since), nanoseconds(until)]
  if (to === undefined || to === -BILLION) return
  if (from === undefined || from === -BILLION) query.set('since', '1')
  else if (to < from)
    throw new ProxyError('validation', `\`since\` time (${since}) cannot be after \`until\` time (${until})`)
}
