const { performance } = globalThis // the global of that name is looked up by a getter each time

/** How far the two clocks may be apart before the wall's is taken for adjusted, in milliseconds. */
const ADJUSTED = 2

let offset = performance.timeOrigin
/** The second that was written last, and its text: two records a call, and one second for many of them. */
let second = { at: Number.NaN, text: '' }

/** The time as RFC 3339 with microseconds: the wall clock, with the monotonic clock's digits behind its milliseconds. */
export function timestamp(): string {
  let now = offset + performance.now()
  const wall = Date.now()
  if (Math.abs(wall - now) > ADJUSTED) {
    offset += wall - now
    now = wall
  }
  const at = Math.floor(now / 1000)
  if (at !== second.at) second = { at, text: new Date(at * 1000).toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss.'.length) }
  const micros = Math.floor((now - at * 1000) * 1000)
  return `${second.text}${String(micros).padStart(6, '0')}Z`
}
