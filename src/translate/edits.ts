import type { JsonObject, JsonValue } from './json.ts'

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
  /** All of the body that it looks at and sets. The paths go through objects only, not into arrays and maps. */
  readonly sees?: readonly string[]
}

/** A member that steps see: seen.ts. */
export interface SeenMember {
  readonly kind: 'member'
  readonly name: string
  readonly parent: SeenObject
}

/** An object with such members, or with objects that have: what steps add goes to its end. */
export interface SeenObject {
  readonly kind: 'object'
  readonly name: string
  /** Undefined for the body itself. */
  readonly parent: SeenObject | undefined
  readonly members: ReadonlyMap<string, SeenMember | SeenObject>
  /** Every name that is seen in it, with no value: objects of one form are quicker than those that get their members one by one. */
  readonly form: Readonly<JsonObject>
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
  readonly seen: SeenObject | undefined
}

export interface NamedEdit {
  /** In ASCII. */
  readonly name: Uint8Array
  readonly edit: Edit
}

export type Edit =
  | { readonly kind: 'out' }
  | { readonly kind: 'respelled'; readonly spells: readonly Spell[] }
  | { readonly kind: 'seen'; readonly member: SeenMember }
  | { readonly kind: 'inside'; readonly edits: Edits }

/** What these steps come to; undefined where one does anything else. */
export function editsOf(steps: readonly Touches[]): Edits | undefined {
  const tree = new EditTree()
  return tree.add(steps) ? tree.edits() : undefined
}

const VALUES = '{}'
const ELEMENTS = '[]'

type GrowingObject = SeenObject & { readonly members: Map<string, SeenMember | SeenObject>; readonly form: JsonObject }

function named(object: GrowingObject, mark: SeenMember | SeenObject): void {
  object.members.set(mark.name, mark)
  object.form[mark.name] = undefined
}

/** A place in a body while edits are gathered. */
export class EditTree {
  readonly #spells: Spell[] = []
  readonly #inside = new Map<string, EditTree>()
  #isOut = false
  #seen: SeenMember | GrowingObject | undefined

  /** False where one of the steps does anything else. */
  add(steps: readonly Touches[]): boolean {
    for (const { takesOut } of steps) if (takesOut !== undefined) this.#at(takesOut).#isOut = true
    for (const { takesOut, respells, spell } of steps) {
      if (takesOut !== undefined) continue
      if (respells === undefined) return false
      const node = this.#at(respells)
      if (node.#isOut) continue // whatever is made of a value that goes comes to nothing
      if (spell === undefined) return false
      node.#spells.push(spell)
    }
    return true
  }

  /** No edits may be in it, or be done to what it is in as a whole. */
  see(path: string): void {
    const names = path.split('.')
    const last = names.pop() ?? path
    let node: EditTree = this
    let object = this.#asObject('', undefined)
    for (const name of names) {
      node = node.#child(name)
      const inside = node.#asObject(name, object)
      named(object, inside)
      object = inside
    }
    const member: SeenMember = { kind: 'member', name: last, parent: object }
    named(object, member)
    node.#child(last).#seen = member
  }

  /** Undefined where two edits are in each other's way. */
  edits(): Edits | undefined {
    const edit = this.#compiled()
    return edit?.kind === 'inside' ? edit.edits : undefined
  }

  #asObject(name: string, parent: SeenObject | undefined): GrowingObject {
    if (this.#seen?.kind !== 'object') this.#seen = { kind: 'object', name, parent, members: new Map(), form: {} }
    return this.#seen
  }

  #child(name: string): EditTree {
    const child = this.#inside.get(name) ?? new EditTree()
    this.#inside.set(name, child)
    return child
  }

  /** The place at the end of a path, or the one before it that goes with all that is in it. */
  #at(path: string): EditTree {
    let node: EditTree = this
    for (const name of path.split('.')) {
      if (node.#isOut) return node
      node = node.#child(name)
    }
    return node
  }

  #compiled(): Edit | undefined {
    if (this.#isOut) return { kind: 'out' }
    if (this.#seen?.kind === 'member') return { kind: 'seen', member: this.#seen }
    if (this.#spells.length > 0) return this.#inside.size > 0 ? undefined : { kind: 'respelled', spells: this.#spells }
    const members: NamedEdit[][] = []
    let values: Edits | undefined
    let elements: Edits | undefined
    for (const [name, inside] of this.#inside) {
      const edit = inside.#compiled()
      if (edit === undefined) return undefined
      if (name === VALUES || name === ELEMENTS) {
        if (edit.kind !== 'inside') return undefined
        if (name === VALUES) values = edit.edits
        else elements = edit.edits
      } else {
        const sameLength = members[name.length] ?? []
        sameLength.push({ name: Buffer.from(name), edit })
        members[name.length] = sameLength
      }
    }
    if (values !== undefined && members.length > 0) return undefined
    return { kind: 'inside', edits: { members, values, elements, seen: this.#seen } }
  }
}
