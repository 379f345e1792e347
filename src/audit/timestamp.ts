const { performance } = globalThis // the global performance is a getter

/** Difference in milliseconds from which the wall clock counts as adjusted. */
const ADJUSTED = 2

let offset = performance.timeOrigin
/** Memoized: many records share a second. */
let second = { at: Number.NaN, text: '' }

/** RFC 3339 with microseconds: the wall clock, refined by the monotonic clock. */
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
