import type { JsonObject, JsonValue } from '../../src/api/json/json.ts'

/** Health by the Status in a list; undefined where the list does not tell how often the last checks failed. */
export const healthOf = ({ Status: status }: JsonObject): JsonValue | undefined => {
  const told = /\((healthy|unhealthy|health: starting)\)$/.exec(String(status))?.[1]
  if (told !== undefined && told !== 'healthy') return undefined
  return { Status: told ?? 'none', FailingStreak: 0 }
}
