import { afterElement, firstElement, objectEnd } from './elements.ts'
import type { TimeSlicer } from './time-slicer.ts'

/** A translated list with the position of each element. */
export interface TranslatedList {
  /** As received from the engine. */
  readonly came: Buffer
  readonly written: Buffer
  /** Four numbers per element: its start and end in `came`, and in `written`. */
  readonly spans: Uint32Array
}

/**
 * Translates the objects of a JSON list (with brackets) one by one, each into a separate text. Undefined for invalid
 * JSON.
 */
export type TranslateSome = (list: string, count: number) => readonly string[] | undefined

/** Bytes parsed at a time: small compared to a time slice, large compared to the cost of a parser call. */
const BATCH = 16 * 1024
/** Lists below this size take less than a time slice and are translated in one go. */
const LARGE = 256 * 1024
/** Bytes of an element's start used as its lookup key; they include an id of 64 digits. */
const KEY = 96
/** After this many failed lookups in a row, lookups stop. */
const VAIN = 32
/** After this many changed elements in a row, only one in this many is compared: probably all have changed. */
const CHANGED = 16
const GLANCE = 8
const NUMBERS = 4
const ROOM = 1024

/**
 * Translates a list element by element, in time slices, and reuses the elements of the previous translation. Undefined
 * for invalid JSON and for other values than a list of objects. The result is byte for byte the same as translating the
 * whole at once.
 */
export async function translateList(
  came: Buffer,
  before: TranslatedList | undefined,
  translate: TranslateSome,
  slicer: Pick<TimeSlicer, 'turn' | 'over'>,
): Promise<TranslatedList | undefined> {
  const work = new ListWork(came, before, translate)
  if (!work.begins) return undefined
  const large = came.length > LARGE
  if (large) await slicer.turn()
  for (;;) {
    const state = work.step()
    if (state === 'done') return work.result()
    if (state === 'broken') return undefined
    if (large && slicer.over) await slicer.turn()
  }
}

class ListWork {
  readonly #came: Buffer
  readonly #before: TranslatedList | undefined
  readonly #translate: TranslateSome
  /** Written incrementally: concatenating a large result at the end would block the event loop. */
  #written: Buffer
  #length = 0
  readonly #spans: number[] = []
  #at: number
  /** Index of the next expected element of the previous list. */
  #expected = 0
  /** Number of elements compared at once; grows while elements are the same. */
  #stride = 1
  #known: Map<string, number> | undefined
  /** Consecutive failed lookups. */
  #vain = 0
  /** Consecutive elements that the previous list did not have. */
  #changed = 0

  constructor(came: Buffer, before: TranslatedList | undefined, translate: TranslateSome) {
    this.#came = came
    this.#before = before
    this.#translate = translate
    this.#at = firstElement(came)
    this.#written = Buffer.allocUnsafe(came.length + ROOM) // most responses become shorter
    this.#byte(OPEN)
  }

  get begins(): boolean {
    return this.#at !== -1
  }

  result(): TranslatedList {
    this.#byte(CLOSE)
    this.#byte(NEWLINE)
    return { came: this.#came, written: this.#written.subarray(0, this.#length), spans: new Uint32Array(this.#spans) }
  }

  /** Reuses or translates the next elements. */
  step(): 'more' | 'done' | 'broken' {
    const end = this.#takeOver() ?? this.#translateNext()
    const next = end === undefined ? undefined : afterElement(this.#came, end)
    if (next === undefined) return 'broken'
    if (next === 'end') return 'done'
    this.#at = next
    return 'more'
  }

  /** End of the elements that equal the expected ones; undefined if the next one differs. */
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
      this.#changed = 0
      this.#stride = some === count ? some * 2 : 1
      return end
    }
    this.#stride = 1
    return undefined
  }

