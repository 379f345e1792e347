import type { JsonObject, JsonValue } from '../../src/api/json/json.ts'

/** As far as a list tells it: how often the last checks failed is known where none is made, or none did. */
export const healthOf = ({ Status: status }: JsonObject): JsonValue | undefined => {
  const told = /\((healthy|unhealthy|health: starting)\)$/.exec(String(status))?.[1]
  if (told !== undefined && told !== 'healthy') return undefined
  return { Status: told ?? 'none', FailingStreak: 0 }
}
