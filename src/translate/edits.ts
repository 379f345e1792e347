import type { JsonValue } from './json.ts'

/** Another spelling of a value, by nothing but that value; undefined leaves it as it is. */
export type Spell = (value: JsonValue) => JsonValue | undefined

/** What a step on a body says of itself. The paths are those of shape.ts, with the member's name at their end. */
export interface Touches {
  /** Takes this member out and does nothing else. */
  readonly takesOut?: string
  /** Changes nothing but the value of this member. */
  readonly respells?: string
  /** How; absent where it takes more than the value itself. */
  readonly spell?: Spell
}

/**
 * What is done to a body, by where it is done: compiled from the steps of a plan that take members out or spell their
 * values otherwise, and do nothing else. All that is not named here stays as it came, so that its bytes can be copied.
 */
export interface Edits {
  /** Of an object, by the length of their names: it is known before the name is. */
  readonly members: readonly (readonly NamedEdit[] | undefined)[]
  /** For every value of an object, whatever its name; there are no `members` then. */
  readonly values: Edits | undefined
  /** For every element of an array. */
  readonly elements: Edits | undefined
}

export interface NamedEdit {
  /** In ASCII. */
  readonly name: Uint8Array
  readonly edit: Edit
}

export type Edit =
  | { readonly kind: 'out' }
  | { readonly kind: 'respelled'; readonly spells: readonly Spell[] }
  | { readonly kind: 'inside'; readonly edits: Edits }

/** What these steps come to; undefined where one does anything else. */
export function editsOf(steps: readonly Touches[]): Edits | undefined {
  const root = new Node()
  for (const { takesOut } of steps) if (takesOut !== undefined) root.at(takesOut).out()
  for (const { takesOut, respells, spell } of steps) {
    if (takesOut !== undefined) continue
    if (respells === undefined) return undefined
    const node = root.at(respells)
    if (node.isOut) continue // whatever is made of a value that goes comes to nothing
    if (spell === undefined) return undefined
    node.spells.push(spell)
  }
  const edit = root.compiled()
  return edit?.kind === 'inside' ? edit.edits : undefined
}

const VALUES = '{}'
const ELEMENTS = '[]'

/** A place in a body while edits are gathered. */
class Node {
  readonly spells: Spell[] = []
  readonly #inside = new Map<string, Node>()
  #isOut = false

  get isOut(): boolean {
    return this.#isOut
  }

  out(): void {
    this.#isOut = true
  }

  /** The place at the end of a path, or the one before it that goes with all that is in it. */
  at(path: string): Node {
    let node: Node = this
    for (const name of path.split('.')) {
      if (node.isOut) return node
      const inside = node.#inside.get(name) ?? new Node()
      node.#inside.set(name, inside)
      node = inside
    }
    return node
  }

  compiled(): Edit | undefined {
    const { spells } = this
    if (this.#isOut) return { kind: 'out' }
    if (spells.length > 0) return this.#inside.size > 0 ? undefined : { kind: 'respelled', spells }
    const members: NamedEdit[][] = []
    let values: Edits | undefined
    let elements: Edits | undefined
    for (const [name, inside] of this.#inside) {
      const edit = inside.compiled()
      if (edit === undefined) return undefined
      if (name === VALUES || name === ELEMENTS) {
        if (edit.kind !== 'inside') return undefined
        if (name === VALUES) values = edit.edits
        else elements = edit.edits
      } else {
        const named = members[name.length] ?? []
        named.push({ name: Buffer.from(name), edit })
        members[name.length] = named
      }
    }
    if (values !== undefined && members.length > 0) return undefined
    return { kind: 'inside', edits: { members, values, elements } }
  }
}