  /** Translates elements up to one that is known; returns their end, or undefined for invalid JSON. */
  #translateNext(): number | undefined {
    const begin = this.#at
    const places: [number, number][] = []
    let start = begin
    let end = begin
    while (end - begin < BATCH) {
      if (this.#isExpectedAt(start, start === begin)) break
      const close = objectEnd(this.#came, start)
      if (close === -1) return undefined
      places.push([start, close])
      end = close
      const next = afterElement(this.#came, end)
      if (typeof next !== 'number') break // the end or a syntax error; the next step handles it
      start = next
    }
    if (end === begin) return this.#takeOver()
    return this.#write(places) ? end : undefined
  }

  /** False for invalid JSON. */
  #write(places: readonly [number, number][]): boolean {
    const list = this.#came.toString('utf8', places[0]?.[0], places.at(-1)?.[1])
    const texts = this.#translate(`[${list}]`, places.length)
    for (const [i, text] of texts?.entries() ?? []) {
      this.#separate()
      const from = this.#length
      this.#makeRoom(text.length)
      if (this.#written.length - from < text.length * MAX_BYTES) this.#makeRoom(Buffer.byteLength(text))
      this.#length += this.#written.write(text, from)
      const [start = 0, end = 0] = places[i] ?? []
      this.#spans.push(start, end, from, this.#length)
    }
    return texts !== undefined
  }

  /** True if the current element occurs anywhere in the previous list; sets the expected position. */
  #isExpectedAt(start: number, isFirst: boolean): boolean {
    if (this.#before === undefined) return false
    const glances = this.#changed > CHANGED && this.#changed % GLANCE !== 0
    const same = !glances && this.#isKnownAt(this.#before, start, isFirst)
    this.#changed = same ? 0 : this.#changed + 1
    if (glances) this.#expected++
    return same
  }

  #isKnownAt(before: TranslatedList, start: number, isFirst: boolean): boolean {
    const next = this.#expected + 1 // one was removed, or the previous one changed
    for (const index of [this.#expected, next])
      if (this.#isSame(start, before, index, KEY)) {
        const same = this.#isSame(start, before, index)
        this.#expected = same ? index : index + 1 // changed in place, and found nowhere else
        return same
      }
    // Usually a single element changed in place: not worth indexing the whole list.
    if (isFirst && this.#known === undefined && next < before.spans.length / NUMBERS) return false
    if (this.#vain > VAIN) {
      this.#expected = next // all elements change in place
      return false
    }
    this.#known ??= firstBytes(before)
    const index = this.#known.get(this.#came.toString('latin1', start, start + KEY))
    const same = index !== undefined && this.#isSame(start, before, index)
    this.#vain = same ? 0 : this.#vain + 1
    if (index !== undefined) this.#expected = same ? index : index + 1
    return same
  }

  /** `most`: limit in bytes. */
  #isSame(start: number, { came, spans }: TranslatedList, index: number, most = Number.POSITIVE_INFINITY): boolean {
    const [from, to] = [spans[index * NUMBERS], spans[index * NUMBERS + 1]]
    if (from === undefined || to === undefined) return false
    const length = Math.min(to - from, most)
    const end = start + length
    return end <= this.#came.length && came.compare(this.#came, start, end, from, from + length) === 0
  }

  #place(bytes: Buffer): void {
    this.#separate()
    this.#makeRoom(bytes.length)
    this.#length += bytes.copy(this.#written, this.#length)
  }

  #separate(): void {
    if (this.#length > 1) this.#byte(COMMA)
  }

  #byte(byte: number): void {
    this.#makeRoom(1)
    this.#written[this.#length++] = byte
  }

  #makeRoom(size: number): void {
    if (this.#length + size <= this.#written.length) return
    const larger = Buffer.allocUnsafe(2 * this.#written.length + size)
    this.#written.copy(larger, 0, 0, this.#length)
    this.#written = larger
  }
}

const OPEN = 0x5b
const COMMA = 0x2c
const CLOSE = 0x5d
const NEWLINE = 0x0a
/** Bytes of UTF-8 per UTF-16 unit. */
const MAX_BYTES = 3

const at = (numbers: Uint32Array, index: number): number => numbers[index] ?? 0

function firstBytes({ came, spans }: TranslatedList): Map<string, number> {
  const known = new Map<string, number>()
  for (let i = 0; i < spans.length; i += NUMBERS)
    known.set(came.toString('latin1', at(spans, i), at(spans, i) + KEY), i / NUMBERS)
  return known
}
