import { isUnset, type JsonObject } from '../../src/api/json/json.ts'

/** Go's zero time. */
export const ZERO_TIME = '0001-01-01T00:00:00Z'

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
