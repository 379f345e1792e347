import { Decoder } from '../audit/asciicast.ts'
import { REDACTED, scrub } from '../redact/text.ts'
import { FINDABLE, longestOf, withoutBeginnings } from './known-secrets.ts'
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
  #rest = ''
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
    return this.#rest.length
  }

  /** `secrets`: as `inLines` gives them. */
  read(bytes: Buffer, secrets: readonly string[]): void {
    const lines = (this.#rest + this.#decoder.text(bytes)).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#say(line, 1, secrets)
    if (this.#rest.length > LONGEST_LINE) this.#cut(secrets)
  }

  /** No cut goes through a secret or the mark of a key: neither would be known in its parts. */
  #cut(secrets: readonly string[]): void {
    const longest = LONGEST_LINE + longestOf(secrets)
    while (this.#rest.length > longest) {
      const piece = withoutBeginnings(withoutUnfinishedMark(this.#rest.slice(0, longest)), secrets, 1)
      this.#say(piece, 0, secrets)
      this.#rest = this.#rest.slice(piece.length)
    }
  }

  /** Nobody will see these bytes. It is only found out whether a private key goes on after them. */
  pass(bytes: Buffer): void {
    const text = this.#before + this.#rest + bytes.toString('latin1')
    this.#inKey = keyGoesOn(text, this.#inKey)
    this.#before = text.slice(-LONGEST_MARK)
    this.#told.lost(this.#rest.length + bytes.length)
    this.#rest = ''
    this.#decoder = new Decoder()
    this.#gap = true
  }

  /** What has come of the line that is not at its end. Whole words only: the beginning of a secret is not known for what it is. */
  pending(secrets: readonly string[]): string {
    if (this.#gap || this.#inKey || keyGoesOn(this.#rest, false)) return ''
    const end = /^[\s\S]*\s/.exec(this.#rest)?.[0] ?? ''
    return shown(scrub(withoutBeginnings(end, secrets, FINDABLE), secrets))
  }

  /** A line or a piece of one; `ends`: how many characters its end takes. */
  #say(line: string, ends: number, secrets: readonly string[]): void {
    const wasInKey = this.#inKey
    this.#inKey = keyGoesOn(this.#before + line, wasInKey)
    if (this.#gap) this.#told.lost(line.length + ends)
    else this.#told.line(`${clean(line, wasInKey, secrets)}\n`)
    this.#before = ''
    this.#gap = false
  }
}

/** `inKey`: whether a private key goes on where the line begins. */
function clean(line: string, inKey: boolean, secrets: readonly string[]): string {
  if (!inKey) return shown(scrub(line, secrets))
  const after = afterKey(line)
  return after === undefined ? REDACTED : REDACTED + shown(scrub(after, secrets))
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
