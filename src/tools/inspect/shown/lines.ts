import { REDACTED } from '../../../audit/redact/text.ts'
import { Decoder } from '../../../audit/session/asciicast.ts'
import { FINDABLE, type Known, withoutBeginnings } from './known-secrets.ts'
import { afterKey, keyGoesOn, LONGEST_MARK, withoutUnfinishedMark } from './private-key.ts'

/** A line that goes on for longer, and for longer than the longest secret beside it, is cut into pieces. */
export const LONGEST_LINE = 16 * 1024

/** Who is told what was read. */
export interface Told {
  /** A line without secrets, its end included. */
  line(text: string): void
  /** So many characters nobody will see. */
  lost(characters: number): void
}

/** The lines of one stream of output. What is passed over leaves a gap, and reading goes on with the line after it. */
export class Lines {
  readonly #told: Told
  #decoder = new Decoder()
  /** The line that is not at its end, as it came: engines send it byte by byte. */
  #rest: string[] = []
  #waiting = 0
  #inKey = false
  /** Whether nobody knows how the line began that goes on now. */
  #gap = false
  /** The end of what was passed over. */
  #before = ''

  constructor(told: Told) {
    this.#told = told
  }

  /** How much waits for the end of its line. */
  get waiting(): number {
    return this.#waiting
  }

  read(bytes: Buffer, known: Known): void {
    const [first = '', ...others] = this.#decoder.text(bytes).split('\n')
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

  /** No cut goes through a secret or the mark of a key: neither would be known in its parts. */
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

  /** Nobody will see these bytes. It is only found out whether a private key goes on after them. */
  pass(bytes: Buffer): void {
    const rest = this.#take()
    const text = this.#before + rest + bytes.toString('latin1')
    this.#inKey = keyGoesOn(text, this.#inKey)
    this.#before = text.slice(-LONGEST_MARK)
    this.#told.lost(rest.length + bytes.length)
    this.#decoder = new Decoder()
    this.#gap = true
  }

  /** What has come of the line that is not at its end. Whole words only: the beginning of a secret is not known for what it is. */
  pending(known: Known): string {
    const rest = this.#take()
    this.#keep(rest)
    if (this.#gap || this.#inKey || keyGoesOn(rest, false)) return ''
    const end = /^[\s\S]*\s/.exec(rest)?.[0] ?? ''
    return shown(known.clean(withoutBeginnings(end, known, FINDABLE)))
  }

  /** A line or a piece of one; `ends`: how many characters its end takes. */
  #say(line: string, ends: number, known: Known): void {
    const wasInKey = this.#inKey
    this.#inKey = keyGoesOn(this.#before + line, wasInKey)
    if (this.#gap) this.#told.lost(line.length + ends)
    else this.#told.line(`${clean(line, wasInKey, known)}\n`)
    this.#before = ''
    this.#gap = false
  }
}

/** `inKey`: whether a private key goes on where the line begins. */
function clean(line: string, inKey: boolean, known: Known): string {
  if (!inKey) return shown(known.clean(line))
  const after = afterKey(line)
  return after === undefined ? REDACTED : REDACTED + shown(known.clean(after))
}

/** What a terminal would not show as a character is left out, or made visible (Unicode's control pictures). */
const shown = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for
    .replace(/\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-_])/g, '')
    .replace(/\r/g, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: likewise
    .replace(/[\x00-\x08\x0b-\x1f]/g, (control) => String.fromCodePoint(0x2400 + control.charCodeAt(0)))
    .replace(/\x7f/g, '\u2421')
