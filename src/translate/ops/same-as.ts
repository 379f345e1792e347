import { type JsonObject, type JsonValue, memberAt } from '../../api/json/json.ts'
import { bodyWith } from '../example.ts'
import type { Case } from './sample.ts'

/** The value of another member; made by `sameAs`. */
export class SameAs {
  readonly #path: string
  readonly #inBody: boolean
  readonly #otherwise: JsonValue | undefined

  constructor(path: string, otherwise: JsonValue | undefined) {
    this.#inBody = path.startsWith('/')
    this.#path = this.#inBody ? path.slice(1) : path
    this.#otherwise = otherwise
  }

  in(object: JsonObject, body: JsonValue | undefined): JsonValue | undefined {
    return memberAt(this.#inBody ? body : object, ...this.#path.split('.')) ?? this.#otherwise
  }

  /** The member where the other has the value of the sample, and where there is no other. */
  cases(member: string, sample: JsonValue | undefined): Case[] {
    const missing: Case[] = this.#otherwise === undefined ? [] : [[{}, { [member]: this.#otherwise }]]
    if (sample === undefined) return missing
    const other = bodyWith(this.#path, sample) as JsonObject
    return [[{}, { [member]: sample }, this.#inBody ? { beside: other } : { with: other }], ...missing]
  }
}

/**
 * The value at a path below the object, `Container.ID`, or below the body that it stands in, `/HostConfig.Memory`; where
 * there is none, or null, `otherwise`.
 */
export const sameAs = (path: string, otherwise?: JsonValue): SameAs => new SameAs(path, otherwise)
