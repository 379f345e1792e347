const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}
const DURATION = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/
const PART = /(?<![\d.])(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g
const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}(?::\d{2}(?::\d{2}(?:\.\d+)?)?)?)?(Z|[+-]\d{2}:\d{2})?$/

function duration(value: string): number {
  const sum = [...value.matchAll(PART)].reduce(
    (total, [, count, unit = '']) => total + Number(count) * (UNITS[unit] ?? 0),
    0,
  )
  return value.startsWith('-') ? -sum : sum
}

function date(value: string): number | undefined {
  const zone = DATE.exec(value)?.[1] ?? 'Z'
  const [day = '', time = ''] = value.replace(/(?:Z|(?<=T.*)[+-]\d{2}:\d{2})$/, '').split('T')
  const [hours = '00', minutes = '00', seconds = '00'] = time === '' ? [] : time.split(':')
  const found = Date.parse(`${day}T${hours}:${minutes}:${seconds}${zone}`)
  return Number.isNaN(found) ? undefined : found
}

/**
 * Reads a time as engines do, in milliseconds since 1970: seconds, a duration before now, or a date, in UTC unless it has a
 * zone (api/types/time/timestamp.go:GetTimestamp @v25.0.6). Undefined for anything else.
 */
export function moment(value: string, now: number): number | undefined {
  if (/^\d+(?:\.\d{1,9})?$/.test(value)) return Number(value) * 1000
  if (DURATION.test(value)) return now - duration(value)
  return DATE.test(value) ? date(value) : undefined
}
