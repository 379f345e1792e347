import type { Edit, Edits, Spell } from '../translate/edits.ts'
import { asJson, writeJson } from '../translate/json.ts'
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  plainTextEnd,
  QUOTE,
  SPACE,
  skipSpace,
  textEnd,
  valueEnd,
} from './elements.ts'
import { Finder, type Piece, type Window } from './finder/finder.ts'

const COLON = 0x3a
const NEWLINE = 0x0a
const NOWHERE = -1

/**
 * Edits a JSON object in its bytes, without making values of all of it: finding and copying takes half of what parsing
 * alone does. What nothing is done to is passed by its brackets and quotes: whether it is JSON is for the client to say,
 * as where nothing is translated, and it stays as it is spelled.
 */
export class ByteEditor {
  readonly #bytes: Buffer
  readonly #edits: Edits
  readonly #finder: Finder | null
  readonly #window: Window = { from: 0, to: 0 }
  /** Ascending. */
  #pieces: Piece[] = []
  #growth = 0

  /** `finder`: null does without. */
  constructor(bytes: Buffer, edits: Edits, finder: Finder | null = Finder.shared ?? null) {
    this.#bytes = bytes
    this.#edits = edits
    this.#finder = finder
  }

  /** Looks at the object that begins here: where it ends, or -1 when it is none, or one that only a parser reads. */
  object(at: number): number {
    if (this.#bytes[at] !== OPEN_BRACE) return NOWHERE
    this.#pieces = []
    this.#growth = 0
    const found = this.#finder?.object(this.#bytes, this.#window, at, this.#edits)
    if (found === undefined) return this.#object(at, this.#edits)
    for (const piece of found.pieces)
      if (piece.spells === undefined) this.#pieces.push(piece)
      else if (this.#respell(piece.from, piece.to, piece.spells) === NOWHERE) return NOWHERE
    return found.end
  }

  /** How much what was looked at last may take when it is written, more than it took. */
  get growth(): number {
    return this.#growth
  }

  /** Writes what is made of what was looked at last, from `start` to `end`; returns where it ends in `target`. */
  write(start: number, end: number, target: Buffer, to: number): number {
    let [from, at] = [start, to]
    for (const piece of this.#pieces) {
      at += this.#bytes.copy(target, at, from, piece.from)
      if (piece.instead !== '') at += target.write(piece.instead, at)
      from = piece.to
    }
    return at + this.#bytes.copy(target, at, from, end)
  }

  #value(at: number, edits: Edits): number {
    const first = this.#bytes[at]
    if (first === OPEN_BRACE) return this.#object(at, edits)
    return first === OPEN_BRACKET && edits.elements !== undefined
      ? this.#array(at, edits.elements)
      : valueEnd(this.#bytes, at)
  }

  #object(open: number, edits: Edits): number {
    const bytes = this.#bytes
    let at = passSpace(bytes, open + 1)
    if (bytes[at] === CLOSE_BRACE) return at + 1
    let kept = open + 1 // where what stays ends
    let isFirst = true
    for (;;) {
      if (bytes[at] !== QUOTE) return NOWHERE
      const nameEnd = edits.values === undefined ? plainTextEnd(bytes, at) : textEnd(bytes, at)
      if (nameEnd === NOWHERE) return NOWHERE // or in a spelling that only a parser reads
      const colon = passSpace(bytes, nameEnd)
      if (bytes[colon] !== COLON) return NOWHERE
      const edit = edits.values === undefined ? editOf(edits, bytes, at + 1, nameEnd - 1) : undefined
      const end = this.#member(passSpace(bytes, colon + 1), edit, edits.values)
      if (end === NOWHERE) return NOWHERE
      at = passSpace(bytes, end)
      const isLast = bytes[at] === CLOSE_BRACE
      if (!isLast && bytes[at] !== COMMA) return NOWHERE
      const next = isLast ? at : passSpace(bytes, at + 1)
      // One comma goes with it: that before it, or where nothing stays before it, that after it.
      const isOut = edit?.kind === 'out'
      const until = isOut && isFirst ? next : end
      if (isOut) this.#pieces.push({ from: kept, to: until, instead: '' })
      else isFirst = false
      if (isLast) return at + 1
      kept = until
      at = next
    }
  }

  /** The end of a member's value, when it has been done what is to be done to it. */
  #member(at: number, edit: Edit | undefined, values: Edits | undefined): number {
    if (values !== undefined) return this.#value(at, values)
    if (edit?.kind === 'inside') return this.#value(at, edit.edits)
    const end = valueEnd(this.#bytes, at)
    return edit?.kind === 'respelled' && end !== NOWHERE ? this.#respell(at, end, edit.spells) : end
  }

  #array(open: number, edits: Edits): number {
    const bytes = this.#bytes
    let at = passSpace(bytes, open + 1)
    if (bytes[at] === CLOSE_BRACKET) return at + 1
    for (;;) {
      const end = this.#value(at, edits)
      if (end === NOWHERE) return NOWHERE
      at = passSpace(bytes, end)
      if (bytes[at] === CLOSE_BRACKET) return at + 1
      if (bytes[at] !== COMMA) return NOWHERE
      at = passSpace(bytes, at + 1)
    }
  }

  #respell(at: number, end: number, spells: readonly Spell[]): number {
    const text = this.#bytes.toString('utf8', at, end)
    const said = asJson(text)
    if (said === undefined) return NOWHERE
    let value = said
    for (const spell of spells) value = spell(value) ?? value
    if (value === said && typeof said !== 'object') return end
    const instead = writeJson(value) // an object may have been changed in place
    if (instead === text) return end
    this.#pieces.push({ from: at, to: end, instead })
    this.#growth += Buffer.byteLength(instead)
    return end
  }
}

/** Edits a body that is one object; undefined where it is none, or one that only a parser reads. */
export function editObject(body: Buffer, edits: Edits): Buffer | undefined {
  const editor = new ByteEditor(body, edits)
  const start = skipSpace(body, 0)
  const end = editor.object(start)
  if (end === NOWHERE || skipSpace(body, end) !== body.length) return undefined
  const written = Buffer.allocUnsafe(end - start + editor.growth + 1)
  const length = editor.write(start, end, written, 0)
  written[length] = NEWLINE
  return written.subarray(0, length + 1)
}

const passSpace = (bytes: Buffer, at: number): number => ((bytes[at] ?? 0) > SPACE ? at : skipSpace(bytes, at))

/** What is done to the member of this name. */
function editOf({ members }: Edits, bytes: Buffer, from: number, to: number): Edit | undefined {
  const named = members[to - from]
  if (named === undefined) return undefined
  for (const { name, edit } of named) {
    let i = 0
    while (i < name.length && bytes[from + i] === name[i]) i++
    if (i === name.length) return edit
  }
  return undefined
}
