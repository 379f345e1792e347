import type { Socket } from 'node:net'
import type { Timed } from '../deadlines.ts'
import { HeadReader, RESPONSE_BEGINS } from '../message/head-reader.ts'
import { Output } from '../output.ts'
import type { Reading } from './reading.ts'

/** A call that is under way on a connection. */
export interface OnConnection {
  /** The chunk is lent: true when nothing of it is needed any more, false when it is still being written. */
  bytes(chunk: Buffer): boolean
  drained(): void
  /** The engine ended its side. */
  ended(): void
  /** The connection is gone. */
  closed(error: Error | undefined): void
  late(): void
}

/** One connection to the engine: carries one call at a time. */
export class EngineConnection implements Timed {
  readonly socket: Socket
  readonly reading: Reading
  readonly output: Output
  readonly heads: HeadReader
  deadline = 0
  /** How many calls it has carried. */
  calls = 0
  /** When it became idle, on performance.now's clock. */
  idleSince = 0
  call: OnConnection | undefined
  #error: Error | undefined
  #closedByUs = false

  /** `header`: bytes of a response's head. */
  constructor(reading: Reading, header: number) {
    this.reading = reading
    this.socket = reading.open()
    this.output = new Output(this.socket)
    this.heads = new HeadReader(header, RESPONSE_BEGINS)
    reading.lend((chunk, done) => {
      if (this.#onData(chunk)) done()
    })
    this.socket.on('data', this.#onData)
    this.socket.on('end', this.#onEnd)
    this.socket.on('drain', this.#onDrain)
    this.socket.on('error', (error) => {
      this.#error = error
    })
    this.socket.on('close', this.#onClose)
  }

  get usable(): boolean {
    return !this.socket.destroyed && this.socket.writable && !this.socket.readableEnded
  }

  /** Closes it because the bridge needs it no longer. */
  close(): void {
    this.#closedByUs = true
    this.socket.destroy()
  }

  /** Whether the bridge closed it of its own accord: it was idle, or a client left. */
  get closedByUs(): boolean {
    return this.#closedByUs
  }

  destroy(): void {
    this.socket.destroy()
  }

  expired(): void {
    if (this.call === undefined) this.close()
    else this.call.late()
  }

  /** From now on its bytes are somebody else's. */
  detach(): void {
    this.call = undefined
    this.deadline = 0
    this.reading.lend(undefined)
    this.socket.off('data', this.#onData)
    this.socket.off('end', this.#onEnd)
    this.socket.off('drain', this.#onDrain)
  }

  readonly #onData = (chunk: Buffer): boolean => {
    if (this.call !== undefined) return this.call.bytes(chunk)
    // Bytes that nobody asked for could be taken for the answer to the next request.
    this.destroy()
    return true
  }

  readonly #onDrain = (): void => this.call?.drained()

  readonly #onEnd = (): void => {
    this.call?.ended()
    this.destroy()
  }

  readonly #onClose = (): void => {
    const { call } = this
    this.call = undefined
    call?.closed(this.#error)
  }
}
