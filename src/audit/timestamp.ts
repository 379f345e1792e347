/** How far the two clocks may be apart before the wall's is taken for adjusted, in milliseconds. */
const ADJUSTED = 2

let offset = performance.timeOrigin

/** The time as RFC 3339 with microseconds: the wall clock, with the monotonic clock's digits behind its milliseconds. */
export function timestamp(): string {
  let now = offset + performance.now()
  const wall = Date.now()
  if (Math.abs(wall - now) > ADJUSTED) {
    offset += wall - now
    now = wall
  }
  const whole = Math.floor(now)
  const micros = Math.floor((now - whole) * 1000)
  return `${new Date(whole).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`
}
