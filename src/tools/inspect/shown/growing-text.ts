import { ProxyError } from '../../../api/errors.ts'
import { Output } from './output.ts'
import { Records } from './records.ts'
import type { StreamText } from './view.ts'

/** JavaScript's memory overhead per string, in bytes. */
const LINE_COST = 24

/** A stream's content: JSON records, program output, or bytes that are not shown. */
export type StreamKind = 'records' | 'output' | 'bytes'

interface Options {
  readonly operation: string | undefined
  /** Limit of characters kept. */
  readonly limit: number
  /** The call's secrets known so far: from headers, query and request. */
  readonly secrets: Set<string>
  /** Called after deferred bytes have been read by timer: the memory use has changed. */
  readonly changed?: () => void
}

/** Splits bytes into lines. */
interface Reader {
  push(chunk: Buffer): void
  /** Reads the deferred bytes. */
  read(): void
  letGo(): void
  /** The displayable part of the unfinished line. */
  readonly pending: string
  /** Number of deferred bytes. */
  readonly unread: number
  /** Memory use in bytes. */
  readonly held: number
}

/** A growing stream: keeps its end, without secrets, and counts bytes that it cannot read. */
export class GrowingText {
  readonly #limit: number
  /** Lines before `#first` are dropped. Removing them one by one would move all others each time. */
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

  /** Approximate memory use: short lines cost more than their characters, and the unfinished line is buffered. */
  get held(): number {
    return this.#kept + LINE_COST * this.#lines.length + (this.#reader?.held ?? 0)
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length
    try {
      this.#reader?.push(chunk)
    } catch (cause) {
      if (!(cause instanceof ProxyError)) throw cause
      this.#withheld = 'unreadable' // a record above the limit
      this.#reader = undefined
    }
    this.#trim()
  }

  /** The stream is no longer shown. */
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
