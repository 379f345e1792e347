import { afterElement, firstElement, objectEnd } from './elements.ts'
import type { Pace } from './pace.ts'

/** A list that was translated, with where each element stands in it. */
export interface TranslatedList {
  /** As the engine said it. */
  readonly came: Buffer
  readonly written: Buffer
  /** Four numbers an element: its beginning and end in `came`, and in `written`. */
  readonly spans: Uint32Array
}

/**
 * Translates the objects of a JSON list (brackets included) alone, each into a text of its own. Undefined when it is
 * no JSON.
 */
export type TranslateSome = (list: string, count: number) => readonly string[] | undefined

/** So much is parsed at a time, in bytes: small beside a slice of time, large beside the cost of beginning. */
const BATCH = 16 * 1024
/** A shorter list takes no longer than a slice of time: it is done in one. */
const LARGE = 256 * 1024
/** By so many of its first bytes an element is looked up: an id of 64 digits stands among them. */
const KEY = 96
/** After so many that were looked up for nothing, no more are. */
const VAIN = 32
const NUMBERS = 4

/**
 * Translates a list element by element, in slices of time, and takes over what the same list had when it was
 * translated before. Undefined when the bytes are not a list of objects, or no JSON: nothing is known of them then.
 * The result is, byte for byte, what translating the whole at once gives.
 */
export async function translateList(
  came: Buffer,
  before: TranslatedList | undefined,
  translate: TranslateSome,
  pace: Pace,
): Promise<TranslatedList | undefined> {
  const work = new ListWork(came, before, translate)
  if (!work.begins) return undefined
  const large = came.length > LARGE
  if (large) await pace.turn()
  for (;;) {
    const state = work.step()
    if (state === 'done') return work.result()
    if (state === 'broken') return undefined
    if (large && pace.over) await pace.turn()
  }
}

class ListWork {
  readonly #came: Buffer
  readonly #before: TranslatedList | undefined
  readonly #translate: TranslateSome
  readonly #parts: Buffer[] = [OPEN]
  readonly #spans: number[] = []
  #length = OPEN.length
  #at: number
  /** Which element of the list before is expected next. */
  #expected = 0
  /** How many are compared at once: more, the longer they have been the same. */
  #stride = 1
  #known: Map<string, number> | undefined
  /** How often in a row nothing came of looking there. */
  #vain = 0

  constructor(came: Buffer, before: TranslatedList | undefined, translate: TranslateSome) {
    this.#came = came
    this.#before = before
    this.#translate = translate
    this.#at = firstElement(came)
  }

  get begins(): boolean {
    return this.#at !== -1
  }

  result(): TranslatedList {
    this.#parts.push(CLOSE)
    return { came: this.#came, written: Buffer.concat(this.#parts), spans: Uint32Array.from(this.#spans) }
  }

  /** Takes over, or translates, the next elements. */
  step(): 'more' | 'done' | 'broken' {
    const end = this.#takeOver() ?? this.#translateNext()
    const next = end === undefined ? undefined : afterElement(this.#came, end)
    if (next === undefined) return 'broken'
    if (next === 'end') return 'done'
    this.#at = next
    return 'more'
  }

  /** The end of the elements that are the same as those expected; undefined when the very next is another. */
  #takeOver(): number | undefined {
    if (this.#before === undefined) return undefined
    const { came, written, spans } = this.#before
    const count = Math.min(this.#stride, spans.length / NUMBERS - this.#expected)
    for (let some = count; some > 0; some >>= 1) {
      const first = this.#expected * NUMBERS
      const last = (this.#expected + some - 1) * NUMBERS
      const start = at(spans, first)
      const end = this.#at + at(spans, last + 1) - start
      if (end > this.#came.length || came.compare(this.#came, this.#at, end, start, at(spans, last + 1)) !== 0) continue
      this.#place(written.subarray(at(spans, first + 2), at(spans, last + NUMBERS - 1)))
      const comes = this.#at - start
      const goes = this.#length - at(spans, last + NUMBERS - 1)
      for (let i = first; i <= last; i += NUMBERS)
        this.#spans.push(
          at(spans, i) + comes,
          at(spans, i + 1) + comes,
          at(spans, i + 2) + goes,
          at(spans, i + 3) + goes,
        )
      this.#expected += some
      this.#stride = some === count ? some * 2 : 1
      return end
    }
    this.#stride = 1
    return undefined
  }

  /** Translates the elements from here on up to one that is known; their end, or undefined when they are no JSON. */
  #translateNext(): number | undefined {
    const starts: number[] = []
    const ends: number[] = []
    const begin = this.#at
    let start = begin
    let end = begin
    while (end - begin < BATCH) {
      if (this.#isExpectedAt(start, start === begin)) break
      const close = objectEnd(this.#came, start)
      if (close === -1) return undefined
      starts.push(start)
      ends.push(close)
      end = close
      const next = afterElement(this.#came, end)
      if (typeof next !== 'number') break // the end; or broken, which is seen next
      start = next
    }
    if (starts.length === 0) return this.#takeOver()
    const texts = this.#translate(`[${this.#came.toString('utf8', begin, end)}]`, starts.length)
    if (texts === undefined) return undefined
    const bytes = Buffer.from(texts.join(','))
    this.#place(bytes)
    let from = this.#length - bytes.length
    for (const [i, text] of texts.entries()) {
      const to = from + Buffer.byteLength(text)
      this.#spans.push(starts[i] ?? 0, ends[i] ?? 0, from, to)
      from = to + 1
    }
    return end
  }

  /** Whether the element that stands here is one of the list before, wherever it stood there; it is expected then. */
  #isExpectedAt(start: number, isFirst: boolean): boolean {
    if (this.#before === undefined) return false
    const next = this.#expected + 1 // one is gone, or the one before this was changed
    for (const index of [this.#expected, next])
      if (this.#isSame(start, this.#before, index)) {
        this.#expected = index
        return true
      }
    // Most often a single one was changed where it stands: it is not worth reading all of the list for.
    if (isFirst && this.#known === undefined && next < this.#before.spans.length / NUMBERS) return false
    if (this.#vain > VAIN) {
      this.#expected = next // they change where they stand, all of them
      return false
    }
    this.#known ??= firstBytes(this.#before)
    const index = this.#known.get(this.#came.toString('latin1', start, start + KEY))
    const same = index !== undefined && this.#isSame(start, this.#before, index)
    this.#vain = same ? 0 : this.#vain + 1
    if (index !== undefined) this.#expected = same ? index : index + 1
    return same
  }

  #isSame(start: number, { came, spans }: TranslatedList, index: number): boolean {
    const [from, to] = [spans[index * NUMBERS], spans[index * NUMBERS + 1]]
    if (from === undefined || to === undefined) return false
    const end = start + to - from
    return end <= this.#came.length && came.compare(this.#came, start, end, from, to) === 0
  }

  #place(bytes: Buffer): void {
    if (this.#parts.length > 1) {
      this.#parts.push(BETWEEN)
      this.#length += BETWEEN.length
    }
    this.#parts.push(bytes)
    this.#length += bytes.length
  }
}

const OPEN = Buffer.from('[')
const BETWEEN = Buffer.from(',')
const CLOSE = Buffer.from(']\n')

const at = (numbers: Uint32Array, index: number): number => numbers[index] ?? 0

function firstBytes({ came, spans }: TranslatedList): Map<string, number> {
  const known = new Map<string, number>()
  for (let i = 0; i < spans.length; i += NUMBERS)
    known.set(came.toString('latin1', at(spans, i), at(spans, i) + KEY), i / NUMBERS)
  return known
}
