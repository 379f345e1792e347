import { ProxyError } from '../../../api/errors.ts'
import { Output } from './output.ts'
import { Records } from './records.ts'
import type { StreamText } from './view.ts'

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
  /** Is called when what was left for later has been read, without anybody asking: it takes another amount of memory. */
  readonly changed?: () => void
}

/** Makes lines of bytes. */
interface Reader {
  push(chunk: Buffer): void
  /** Reads what it has left for later. */
  read(): void
  letGo(): void
  /** What has come of the line that is not at its end yet, as far as it can be shown. */
  readonly pending: string
  /** How much is left for later. */
  readonly unread: number
  /** What it takes of memory. */
  readonly held: number
  readonly cleaned: number
}

/** A stream while it grows: the end of it, without secrets. What it cannot read, it counts. */
export class GrowingText {
  readonly #limit: number
  /** Those before `#first` are gone. Taking them off one by one would move all others each time. */
  #lines: string[] = []
  #first = 0
  #reader: Reader | undefined
  #kept = 0
  #forgotten = 0
  #bytes = 0
  #withheld: StreamText['withheld']

  constructor(kind: StreamKind, options: Options, withheld: StreamText['withheld'] = undefined) {
    const { operation, limit, secrets, changed = () => undefined } = options
    this.#limit = limit
    this.#withheld = withheld ?? (kind === 'bytes' ? 'bytes' : undefined)
    if (this.#withheld !== undefined) return
    const line = (text: string): void => this.#add(text)
    const lost = (characters: number): void => {
      this.#forgotten += characters
    }
    this.#reader =
      kind === 'records'
        ? new Records(operation, secrets, line)
        : new Output(limit, secrets, { line, lost, gap: () => this.#forget(), changed })
  }

  /** What it takes of memory, about: short lines cost more than their characters, and what is not at its end waits. */
  get held(): number {
    return this.#kept + LINE_COST * this.#lines.length + (this.#reader?.held ?? 0)
  }

  /** How many bytes were looked through for secrets: not those that went by unseen. */
  get cleaned(): number {
    return this.#reader?.cleaned ?? 0
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length
    try {
      this.#reader?.push(chunk)
    } catch (cause) {
      if (!(cause instanceof ProxyError)) throw cause
      this.#withheld = 'unreadable' // a record beyond the bound
      this.#reader = undefined
    }
    this.#trim()
  }

  /** Nobody will look any more. */
  letGo(): void {
    this.#reader?.letGo()
  }

  get view(): StreamText {
    this.#reader?.read()
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
    this.#trim()
  }

  #trim(): void {
    const room = this.#limit - (this.#reader?.unread ?? 0)
    while (this.#kept > room && this.#lines.length - this.#first > 1) {
      const gone = this.#lines[this.#first]?.length ?? 0
      this.#lines[this.#first++] = ''
      this.#kept -= gone
      this.#forgotten += gone
    }
    if (2 * this.#first <= this.#lines.length) return
    this.#lines = this.#lines.slice(this.#first)
    this.#first = 0
  }

  #forget(): void {
    this.#forgotten += this.#kept
    this.#kept = 0
    this.#lines = []
    this.#first = 0
  }
}
