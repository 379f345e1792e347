const LEAST = -(2n ** 63n)
const MOST = 2n ** 63n - 1n
const MOST_DIGITS = 20

/** The engine's error for an invalid `seconds.nanoseconds`; undefined if it is valid (daemon/internal/timestamp:parseTimestamp @docker-v29.4.0). */
export function whyNoMoment(value: string): string | undefined {
  const point = value.indexOf('.')
  const seconds = point < 0 ? value : value.slice(0, point)
  const nanoseconds = point < 0 ? '' : value.slice(point + 1)
  if (!/^[+-]?\d+$/.test(seconds)) return `invalid seconds "${seconds}": invalid syntax`
  const whole = BigInt(seconds.replace('+', ''))
  if (whole < LEAST || whole > MOST) return `invalid seconds "${seconds}": value out of range`
  if (nanoseconds.length > MOST_DIGITS)
    return `invalid nanoseconds: length ${nanoseconds.length} exceeds maximum ${MOST_DIGITS}`
  const at = nanoseconds.search(/\D/)
  return at < 0 ? undefined : `invalid nanoseconds: invalid character '${nanoseconds[at]}' at position ${at}`
}
