export const BILLION = 1_000_000_000n
const NUMBER = /^([+-]?)(\d{1,18})(?:\.(\d{1,9}))?$/

/** Reads a time of a query in nanoseconds since 1970; undefined if engines from 1.10 on do not read it as seconds. */
export function nanoseconds(text: string): bigint | undefined {
  const found = NUMBER.exec(text)
  if (found === null) return undefined
  const [, sign, seconds = '0', fraction = ''] = found
  const whole = BigInt(seconds) * BILLION
  const rest = BigInt(fraction.padEnd(9, '0'))
  // Engines add the fraction even to a negative second (ParseTimestamps @v1.10.3).
  return (sign === '-' ? -whole : whole) + rest
}

export const asMoment = (time: bigint): string =>
  time <= BILLION ? '1' : `${time / BILLION}.${String(time % BILLION).padStart(9, '0')}`

export const fromMilliseconds = (time: number): bigint => BigInt(Math.ceil(time)) * 1_000_000n

/** Reads a number as engine 1.6 did: trimmed, and 0 if it is invalid (engine/env.go:GetInt64 @v1.6.2). */
export function wholeOrZero(text: string): bigint {
  const trimmed = text.replace(/^[ \t]+/, '').replace(/(?<![ \t])[ \t]+$/, '')
  return /^[+-]?\d{1,18}$/.test(trimmed) ? BigInt(trimmed) : 0n
}
