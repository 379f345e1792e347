import type { JsonObject, JsonValue } from '../../src/api/json/json.ts'

/** Derives Health from the Status in a list; undefined if the number of failed checks is unknown. */
export const healthOf = ({ Status: status }: JsonObject): JsonValue | undefined => {
  const health = /\((healthy|unhealthy|health: starting)\)$/.exec(String(status))?.[1]
  if (health !== undefined && health !== 'healthy') return undefined
  return { Status: health ?? 'none', FailingStreak: 0 }
}
