import { fromInteger, type JsonValue } from '../../api/json/json.ts'

/** Nanoseconds since 1970. */
export type Moment = bigint

let last = 0n

/** The current time, strictly increasing: records are ordered by time. */
export function now(): Moment {
  const microseconds = Math.trunc((performance.timeOrigin + performance.now()) * 1000)
  const read = BigInt(microseconds) * 1000n
  last = read > last ? read : last + 1n
  return last
}

export const seconds = (moment: Moment): number => Number(moment / 1_000_000_000n)

export const nanoseconds = (moment: Moment): JsonValue => fromInteger(moment)

/** Go's RFC3339Nano; zero is Go's zero time. */
export function timestamp(moment: Moment): string {
  if (moment === 0n) return '0001-01-01T00:00:00Z'
  const fraction = (moment % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '')
  const whole = new Date(seconds(moment) * 1000).toISOString().slice(0, 19)
  return `${whole}${fraction === '' ? '' : `.${fraction}`}Z`
}

/** `since` and `until`: seconds, optionally with a fraction, or a date. Undefined if absent. */
export function readMoment(text: string | null): Moment | undefined {
  if (text === null || text === '') return undefined
  const found = /^(\d+)(?:\.(\d{1,9}))?$/.exec(text)
  if (found !== null) return BigInt(found[1] ?? 0) * 1_000_000_000n + BigInt((found[2] ?? '').padEnd(9, '0'))
  const parsed = Date.parse(text)
  return Number.isNaN(parsed) ? undefined : BigInt(parsed) * 1_000_000n
}

const SCALE: readonly (readonly [limit: number, unit: number, one: string, many: string])[] = [
  [60, 1, '1 second', 'seconds'],
  [3600, 60, 'About a minute', 'minutes'],
  [48 * 3600, 3600, 'About an hour', 'hours'],
  [Number.POSITIVE_INFINITY, 86_400, '1 day', 'days'],
]

/** A duration in the wording of the engine's status column (go-units, HumanDuration). */
export function inWords(from: Moment, to: Moment): string {
  const elapsed = Number((to - from) / 1_000_000_000n)
  if (elapsed < 1) return 'Less than a second'
  for (const [limit, unit, one, many] of SCALE) {
    const count = Math.floor(elapsed / unit)
    if (elapsed < limit) return count === 1 ? one : `${count} ${many}`
  }
  return ''
}
