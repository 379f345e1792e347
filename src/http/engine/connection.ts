import type { Socket } from 'node:net'
import type { Timed } from '../deadlines.ts'
import { HeadReader, RESPONSE_BEGINS } from '../message/head-reader.ts'
import { Output } from '../output.ts'
import type { BufferLender } from './buffer-lender.ts'

/** The call in progress on a connection. */
export interface OnConnection {
  /** The chunk is lent. Returns false while it is still being written. */
  bytes(chunk: Buffer): boolean
  drained(): void
  ended(): void
  closed(error: Error | undefined): void
  timedOut(): void
}

/** One connection to the engine, for one call at a time. */
export class EngineConnection implements Timed {
  readonly socket: Socket
  readonly lender: BufferLender
  readonly output: Output
  readonly heads: HeadReader
  deadline = 0
  /** Calls so far. */
  calls = 0
  /** By `performance.now()`. */
  idleSince = 0
  call: OnConnection | undefined
  closedByUs = false
  #error: Error | undefined

  /** `header`: maximum bytes of a response head. */
  constructor(lender: BufferLender, header: number) {
    this.lender = lender
    this.socket = lender.socket
    this.output = new Output(this.socket)
    this.heads = new HeadReader(header, RESPONSE_BEGINS)
    lender.lend((chunk, done) => {
      if (this.#onData(chunk)) done()
    })
    this.socket.on('data', this.#onData)
    this.socket.on('end', this.#onEnd)
    this.socket.on('drain', this.#onDrain)
    this.socket.on('error', (error) => {
      this.#error ??= error // an alert of TLS says more than the reset behind it
    })
    this.socket.on('close', this.#onClose)
  }

  get usable(): boolean {
    return !this.socket.destroyed && this.socket.writable && !this.socket.readableEnded
  }

  /** Closes it on the bridge's initiative, unless the engine has ended it. */
  close(): void {
    this.closedByUs ||= !this.socket.destroyed && !this.socket.readableEnded
    this.socket.destroy()
  }

  expired(): void {
    if (this.call === undefined) this.close()
    else this.call.timedOut()
  }

  /** Stops handling the socket, which now belongs to a tunnel. */
  detach(): void {
    this.call = undefined
    this.deadline = 0
    this.lender.lend(undefined)
    this.socket.off('data', this.#onData)
    this.socket.off('end', this.#onEnd)
    this.socket.off('drain', this.#onDrain)
  }

  readonly #onData = (chunk: Buffer): boolean => {
    if (this.call !== undefined) return this.call.bytes(chunk)
    // Unexpected bytes could be mistaken for the response to the next request.
    this.socket.destroy()
    return true
  }

  readonly #onDrain = (): void => this.call?.drained()

  readonly #onEnd = (): void => {
    if (this.#error === undefined) this.call?.ended()
    this.socket.destroy()
  }

  readonly #onClose = (): void => {
    const { call } = this
    this.call = undefined
    call?.closed(this.#error)
  }
}
