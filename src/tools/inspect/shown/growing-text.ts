import { ProxyError } from '../../../api/errors.ts'
import type { StreamKind } from './kinds.ts'
import { Output } from './output.ts'
import { Records } from './records.ts'
import type { StreamText } from './view.ts'

export interface StreamOptions {
  readonly operation: string | undefined
  /** Limit of characters kept. */
  readonly limit: number
  /** The call's secrets known so far: from headers, query and request. */
  readonly secrets: Set<string>
}

/** A growing stream: keeps its end, and counts bytes that it cannot read. */
export class GrowingText {
  readonly #limit: number
  /** Keeps the end of the stream, without secrets. */
  #reader: Records | Output | undefined
  #bytes = 0
  #withheld: StreamText['withheld']
  /** Until more comes. */
  #view: StreamText | undefined

  constructor(kind: StreamKind, options: StreamOptions, withheld?: StreamText['withheld']) {
    const { operation, limit, secrets } = options
    this.#limit = limit
    this.#withheld = withheld ?? (kind === 'bytes' ? 'bytes' : undefined)
    if (this.#withheld !== undefined) return
    this.#reader = kind === 'records' ? new Records(operation, limit, secrets) : new Output(limit, secrets)
  }

  /** Approximate memory use in bytes. */
  get held(): number {
    return (this.#reader?.held ?? 0) + (this.#view?.text.length ?? 0)
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length
    this.#view = undefined
    try {
      this.#reader?.push(chunk)
    } catch (cause) {
      if (!(cause instanceof ProxyError)) throw cause
      this.#withheld = 'unreadable' // a record above the limit
      this.#reader = undefined
    }
  }

  get view(): StreamText {
    this.#view ??= this.#read()
    return this.#view
  }

  #read(): StreamText {
    const { text: all, forgotten } = this.#reader?.end ?? { text: '', forgotten: 0 }
    const text = lastLines(all, this.#limit)
    return {
      bytes: this.#bytes,
      text,
      forgotten: forgotten + all.length - text.length,
      ...(this.#withheld === undefined ? {} : { withheld: this.#withheld }),
    }
  }
}

/** The last lines that fit, at least one. */
function lastLines(text: string, limit: number): string {
  if (text.length <= limit) return text
  const start = text.indexOf('\n', text.length - limit - 1) + 1
  return text.slice(start > 0 && start < text.length ? start : text.lastIndexOf('\n', text.length - 2) + 1)
}
