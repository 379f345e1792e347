import { z } from 'zod'

const BYTES = {
  ...{ '': 1, B: 1 },
  ...{ K: 1e3, KB: 1e3, KIB: 2 ** 10 },
  ...{ M: 1e6, MB: 1e6, MIB: 2 ** 20 },
  ...{ G: 1e9, GB: 1e9, GIB: 2 ** 30 },
}
const MILLISECONDS = { MS: 1, '': 1e3, S: 1e3, M: 60e3, H: 3600e3, D: 86_400e3, W: 7 * 86_400e3 }

function inUnits(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? []
  const factor = units[unit.toUpperCase()]
  return number === undefined || factor === undefined ? undefined : Math.round(Number(number) * factor)
}

const quantity = (units: Readonly<Record<string, number>>, example: string, least: number) =>
  z.string().transform((text, context): number => {
    const value = inUnits(text, units)
    if (value !== undefined && value >= least && Number.isSafeInteger(value)) return value
    context.addIssue({ code: 'custom', message: `"${text}" is not understood; write it as ${example}` })
    return z.NEVER
  })

/** A number of bytes: `100MB`, `64KiB`, `5000`. */
export const byteSize = quantity(BYTES, '100MB', 1)
/** Also accepts 0: none. */
export const byteSizeOrNone = quantity(BYTES, '100MB', 0)
/** A number of milliseconds: `90s`, `24h`, `7d`, `30` (seconds). */
export const duration = quantity(MILLISECONDS, '24h', 1)
/** Node's timers end after 2^31 - 1 ms: a longer one ends at once. */
const ofTimer = { error: 'at most 24d' }
const fitsTimer = (ms: number): boolean => ms <= 24 * MILLISECONDS.D
export const someTimeout = duration.refine(fitsTimer, ofTimer)
/** Also accepts 0: no limit. */
export const timeout = quantity(MILLISECONDS, '30s', 0).refine(fitsTimer, ofTimer)

interface Bounds {
  readonly least: number
  readonly most?: number
}

/** zod's own words are for programmers: "Invalid input: expected number, received NaN". */
function within({ least, most }: Bounds, words: string, fits: (value: number) => boolean) {
  const error = `must be ${words} ${most === undefined ? `of ${least} or more` : `from ${least} to ${most}`}`
  const inBounds = (value: number): boolean => value >= least && value <= (most ?? Infinity) && fits(value)
  // An empty value is no 0: `audit-keep:` in a file would delete every rotated log.
  return z.string({ error }).regex(/\S/, { error }).transform(Number).refine(inBounds, { error })
}

export const amount = (bounds: Bounds) => within(bounds, 'a number', Number.isFinite)
export const wholeAmount = (bounds: Bounds) => within(bounds, 'a whole number', Number.isSafeInteger)
