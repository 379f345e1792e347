import { isObject, type JsonObject, type JsonValue } from '../../api/json/json.ts'
import { foldName } from '../../api/json/names.ts'
import type { BodyRule } from '../file/rules.ts'

/** A violated rule on bodies, with the reason; `ambiguous`: two parsers could read the body differently. */
export class Violation extends Error {
  override readonly name = 'Violation'
  readonly rule: string

  constructor(rule: BodyRule | 'ambiguous' | 'unreadable', reason: string) {
    super(reason)
    this.rule = `bodies.${rule}`
  }
}

/**
 * The members of an object by the Go fields they set: `privileged` and `Privileged` are the same. If both are present,
 * the winner depends on order and Go version, so reading it is a violation.
 */
export class Members {
  readonly #object: JsonObject
  #byField: Map<string, JsonValue | Violation> | undefined

  constructor(object: JsonObject) {
    this.#object = object
  }

  /** All members as they are spelled: the keys of a map differ by case. */
  get entries(): readonly (readonly [string, JsonValue])[] {
    return Object.keys(this.#object).map((name) => [name, this.#object[name] ?? null] as const)
  }

  /** A struct's member; undefined if absent or null. */
  get(name: string): JsonValue | undefined {
    this.#byField ??= folded(this.#object)
    const found = this.#byField.get(foldName(name))
    if (found instanceof Violation) throw found
    return found ?? undefined
  }
}

/** Folds each name once. */
function folded(object: JsonObject): Map<string, JsonValue | Violation> {
  const byField = new Map<string, JsonValue | Violation>()
  for (const name of Object.keys(object)) {
    const field = foldName(name)
    const twice = byField.has(field) && new Violation('ambiguous', `the member ${name} is given in two spellings`)
    byField.set(field, twice || (object[name] ?? null))
  }
  return byField
}

export const membersOf = (value: JsonValue): Members | undefined => (isObject(value) ? new Members(value) : undefined)
