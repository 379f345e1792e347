import { isUnset, type JsonObject, type JsonValue, memberAt } from '../../src/api/json/json.ts'
import type { Pairs } from '../../src/translate/ops/members/values.ts'

/** Go's zero time. */
export const ZERO_TIME = '0001-01-01T00:00:00Z'

export const NEVER_STARTED = { Running: false, StartedAt: ZERO_TIME }

export const wasNeverStarted = (state: JsonObject): boolean =>
  state['Running'] !== true && (isUnset(state['StartedAt']) || state['StartedAt'] === ZERO_TIME)

/** Checks in the order of the engine (daemon/state.go StateString @v1.9.1). */
export function stateStatus(state: JsonObject): string {
  if (state['Running'] === true && state['Paused'] === true) return 'paused'
  if (state['Running'] === true && state['Restarting'] === true) return 'restarting'
  if (state['Running'] === true) return 'running'
  if (state['Restarting'] === true) return 'restarting'
  if (state['Dead'] === true) return 'dead'
  return wasNeverStarted(state) ? 'created' : 'exited'
}

/** Whether inspect shows a container that does not run. */
export const isStopped = (container: JsonValue | undefined): boolean =>
  memberAt(container, 'State', 'Running') === false

/** Samples of a value that another takes the place of while the container does not run. */
export const ofStopped = (value: JsonValue, instead: JsonValue): Pairs => [
  [value, instead, { beside: { State: { Running: false } } }],
  [value, value, { beside: { State: { Running: true } } }],
]
