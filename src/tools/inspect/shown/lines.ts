import { StringDecoder } from 'node:string_decoder'
import { FINDABLE } from '../../../audit/redact/known.ts'
import { REDACTED } from '../../../audit/redact/text.ts'
import { type Known, withoutBeginnings } from './known-secrets.ts'

/** Longer lines, if also longer than the longest secret, are cut into pieces. */
export const LONGEST_LINE = 16 * 1024

/** The marks of a private key (RFC 7468, 2). The last dashes are matched by lookahead: they may start the next mark. */
const MARK = /-----(BEGIN|END) [A-Z ]{0,30}PRIVATE KEY(?=-----)/g
const ENDS = /-----END [A-Z ]{0,30}PRIVATE KEY-----/
const OF_EACH = 'PRIVATE KEY-----'

/** Upper limit of a mark's length. */
const LONGEST_MARK = 60

/** A possible start of a mark. */
const UNFINISHED = /(?<!-)-+(?:[A-Z ]+-*)?$/

/** Receives the lines. */
export interface Told {
  /** A line without secrets, with its line ending. */
  line(text: string): void
  /** Number of characters that are not shown. */
  lost(characters: number): void
}

/** The lines of one output stream. Skipped bytes leave a gap; reading resumes with the next line. */
export class Lines {
  readonly #told: Told
  #decoder = new StringDecoder()
  /** The unfinished line in pieces: engines may send it byte by byte. */
  #rest: string[] = []
  #waiting = 0
  #inKey = false
  /** The start of the current line was skipped. */
  #gap = false
  /** The end of the skipped bytes. */
  #before = ''

  constructor(told: Told) {
    this.#told = told
  }

  /** Number of characters in the unfinished line. */
  get waiting(): number {
    return this.#waiting
  }

  read(bytes: Buffer, known: Known): void {
    const [first = '', ...others] = this.#decoder.write(bytes).split('\n')
    this.#keep(first)
    const last = others.pop()
    if (last !== undefined) {
      this.#say(this.#take(), 1, known)
      for (const line of others) this.#say(line, 1, known)
      this.#keep(last)
    }
    if (this.#waiting > LONGEST_LINE + known.longest) this.#cut(known)
  }

  #keep(part: string): void {
    if (part !== '') this.#rest.push(part)
    this.#waiting += part.length
  }

  #take(): string {
    const rest = this.#rest.join('')
    this.#rest = []
    this.#waiting = 0
    return rest
  }

  /** Never cuts through a secret or a key's mark: their parts would go unrecognized. */
  #cut(known: Known): void {
    const longest = LONGEST_LINE + known.longest
    let rest = this.#take()
    while (rest.length > longest) {
      const piece = withoutBeginnings(withoutUnfinishedMark(rest.slice(0, longest)), known, 1)
      this.#say(piece, 0, known)
      rest = rest.slice(piece.length)
    }
    this.#keep(rest)
  }

  /** Skips bytes. Tracks only whether a private key continues after them. */
  pass(bytes: Buffer): void {
    const rest = this.#take()
    const text = this.#before + rest + bytes.toString('latin1')
    this.#inKey = keyGoesOn(text, this.#inKey)
    this.#before = text.slice(-LONGEST_MARK)
    this.#told.lost(rest.length + bytes.length)
    this.#decoder = new StringDecoder()
    this.#gap = true
  }

  /** The unfinished line so far, whole words only: the start of a secret cannot be recognized. */
  pending(known: Known): string {
    const rest = this.#take()
    this.#keep(rest)
    if (this.#gap || this.#inKey || keyGoesOn(rest, false)) return ''
    const end = /^[\s\S]*\s/.exec(rest)?.[0] ?? ''
    return shown(known.clean(withoutBeginnings(end, known, FINDABLE)))
  }

  /** Reports a line or a piece of one; `ends`: length of its line ending. */
  #say(line: string, ends: number, known: Known): void {
    const wasInKey = this.#inKey
    this.#inKey = keyGoesOn(this.#before + line, wasInKey)
    if (this.#gap) this.#told.lost(line.length + ends)
    else this.#told.line(`${clean(line, wasInKey, known)}\n`)
    this.#before = ''
    this.#gap = false
  }
}

/** `inKey`: the line starts inside a private key. */
function clean(line: string, inKey: boolean, known: Known): string {
  if (!inKey) return shown(known.clean(line))
  const end = line.search(ENDS)
  return end === -1 ? REDACTED : REDACTED + shown(known.clean(line.slice(end)))
}

/** Removes escape sequences, and makes control characters visible (Unicode's control pictures). */
const shown = (text: string): string =>
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

/** Removes an incomplete mark at the text's end. */
function withoutUnfinishedMark(text: string): string {
  const end = text.slice(-LONGEST_MARK)
  const at = end.search(UNFINISHED)
  return at === -1 ? text : text.slice(0, text.length - end.length + at)
}
