import type { Edit, Edits, SeenObject, Spell } from '../translate/edits.ts'
import { asJson, type JsonObject, writeJson } from '../translate/json.ts'
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
import { Finder, type Mark, type Piece, type Window } from './finder/finder.ts'
import { SeenBody } from './seen-body.ts'

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
  #seen: SeenBody | undefined
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
    this.#seen = undefined
    this.#growth = 0
    const found = this.#finder?.object(this.#bytes, this.#window, at, this.#edits)
    if (found === undefined) return this.#object(at, this.#edits)
    for (const piece of found.pieces)
      if (piece.mark === undefined) this.#pieces.push(piece)
      else if (this.#marked(piece.from, piece.to, piece.mark) === NOWHERE) return NOWHERE
    return found.end
  }

  /** What steps see of what was looked at last: lets them change it. False where that cannot be written in its bytes. */
  show(run: (body: JsonObject) => void): boolean {
    const seen = this.#seen ?? new SeenBody()
    run(seen.body)
    const pieces = seen.pieces()
    if (pieces === undefined) return false
    for (const piece of pieces) this.#growth += Buffer.byteLength(piece.instead)
    if (pieces.length > 0) this.#pieces = merged(this.#pieces, pieces)
    return true
  }

  /** How much what was looked at last may take when it is written, more than it took. */
  get growth(): number {
    return this.#growth
  }

  /** Writes what is made of what was looked at last, from `start` to `end`; returns where it ends in `target`. */
  write(start: number, end: number, target: Buffer, to: number): number {
    let [from, at] = [start, to]
    for (const piece of this.#pieces) {
      if (piece.from > from) at += this.#bytes.copy(target, at, from, piece.from)
      if (piece.instead !== '') at += target.write(piece.instead, at)
      from = piece.to
    }
    return at + this.#bytes.copy(target, at, from, end)
  }

  #value(at: number, edits: Edits): number {
    const first = this.#bytes[at]
    if (first === OPEN_BRACE) return this.#object(at, edits)
    if (edits.seen !== undefined) return NOWHERE // where it stands there twice, as an object too, the last would count
    return first === OPEN_BRACKET && edits.elements !== undefined
      ? this.#array(at, edits.elements)
      : valueEnd(this.#bytes, at)
  }

  #object(open: number, edits: Edits): number {
    const bytes = this.#bytes
    let at = passSpace(bytes, open + 1)
    if (bytes[at] === CLOSE_BRACE) return this.#ended(at, edits.seen, true)
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
      if (isLast) return this.#ended(at, edits.seen, isFirst)
      kept = until
      at = next
    }
  }

  /** The end of a member's value, when it has been done what is to be done to it. */
  #member(at: number, edit: Edit | undefined, values: Edits | undefined): number {
    if (values !== undefined) return this.#value(at, values)
    if (edit?.kind === 'inside') return this.#value(at, edit.edits)
    const end = valueEnd(this.#bytes, at)
    if (end === NOWHERE || edit === undefined || edit.kind === 'out') return end
    return this.#marked(at, end, edit.kind === 'seen' ? edit.member : edit.spells)
  }

  /** Behind an object that closes here; one in which nothing stays is left to the parser where something may be added. */
  #ended(close: number, seen: SeenObject | undefined, isEmpty: boolean): number {
    if (seen === undefined) return close + 1
    return isEmpty || this.#marked(close, close, seen) === NOWHERE ? NOWHERE : close + 1
  }

  #marked(at: number, end: number, mark: Mark): number {
    if (!('kind' in mark)) return this.#respell(at, end, mark)
    this.#seen ??= new SeenBody()
    const text = mark.kind === 'member' ? this.#bytes.toString('utf8', at, end) : ''
    return this.#seen.found(mark, at, end, text) ? end : NOWHERE
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
    if (value === said && (said === null || typeof said !== 'object')) return end
    const instead = writeJson(value) // an object may have been changed in place
    if (instead === text) return end
    this.#pieces.push({ from: at, to: end, instead })
    this.#growth += Buffer.byteLength(instead)
    return end
  }
}

/**
 * Edits a body that is one object; undefined where it is none, or one that only a parser reads. `run`: what is done to the
 * members that are seen.
 */
export function editObject(body: Buffer, edits: Edits, run?: (body: JsonObject) => void): Buffer | undefined {
  const editor = new ByteEditor(body, edits)
  const start = skipSpace(body, 0)
  const end = editor.object(start)
  if (end === NOWHERE || skipSpace(body, end) !== body.length) return undefined
  if (run !== undefined && !editor.show(run)) return undefined
  const written = Buffer.allocUnsafeSlow(end - start + editor.growth + 1) // not of the pool: most are remembered
  const length = editor.write(start, end, written, 0)
  written[length] = NEWLINE
  return written.subarray(0, length + 1)
}

/** Both ascending. */
function merged(some: readonly Piece[], others: readonly Piece[]): Piece[] {
  const all: Piece[] = []
  let i = 0
  for (const other of others) {
    for (let piece = some[i]; piece !== undefined && piece.from < other.from; piece = some[++i]) all.push(piece)
    all.push(other)
  }
  for (let piece = some[i]; piece !== undefined; piece = some[++i]) all.push(piece)
  return all
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
