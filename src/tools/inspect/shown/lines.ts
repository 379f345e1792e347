import { StringDecoder } from 'node:string_decoder'
import { type Cleaner, FINDABLE } from '../../../audit/redact/known.ts'
import { REDACTED, scrubber } from '../../../audit/redact/text.ts'

/** Maximum of hidden characters of an unfinished line: at its end, or at its start if that is not kept. */
export const LONGEST_LINE = 16 * 1024

/** The marks of a private key (RFC 7468, 2). The last dashes are matched by lookahead: they may start the next mark. */
const MARK = /-----(BEGIN|END) [A-Z ]{0,30}PRIVATE KEY(?=-----)/g
const ENDS = /-----END [A-Z ]{0,30}PRIVATE KEY-----/
const OF_EACH = 'PRIVATE KEY-----'
/** Upper limit of a mark's length. */
const LONGEST_MARK = 60

/** Where the kept part of an output begins: in a line whose start is not kept. */
export interface LineStart {
  /** Inside a private key. */
  readonly inKey: boolean
  /** The last characters before it. */
  readonly before: string
}

/** The start after more bytes that are not kept. */
export function nextStart(start: LineStart | undefined, bytes: Buffer): LineStart {
  const text = (start?.before ?? '') + bytes.toString('latin1')
  return { inKey: keyGoesOn(text, start?.inKey ?? false), before: text.slice(-LONGEST_MARK) }
}

/** A stream whose lines are read. */
interface Reading {
  readonly decoder: StringDecoder
  /** The unfinished line. */
  rest: string
  inKey: boolean
  before: string
  /** The start of the current line is not kept. */
  gap: boolean
}

/** Reads outputs in lines without secrets; those of standard output and error are apart. */
export class Lines {
  readonly #streams = new Map<number, Reading>()
  readonly #clean: Cleaner
  /** Length of the longest secret, and of the longest one with blanks. */
  readonly #longest: number
  readonly #longestWithBlanks: number
  /** Number of characters that are not shown because the start of their line is not kept. */
  lost = 0

  /** `starts`: of the streams that are kept in part. Multi-line secrets are matched line by line. */
  constructor(starts: ReadonlyMap<number, LineStart>, secrets: ReadonlySet<string>) {
    for (const [stream, start] of starts) this.#streams.set(stream, reading(start))
    const values = [...secrets].flatMap((secret) => secret.split(/\r?\n/)).filter(({ length }) => length >= FINDABLE)
    this.#clean = scrubber(values)
    this.#longest = longestOf(values)
    this.#longestWithBlanks = longestOf(values.filter((value) => /\s/.test(value)))
  }

  /** The lines that end in these bytes. */
  read(stream: number, bytes: Buffer): string {
    const reader = this.#streams.get(stream) ?? reading()
    this.#streams.set(stream, reader)
    const parts = reader.decoder.write(bytes).split('\n')
    const last = parts.pop() ?? ''
    let shown = ''
    for (const part of parts) {
      shown += this.#line(reader, reader.rest + part)
      reader.rest = ''
    }
    reader.rest += last
    return shown
  }

  /** The unfinished lines, whole words only: the start of a secret cannot be recognized. */
  get pending(): string {
    return [...this.#streams.values()].map((reader) => this.#pending(reader)).join('')
  }

  #pending({ rest, inKey, before, gap }: Reading): string {
    if (rest === '' || inKey || keyGoesOn(before + rest, false)) return ''
    const line = this.#clean(rest)
    const words = /^[\s\S]*\s/.exec(line.slice(0, line.length - this.#longestWithBlanks))?.[0].length ?? 0
    const end = Math.max(words, line.length - LONGEST_LINE - this.#longest)
    return visible(line.slice(gap ? LONGEST_LINE + this.#longest : 0, end))
  }

  #line(reader: Reading, line: string): string {
    const { inKey, before, gap } = reader
    reader.inKey = keyGoesOn(before + line, inKey)
    reader.before = ''
    reader.gap = false
    const clean = inKey ? this.#afterKey(line) : this.#clean(line)
    if (!gap) return `${visible(clean)}\n`
    const rest = clean.slice(LONGEST_LINE + this.#longest)
    this.lost += line.length + 1 - (rest === '' ? 0 : rest.length + 1)
    return rest === '' ? '' : `${visible(rest)}\n`
  }

  /** A line that starts inside a private key. */
  #afterKey(line: string): string {
    const end = line.search(ENDS)
    return end === -1 ? REDACTED : REDACTED + this.#clean(line.slice(end))
  }
}

const reading = (start?: LineStart): Reading => ({
  ...{ decoder: new StringDecoder(), rest: '', inKey: false, before: '', gap: start !== undefined },
  ...start,
})

const longestOf = (texts: readonly string[]): number => texts.reduce((most, { length }) => Math.max(most, length), 0)

/** Removes escape sequences, and makes control characters visible (Unicode's control pictures). */
const visible = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for
    .replace(/\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-_])/g, '')
    .replace(/\r/g, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: likewise
    .replace(/[\x00-\x08\x0b-\x1f]/g, (control) => String.fromCodePoint(0x2400 + control.charCodeAt(0)))
    .replace(/\x7f/g, '\u2421')

/** True if a private key continues after the text. `before`: one is open at its start. */
function keyGoesOn(text: string, before: boolean): boolean {
  if (!text.includes(OF_EACH)) return before
  const last = [...text.matchAll(MARK)].at(-1)
  return last === undefined ? before : last[1] === 'BEGIN'
}
