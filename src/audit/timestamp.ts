const { performance } = globalThis // the global performance is a getter

/** Difference in milliseconds from which the wall clock counts as adjusted. */
const ADJUSTED = 2

let offset = performance.timeOrigin
let second = Number.NaN
/** The text of that second, up to the point; making it takes as long as the rest of a record. */
let text = ''

/** RFC 3339 with microseconds: the wall clock, refined by the monotonic clock. */
export function timestamp(): string {
  let now = offset + performance.now()
  const wall = Date.now()
  if (Math.abs(wall - now) > ADJUSTED) {
    offset += wall - now
    now = wall
  }
  if (Math.floor(now / 1000) !== second) {
    second = Math.floor(now / 1000)
    text = new Date(now).toISOString().slice(0, -4)
  }
  return `${text}${String(Math.floor((now % 1000) * 1000)).padStart(6, '0')}Z`
}
