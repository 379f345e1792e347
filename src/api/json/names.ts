import { ProxyError } from '../errors.ts'
import { isObject, type JsonObject, type JsonValue, setMember } from './json.ts'
import { MAX_VALUES } from './reader.ts'

/**
 * Folds a member's name as encoding/json does, by Unicode's simple folding: `ſ` (U+017F) equals s and the Kelvin sign
 * equals k. JavaScript's toLowerCase maps only the latter. Source: encoding/json/fold.go (foldName).
 */
export const foldName = (name: string): string => name.toLowerCase().replaceAll('ſ', 's')

/** The names of a struct's fields. Fast paths: most names are spelled exactly, or differ in length from all fields. */
export class Names {
  readonly #exact: ReadonlySet<string>
  readonly #folded: ReadonlyMap<string, string>
  readonly #lengths: ReadonlySet<number>

  constructor(names: Iterable<string>) {
    this.#exact = new Set(names)
    this.#folded = new Map([...this.#exact].map((name) => [foldName(name), name]))
    this.#lengths = new Set([...this.#exact].map(({ length }) => length))
  }

  /** The field that a member with this name sets, or undefined. */
  field(name: string): string | undefined {
    if (this.#exact.has(name)) return name
    // Every character that folds to an ASCII letter is one UTF-16 unit, so lengths are comparable.
    return this.#lengths.has(name.length) ? this.#folded.get(foldName(name)) : undefined
  }
}

/** The member that sets a field; the last one if several spellings occur. */
export function memberNamed(object: JsonObject, field: string): string | undefined {
  const folded = foldName(field)
  return Object.keys(object).findLast(
    (name) => name === field || (name.length === field.length && foldName(name) === folded),
  )
}

/** The value of a field, however its member is spelled. */
export function fieldOf(value: JsonValue | undefined, field: string): JsonValue | undefined {
  const name = isObject(value) ? memberNamed(value, field) : undefined
  return isObject(value) && name !== undefined ? value[name] : undefined
}

/** Renames an object's members to the spelling of its fields and merges duplicates; true if anything changed. */
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
  // In text order, which decides the value of a duplicated member.
  const entries = found
    .filter(([, field]) => respelled.has(field))
    .map(([name, field]) => ({ field, value: object[name], name }))
  for (const { name } of entries) delete object[name]
  const repeated = new RepeatedMembers()
  for (const { field, value } of entries) putAsGo(object, field, value, repeated)
  repeated.settleAll()
  return true
}

/**
 * Members that came again, by object. V8 looks up a name more slowly each time it was removed, so they are moved once, when
 * all is read.
 */
export class RepeatedMembers {
  /** The place of each name that came again, or after such a one. */
  readonly #orders = new Map<JsonObject, Map<string, number>>()
  #place = 0
  /** Members that were merged: those of nested objects again at each level. */
  #merged = 0

  get any(): boolean {
    return this.#orders.size > 0
  }

  add(object: JsonObject, name: string): void {
    if (!this.#orders.has(object)) this.#orders.set(object, new Map())
    this.follow(object, name)
  }

  /** Throws a ProxyError at a text that could hold up all other calls. */
  merging(members: number): void {
    this.#merged += members
    if (this.#merged > MAX_VALUES) throw new ProxyError('bad-request', 'the JSON repeats objects too often')
  }

  /** A new member stands after those that came again before it. */
  follow(object: JsonObject, name: string): void {
    this.#orders.get(object)?.set(name, ++this.#place)
  }

  /** Moves the members to the places where they came last: after other spellings. */
  settle(object: JsonObject): void {
    const order = this.#orders.get(object)
    if (order === undefined) return
    this.#orders.delete(object)
    for (const [name] of [...order].sort(([, a], [, b]) => a - b)) {
      const value = object[name]
      delete object[name]
      if (value !== undefined) setMember(object, name, value)
    }
  }

  settleAll(): void {
    for (const object of this.#orders.keys()) this.settle(object)
  }
}

/**
 * The value of a duplicated member: encoding/json decodes the second one into the result of the first. Structs and maps
 * are merged, `null` leaves numbers, strings and booleans unchanged, everything else is replaced. Structs are treated
 * as pointers, which `null` resets. Source: encoding/json/decode.go (object, literalStore).
 */
function mergeAsGo(
  earlier: JsonValue | undefined,
  later: JsonValue | undefined,
  repeated: RepeatedMembers | undefined,
): JsonValue | undefined {
  if (later === undefined) return earlier
  if (later === null) return Array.isArray(earlier) || isObject(earlier) ? null : earlier
  if (!isObject(earlier) || !isObject(later)) return later
  repeated?.settle(later)
  const names = Object.keys(later)
  repeated?.merging(names.length)
  for (const name of names) putAsGo(earlier, name, later[name], repeated)
  return earlier
}

/** Sets a member, or merges it with the existing one. */
export function putAsGo(
  object: JsonObject,
  name: string,
  value: JsonValue | undefined,
  repeated?: RepeatedMembers,
): void {
  const isNew = !Object.hasOwn(object, name)
  const merged = isNew ? value : mergeAsGo(object[name], value, repeated)
  if (merged !== undefined) setMember(object, name, merged)
  if (isNew) repeated?.follow(object, name)
  else repeated?.add(object, name)
}
