import type { Edit, Edits, SeenMember, SeenObject, Spell } from '../../translate/edits.ts'
import { MODULE } from './module.ts'

/** finder.wat says what stands where. */
const EDITS = 0x400
const FOUND = 0x8000
const WINDOW = 0x10000
const MEMORY = 0x40000
const ZEROS = 16
const WORD = 4
/** In words. */
const PIECE = 3

const OUT = 1
const FIRST_MARK = 2
/** Numbers from here on are the places of edits. */
const MOST_MARKS = EDITS - FIRST_MARK

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly end: { value: number }
  readonly found: { value: number }
  object(at: number, edits: number): number
}

/** What there is of it in Node's globals; its types come with those of browsers. */
interface WebAssembly {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

/** The part of a body that stands in memory, until another body wants to. It does not name the body, which must not be kept for it. */
export interface Window {
  from: number
  to: number
}

/** Edits as they stand in memory. */
interface Laid {
  /** Undefined where there is no room for them. */
  readonly at: number | undefined
  readonly marks: readonly Mark[]
}

/** What is to be done with what was found: spelled otherwise, or shown to steps (for an object: where it ends). */
export type Mark = readonly Spell[] | SeenMember | SeenObject

/** A piece of the bytes that goes, or something else comes in its place. */
export interface Piece {
  readonly from: number
  readonly to: number
  readonly instead: string
}

/** It goes, where there is no mark. */
export type FoundPiece = Piece & { readonly mark: Mark | undefined }

/**
 * Finds what is to be edited in an object 16 bytes at a time: in half the time that byte-editor.ts takes, which does
 * whatever is not found here. One for all bodies, in 256 KB that never grow: each puts its bytes there, window after window.
 */
export class Finder {
  static #shared: Finder | undefined
  static #failed = false

  readonly #wasm: Exports
  readonly #bytes: Uint8Array
  readonly #words: Uint32Array
  #laid = new WeakMap<Edits, Laid>()
  #next = EDITS
  #window: Window | undefined

  /** Made when the first body wants it. Undefined where there is none: on a processor without SIMD, without a compiler. */
  static get shared(): Finder | undefined {
    if (Finder.#shared !== undefined || Finder.#failed) return Finder.#shared
    try {
      const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssembly }
      Finder.#shared = new Finder(WebAssembly)
    } catch {
      Finder.#failed = true // every body is edited without
    }
    return Finder.#shared
  }

  private constructor({ Module, Instance }: WebAssembly) {
    this.#wasm = new Instance(new Module(Buffer.from(MODULE, 'base64'))).exports as Exports
    this.#bytes = new Uint8Array(this.#wasm.memory.buffer)
    this.#words = new Uint32Array(this.#wasm.memory.buffer)
  }

  /** Where the object ends that begins at `at`, and what is to be edited in it; undefined when that is not known here. */
  object(
    bytes: Buffer,
    window: Window,
    at: number,
    edits: Edits,
  ): { readonly end: number; readonly pieces: readonly FoundPiece[] } | undefined {
    const { at: laid, marks } = this.#lay(edits)
    if (laid === undefined) return undefined
    if (this.#window !== window || at < window.from || at >= window.to) this.#put(bytes, window, at)
    let end = this.#find(window, at, laid)
    if (end === 0 && window.from < at && window.to < bytes.length) {
      this.#put(bytes, window, at) // the window may have ended in the middle of it
      end = this.#find(window, at, laid)
    }
    if (end === 0) return undefined
    const before = window.from - WINDOW
    const words = this.#words
    const count = (this.#wasm.found.value - FOUND) / (PIECE * WORD)
    const pieces = new Array<FoundPiece>(count)
    for (let n = 0, i = FOUND / WORD; n < count; n++, i += PIECE) {
      const from = before + (words[i] ?? 0)
      const to = before + (words[i + 1] ?? 0)
      const what = words[i + 2] ?? 0
      pieces[n] = { from, to, instead: '', mark: what === OUT ? undefined : marks[what - FIRST_MARK] }
    }
    return { end: before + end, pieces }
  }

  #find(window: Window, at: number, edits: number): number {
    this.#wasm.found.value = FOUND
    return this.#wasm.object(at - window.from + WINDOW, edits)
  }

  #put(bytes: Buffer, window: Window, at: number): void {
    const to = Math.min(bytes.length, at + MEMORY - WINDOW - ZEROS)
    this.#bytes.set(bytes.subarray(at, to), WINDOW)
    const end = WINDOW + to - at
    this.#bytes.fill(0, end, end + ZEROS)
    this.#wasm.end.value = end
    window.from = at
    window.to = to
    this.#window = window
  }

  #lay(edits: Edits): Laid {
    const known = this.#laid.get(edits)
    if (known !== undefined) return known
    if (this.#next > EDITS) {
      const more = this.#layAt(this.#next, edits)
      if (more.at !== undefined) return more
      this.#laid = new WeakMap() // no more room: from the beginning
    }
    return this.#layAt(EDITS, edits)
  }

  #layAt(place: number, edits: Edits): Laid {
    const layout = new Layout(place)
    const at = layout.edits(edits)
    const end = place + layout.words.length * WORD
    const fits = end <= FOUND && layout.marks.length <= MOST_MARKS
    if (fits) this.#words.set(layout.words, place / WORD)
    const laid: Laid = { at: fits ? at : undefined, marks: layout.marks }
    if (fits) this.#next = end
    if (fits || place === EDITS) this.#laid.set(edits, laid)
    return laid
  }
}

class Layout {
  readonly words: number[] = []
  readonly marks: Mark[] = []
  readonly #place: number

  constructor(place: number) {
    this.#place = place
  }

  edits({ members, values, elements, seen }: Edits): number {
    const start = this.words.length
    this.words.push(
      0,
      0,
      seen === undefined ? 0 : this.#mark(seen),
      members.length,
      ...Array<number>(members.length).fill(0),
    )
    if (elements !== undefined) this.words[start] = this.edits(elements)
    if (values !== undefined) this.words[start + 1] = this.edits(values)
    for (const [length, named = []] of members.entries()) {
      let next = 0
      for (const { name, edit } of named) {
        const what = this.#what(edit)
        const member = this.#placeOf(this.words.length)
        this.words.push(next, what, ...packed(name))
        next = member
      }
      this.words[start + 4 + length] = next
    }
    return this.#placeOf(start)
  }

  #what(edit: Edit): number {
    switch (edit.kind) {
      case 'inside':
        return this.edits(edit.edits)
      case 'out':
        return OUT
      case 'respelled':
        return this.#mark(edit.spells)
      case 'seen':
        return this.#mark(edit.member)
      default:
        return edit satisfies never
    }
  }

  #mark(mark: Mark): number {
    return FIRST_MARK + this.marks.push(mark) - 1
  }

  #placeOf(word: number): number {
    return this.#place + word * WORD
  }
}

function packed(name: Uint8Array): number[] {
  const words: number[] = []
  for (let i = 0; i < name.length; i += WORD)
    words.push(name.subarray(i, i + WORD).reduce((word, byte, shift) => word + byte * 2 ** (8 * shift), 0))
  return words
}
