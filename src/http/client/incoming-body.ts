import { BodyReader } from '../message/body.ts'
import type { Framing } from '../message/framing.ts'
import type { BodyTarget } from './request.ts'

const DISCARD: BodyTarget = { data: () => undefined, end: () => undefined, failed: () => undefined }

/** The body of the request being served. One object per connection, reused for each request. */
export class IncomingBody {
  #reader: BodyReader | undefined
  #target: BodyTarget | undefined

  begin(framing: Framing): void {
    this.#reader = framing.kind === 'none' ? undefined : new BodyReader(framing)
    this.#target = undefined
  }

  get done(): boolean {
    return this.#reader === undefined || this.#reader.done
  }

  get hasTarget(): boolean {
    return this.#target !== undefined
  }

  streamTo(target: BodyTarget): void {
    this.#target = target
  }

  /** Reads and drops the body from here on. */
  discard(): void {
    this.#target = DISCARD
  }

  /** Returns where the body ended, or the end of the chunk. Throws `Malformed`. */
  read(chunk: Buffer, at: number): number {
    const reader = this.#reader
    const target = this.#target
    if (reader === undefined || target === undefined) return at
    const next = reader.feed(chunk, at, target)
    if (reader.done) target.end()
    else target.flush?.()
    return next
  }

  fail(cause: Error): void {
    const target = this.#target
    this.#target = undefined
    target?.failed(cause)
  }

  /** The request is over: its target hears nothing further. */
  release(): void {
    this.#target = undefined
  }
}
