import { Decoder, Demultiplexer } from '../audit/asciicast.ts'
import { Refusal } from '../errors.ts'
import { RecordSplitter } from '../lanes/split.ts'
import { redactJson } from '../redact/json.ts'
import { REDACTED, scrub } from '../redact/text.ts'
import { isObject, type JsonValue, parseJson, writeJson } from '../translate/json.ts'
import type { StreamText } from './view.ts'

/** A line that goes on for longer is cut into pieces. */
const LONGEST_LINE = 16 * 1024
/** A larger record is not shown, and neither is what comes after it. */
const LARGEST_RECORD = 1 << 20

/** What the engine of JavaScript takes for a line beside its characters. */
const LINE_COST = 24

/** What passes, as text: JSON records, what programs write, or bytes that nobody reads. */
export type StreamKind = 'records' | 'output' | 'bytes'

interface Options {
  readonly operation: string | undefined
  /** How many characters are kept. */
  readonly limit: number
  /** The call's secrets, as far as they are known: those of its headers, its query, its request. */
  readonly secrets: Set<string>
}

/** A stream while it grows: the end of it, without secrets. What it cannot read, it counts. */
export class GrowingText {
  readonly #options: Options
  /** Those before `#first` are gone. Taking them off one by one would move all others each time. */
  #lines: string[] = []
  #first = 0
  readonly #reader: Reader | undefined
  #kept = 0
  #forgotten = 0
  #bytes = 0
  #withheld: StreamText['withheld']

