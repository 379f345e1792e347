import { isObject, type JsonObject, type JsonValue, setMember } from './json.ts'

/**
 * A member's name as engines compare it: encoding/json folds by Unicode's simple folding, by which `ſ` (U+017F) is an s and
 * the Kelvin sign a k. JavaScript's lower case has the latter only. Source: encoding/json/fold.go (foldName).
 */
export const foldName = (name: string): string => name.toLowerCase().replaceAll('ſ', 's')

/** The names of a struct's fields. Most names asked about are spelled right, or none of them by their length alone. */
export class Names {
  readonly #exact: ReadonlySet<string>
  readonly #folded: ReadonlyMap<string, string>
  readonly #lengths: ReadonlySet<number>

  constructor(names: Iterable<string>) {
    this.#exact = new Set(names)
    this.#folded = new Map([...this.#exact].map((name) => [foldName(name), name]))
    this.#lengths = new Set([...this.#exact].map(({ length }) => length))
  }

  /** The field that a member of this name fills; undefined: none. */
  field(name: string): string | undefined {
    if (this.#exact.has(name)) return name
    // Whatever folds to an ASCII letter is one UTF-16 unit, as the letter is.
    return this.#lengths.has(name.length) ? this.#folded.get(foldName(name)) : undefined
  }
}

/** The member that fills a field; of several spellings the last one. */
export function memberNamed(object: JsonObject, field: string): string | undefined {
  const folded = foldName(field)
  return Object.keys(object).findLast(
    (name) => name === field || (name.length === field.length && foldName(name) === folded),
  )
}

/** Gives an object's members the spelling of its fields, several spellings of one merged; true when one had another. */
export function respell(object: JsonObject, fields: Names): boolean {
  const respelled = new Set<string>()
  const found: (readonly [name: string, field: string])[] = []
  for (const name of Object.keys(object)) {
    const field = fields.field(name)
    if (field === undefined) continue
    found.push([name, field])
    if (field !== name) respelled.add(field)
  }
  if (respelled.size === 0) return false
  // In the order of the text, which decides what a member that comes twice has.
  const entries = found
    .filter(([, field]) => respelled.has(field))
    .map(([name, field]) => ({ field, value: object[name], name }))
  for (const { name } of entries) delete object[name]
  for (const { field, value } of entries) putAsGo(object, field, value)
  return true
}

/**
 * What a member has that came twice: encoding/json decodes the second into what the first left behind. Structures and maps
 * are merged, `null` leaves a number, a text or a flag alone, everything else is replaced. Source: encoding/json/decode.go
 * (object, literalStore); a structure is taken for one behind a pointer, which `null` unsets.
 */
export function mergeAsGo(earlier: JsonValue | undefined, later: JsonValue | undefined): JsonValue | undefined {
  if (later === undefined) return earlier
  if (later === null) return Array.isArray(earlier) || isObject(earlier) ? null : earlier
  if (!isObject(earlier) || !isObject(later)) return later
  for (const name of Object.keys(later)) putAsGo(earlier, name, later[name])
  return earlier
}

/** Sets a member, or merges it with the one that is there; it stands last then, behind other spellings that came before. */
export function putAsGo(object: JsonObject, name: string, value: JsonValue | undefined): void {
  if (!Object.hasOwn(object, name)) {
    if (value !== undefined) setMember(object, name, value)
    return
  }
  const merged = mergeAsGo(object[name], value)
  delete object[name]
  if (merged !== undefined) setMember(object, name, merged)
}
