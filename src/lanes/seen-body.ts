import type { SeenMember, SeenObject } from '../translate/edits.ts'
import { asJson, type JsonObject, type JsonValue, writeJson } from '../translate/json.ts'
import type { Piece } from './finder/finder.ts'

type Mark = SeenMember | SeenObject

/** A value that steps see, or the end of an object that has such values; where it stands. */
interface Found {
  readonly mark: Mark
  readonly from: number
  readonly to: number
  readonly text: string
  readonly value: JsonValue
}

/** A body of which only those members are there that steps see (translate/seen.ts); what they make of it goes back into the bytes. */
export class SeenBody {
  readonly #found: Found[] = []
  readonly #marks: SeenObject[] = []
  readonly #objects: JsonObject[] = []

  get body(): JsonObject {
    return this.#objects[this.#marks.findIndex(({ parent }) => parent === undefined)] ?? {}
  }

  /** In the order in which they stand. False where a parser has to read it: what is no JSON, or stands there twice. */
  found(mark: Mark, from: number, to: number, text: string): boolean {
    if (this.#has(mark)) return false
    if (mark.kind === 'object') {
      this.#found.push({ mark, from, to, text, value: this.#object(mark) })
      return true
    }
    const value = asJson(text)
    if (value === undefined) return false
    this.#object(mark.parent)[mark.name] = value
    this.#found.push({ mark, from, to, text, value })
    return true
  }

  /** What is written otherwise; undefined where it takes more than other values and further members of the same objects. */
  pieces(): Piece[] | undefined {
    const pieces: Piece[] = []
    for (const { mark, from, to, text, value } of this.#found) {
      const now = mark.parent === undefined ? value : this.#object(mark.parent)[mark.name]
      // To take a value out, what stands around it would have to be known.
      if (now === undefined || (mark.kind === 'object' && now !== value)) return undefined
      if (now === value && (value === null || typeof value !== 'object')) continue
      const instead = mark.kind === 'member' ? writeJson(now) : this.#added(mark)
      if (instead === undefined) return undefined
      if (instead !== text) pieces.push({ from, to, instead })
    }
    return pieces
  }

  /** Undefined where there is more in it than was said to be. */
  #added(object: SeenObject): string | undefined {
    const now = this.#object(object)
    let added = ''
    for (const name in now) {
      const value = now[name]
      const mark = object.members.get(name)
      if (value === undefined || (mark !== undefined && this.#has(mark))) continue
      if (mark?.kind !== 'member') return undefined
      added += `,${writeJson(name)}:${writeJson(value)}`
    }
    return added
  }

  #has(mark: Mark): boolean {
    for (const found of this.#found) if (found.mark === mark) return true
    return false
  }

  #object(mark: SeenObject): JsonObject {
    const known = this.#objects[this.#marks.indexOf(mark)]
    if (known !== undefined) return known
    const object = { ...mark.form }
    this.#marks.push(mark)
    this.#objects.push(object)
    if (mark.parent !== undefined) this.#object(mark.parent)[mark.name] = object
    return object
  }
}