  constructor(kind: StreamKind, options: Options, withheld: StreamText['withheld'] = undefined) {
    this.#options = options
    this.#withheld = withheld ?? (kind === 'bytes' ? 'bytes' : undefined)
    if (this.#withheld !== undefined) return
    const line = (text: string): void => this.#add(text)
    this.#reader = kind === 'records' ? new Records(options, line) : new Output(options.secrets, line)
  }

  /** What it takes of memory, about: short lines cost more than their characters, and what is not at its end waits. */
  get held(): number {
    return this.#kept + LINE_COST * this.#lines.length + (this.#reader?.waiting ?? 0)
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#withheld !== undefined) return
    try {
      this.#reader?.push(chunk)
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause
      this.#withheld = 'unreadable' // a record beyond the bound
    }
  }

  get view(): StreamText {
    return {
      bytes: this.#bytes,
      text: this.#lines.join('') + (this.#reader?.pending ?? ''),
      forgotten: this.#forgotten,
      ...(this.#withheld === undefined ? {} : { withheld: this.#withheld }),
    }
  }

  #add(line: string): void {
    this.#lines.push(line)
    this.#kept += line.length
    while (this.#kept > this.#options.limit && this.#lines.length - this.#first > 1) {
      const gone = this.#lines[this.#first]?.length ?? 0
      this.#lines[this.#first++] = ''
      this.#kept -= gone
      this.#forgotten += gone
    }
    if (2 * this.#first <= this.#lines.length) return
    this.#lines = this.#lines.slice(this.#first)
    this.#first = 0
  }
}

interface Reader {
  push(chunk: Buffer): void
  /** What has come of the line that is not at its end yet, as far as it can be shown. */
  readonly pending: string
  /** How much waits for the end of its line or record. */
  readonly waiting: number
}

/** One JSON record a line. */
class Records implements Reader {
  readonly #splitter = new RecordSplitter(LARGEST_RECORD)
  readonly #options: Options
  readonly #line: (text: string) => void
  readonly pending = ''

  constructor(options: Options, line: (text: string) => void) {
    this.#options = options
    this.#line = line
  }

  get waiting(): number {
    return this.#splitter.waiting
  }

  push(chunk: Buffer): void {
    for (const record of this.#splitter.push(chunk)) this.#line(`${this.#clean(record.toString())}\n`)
  }

  #clean(text: string): string {
    const { operation, secrets } = this.#options
    let record: JsonValue
    try {
      record = parseJson(text)
    } catch (cause) {
      if (cause instanceof SyntaxError) return scrub(text, secrets)
      throw cause
    }
    const known = [...secrets] // before this record's own, which are taken out where they stand
    let clean = writeJson(redactJson(withoutTrace(record), operation, secrets))
    for (const secret of known)
      if (secret.length >= FINDABLE) clean = clean.replaceAll(JSON.stringify(secret).slice(1, -1), REDACTED)
    return clean
  }
}

/** As src/redact/text.ts: shorter values are too common to be looked for. */
const FINDABLE = 4

/** What BuildKit tells of a build is protobuf in base64: it names arguments, and no pattern sees them. */
function withoutTrace(record: JsonValue): JsonValue {
  if (!isObject(record) || record['id'] !== 'moby.buildkit.trace' || typeof record['aux'] !== 'string') return record
  return { ...record, aux: '[withheld]' }
}

const KEY_BEGINS = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/
const KEY_ENDS = /-----END [A-Z ]{0,30}PRIVATE KEY-----/

/** What programs write, line by line, with or without the frames of attach and logs. */
class Output implements Reader {
  readonly #secrets: Set<string>
  readonly #line: (text: string) => void
  readonly #decoders = [new Decoder(), new Decoder(), new Decoder()] as const
  /** Undefined until it is known whether frames come. */
  #frames: Demultiplexer | 'plain' | undefined
  #start: Buffer = Buffer.alloc(0)
  #rest = ''
  #inKey = false

  constructor(secrets: Set<string>, line: (text: string) => void) {
    this.#secrets = secrets
    this.#line = line
  }

  push(chunk: Buffer): void {
    let bytes = chunk
    if (this.#frames === undefined) {
      bytes = Buffer.concat([this.#start, chunk])
      const framed = mayBeFrame(bytes) ? Demultiplexer.recognises(bytes) : false
      if (framed === undefined) {
        this.#start = Buffer.from(bytes)
        return
      }
      this.#frames = framed ? new Demultiplexer() : 'plain'
      this.#start = Buffer.alloc(0)
    }
    if (this.#frames === 'plain') this.#text(this.#decoders[0].text(bytes))
    else
      for (const piece of this.#frames.push(bytes))
        this.#text((this.#decoders[piece.stream] ?? this.#decoders[0]).text(piece.bytes))
  }

  get waiting(): number {
    return this.#rest.length
  }

  /** Whole words only: the beginning of a secret is not known for what it is. */
  get pending(): string {
    if (this.#inKey || KEY_BEGINS.test(this.#rest)) return ''
    const end = /^[\s\S]*\s/.exec(this.#rest)?.[0] ?? ''
    return shown(scrub(withoutBeginnings(end, this.#secrets), this.#values))
  }

  #text(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#line(`${this.#clean(line)}\n`)
    while (this.#rest.length > LONGEST_LINE) {
      const piece = withoutBeginnings(this.#rest.slice(0, LONGEST_LINE), this.#secrets)
      const end = piece === '' ? LONGEST_LINE : piece.length
      this.#line(`${this.#clean(this.#rest.slice(0, end))}\n`)
      this.#rest = this.#rest.slice(end)
    }
  }

  #clean(line: string): string {
    if (this.#inKey) {
      if (!KEY_ENDS.test(line)) return REDACTED
      this.#inKey = false
      return scrub(line.replace(/^[\s\S]*?-----END/, `${REDACTED}-----END`), this.#values)
    }
    this.#inKey = KEY_BEGINS.test(line) && !KEY_ENDS.test(line)
    return shown(scrub(line, this.#values))
  }

  /** A secret of several lines passes line by line. */
  get #values(): string[] {
    return [...this.#secrets].flatMap((secret) => secret.split(/\r?\n/))
  }
}

/** A frame begins with 0, 1 or 2, which no text does. */
const mayBeFrame = (bytes: Buffer): boolean => (bytes[0] ?? 9) <= 2

/** Without the beginning of a known secret at its end. */
function withoutBeginnings(text: string, secrets: Iterable<string>): string {
  let longest = 0
  for (const secret of secrets) longest = Math.max(longest, overlap(text, secret))
  return longest < FINDABLE ? text : text.slice(0, text.length - longest)
}

/**
 * How much of a secret's beginning stands at the end of a text (Knuth, Morris, Pratt). Clients choose both: to compare each
 * length with each would take the square of them.
 */
function overlap(text: string, secret: string): number {
  const most = Math.min(secret.length - 1, text.length)
  if (most < FINDABLE) return 0
  /** Up to each place: how long a beginning of the secret ends there too. */
  const again = new Uint32Array(most)
  const longer = (matched: number, code: number): number => {
    let length = matched
    while (length > 0 && code !== secret.charCodeAt(length)) length = again[length - 1] ?? 0
    return code === secret.charCodeAt(length) ? length + 1 : length
  }
  for (let i = 1; i < most; i++) again[i] = longer(again[i - 1] ?? 0, secret.charCodeAt(i))
  let matched = 0
  for (let i = text.length - most; i < text.length; i++) matched = longer(matched, text.charCodeAt(i))
  return matched
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
