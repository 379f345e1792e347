import { isObject, type JsonObject, type JsonValue, setMember } from './json.ts'

/**
 * A member's name as engines compare it: encoding/json folds by Unicode's simple folding, by which `ſ` (U+017F) is an s and
 * the Kelvin sign a k. JavaScript's lower case has the latter only. Source: encoding/json/fold.go (foldName).
 */
export const foldName = (name: string): string => name.toLowerCase().replaceAll('ſ', 's')

/**
 * What a member has that came twice: encoding/json decodes the second into what the first left behind. Structures and maps
 * are merged, `null` leaves a number, a text or a flag alone, everything else is replaced.
 */
export function mergeAsGo(earlier: JsonValue | undefined, later: JsonValue | undefined): JsonValue | undefined {
  if (later === null || later === undefined) return earlier
  if (!isObject(earlier) || !isObject(later)) return later
  for (const name of Object.keys(later)) putAsGo(earlier, name, later[name])
  return earlier
}

/** Sets a member, or merges it with the one that is there. */
export function putAsGo(object: JsonObject, name: string, value: JsonValue | undefined): void {
  const merged = Object.hasOwn(object, name) ? mergeAsGo(object[name], value) : value
  if (merged !== undefined) setMember(object, name, merged)
}
