import type { JsonValue } from '../../src/api/json/json.ts'

const STATES: readonly (readonly [RegExp, string])[] = [
  [/^(Created)?$/, 'created'],
  [/^Up .*\(Paused\)/, 'paused'],
  [/^Restarting \(/, 'restarting'],
  [/^Up /, 'running'],
  [/^Exited \(/, 'exited'],
  // `removing` from 1.25 on; until then such a container counts as dead (container/state.go @v1.11.2)
  [/^(Dead|Removal In Progress)/, 'dead'],
]

/** The state that `Status` in the list of containers describes (container/state.go:String). */
export const stateFromStatus = (status: JsonValue | undefined): string | undefined =>
  typeof status === 'string' ? STATES.find(([pattern]) => pattern.test(status))?.[1] : undefined
