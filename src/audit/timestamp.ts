const { performance } = globalThis // the global performance is a getter

/** Difference in milliseconds from which the wall clock counts as adjusted. */
const ADJUSTED = 2

let offset = performance.timeOrigin
/** RFC 3339 with microseconds: the wall clock, refined by the monotonic clock. */
export function timestamp(): string {
  let now = offset + performance.now()
  const wall = Date.now()
  if (Math.abs(wall - now) > ADJUSTED) {
    offset += wall - now
    now = wall
  }
  const micros = Math.floor((now % 1) * 1000)
  return `${new Date(now).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`
}
