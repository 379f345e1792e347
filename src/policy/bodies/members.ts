import { isObject, type JsonObject, type JsonValue } from '../../api/json/json.ts'
import { foldName } from '../../api/json/names.ts'

/** A body that two readers could understand differently. */
export class Ambiguous extends Error {
  override readonly name = 'Ambiguous'
}

/**
 * The members of an object by the fields that they fill: `privileged` and `Privileged` are one. Where both are there, which
 * one counts is the order's and the Go version's to say: whoever asks for it gets an Ambiguous error instead of a guess.
 */
export class Members {
  readonly #object: JsonObject
  #byField: Map<string, JsonValue | Ambiguous> | undefined

  constructor(object: JsonObject) {
    this.#object = object
  }

  get entries(): readonly (readonly [string, JsonValue])[] {
    return Object.keys(this.#object).map((name) => [name, this.#object[name] ?? null] as const)
  }

  /** The member of a struct, undefined when absent or null. */
  get(name: string): JsonValue | undefined {
    this.#byField ??= folded(this.#object)
    const found = this.#byField.get(foldName(name))
    if (found instanceof Ambiguous) throw found
    return found ?? undefined
  }

  /** The members of a map, whose keys are told apart by case. */
  map(): ReadonlyMap<string, JsonValue> {
    return new Map(this.entries)
  }
}

/** Each name is folded once. */
function folded(object: JsonObject): Map<string, JsonValue | Ambiguous> {
  const byField = new Map<string, JsonValue | Ambiguous>()
  for (const name of Object.keys(object)) {
    const field = foldName(name)
    const twice = byField.has(field)
    byField.set(field, twice ? new Ambiguous(`the member ${name} is there in two spellings`) : (object[name] ?? null))
  }
  return byField
}

export const membersOf = (value: JsonValue): Members | undefined => (isObject(value) ? new Members(value) : undefined)
