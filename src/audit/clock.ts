/** How far the two clocks may be apart, in milliseconds, before the wall clock is believed again. */
const APART_MS = 2

/** RFC 3339 in UTC with microseconds: the wall clock, made finer by the one that counts from the start. */
export function microsecondClock(): () => string {
  let ahead = Date.now() - performance.now()
  return () => {
    const wall = Date.now()
    const running = performance.now()
    if (Math.abs(wall - running - ahead) > APART_MS) ahead = wall - running
    const now = running + ahead
    const whole = Math.floor(now)
    const micros = Math.floor((now - whole) * 1000)
    return `${new Date(whole).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`
  }
}
