import type { BodyRewriter, ResponseMessage } from '../../translate/message.ts'
import { carryTranslated } from '../engine-side/engine-response.ts'
import type { EngineHead, Receiver } from '../engine-side/receiver.ts'
import type { Exchange } from '../exchange.ts'
import { sendHead, translateHead } from '../local/reply.ts'

/** Passes bodies through in both directions; the head may still be translated. */
export const passLane = (exchange: Exchange): Promise<void> =>
  carryTranslated(exchange, (head) => new PassedThrough(exchange, head))

/** Bytes kept from the end of a stream for the functions in `afterwards`. */
const TAIL = 64 * 1024

/** Passes a body through with its chunks and with backpressure; the head is written together with the first piece. */
export class PassedThrough implements Receiver {
  protected readonly exchange: Exchange
  protected readonly head: EngineHead
  /** The head as the client gets it. */
  protected readonly message: ResponseMessage
  /** The end of the stream so far; undefined if no step of the request appends to the stream. */
  #tail: Buffer | undefined
  readonly #rewriter: BodyRewriter | undefined

  constructor(exchange: Exchange, head: EngineHead, length: 'kept' | 'changed' = 'kept') {
    this.exchange = exchange
    this.head = head
    this.message = translateHead(exchange, head.status, head.headers)
    if (exchange.plan.request.callsEngine && exchange.context.afterwards.length > 0) this.#tail = Buffer.alloc(0)
    this.#rewriter = exchange.plan.response.head.length > 0 ? exchange.context.rewriter : undefined
    if (length === 'changed' || this.#tail !== undefined || this.#rewriter !== undefined)
      this.message.headers.delete('Content-Length')
    sendHead(exchange, this.message, head)
    exchange.clientResponse.onDrain(() => this.isFull || head.call.resume())
  }

  /** Whether reading from the engine must pause. */
  protected get isFull(): boolean {
    return false
  }

  data(piece: Buffer, begins: number): void {
    if (this.#tail !== undefined) this.#tail = Buffer.concat([this.#tail, piece]).subarray(-TAIL)
    if (this.#rewriter === undefined) this.#write(piece, begins)
    else for (const part of this.#rewriter.push(piece)) this.#write(part)
  }

  flush(): void {
    if (!this.exchange.clientResponse.flush() || this.isFull) this.head.call.pause()
  }

  end(): void | Promise<void> {
    if (this.#rewriter !== undefined) this.#write(this.#rewriter.rest())
    if (this.#tail !== undefined) return this.#append(this.#tail.toString())
    this.exchange.clientResponse.end()
  }

  async #append(tail: string): Promise<void> {
    this.flush()
    for (const run of this.exchange.context.afterwards) {
      this.#write(Buffer.from(await run(tail)))
      this.exchange.clientResponse.flush()
    }
    this.exchange.clientResponse.end()
  }

  #write(piece: Buffer, begins?: number): void {
    const { clientResponse, entry, observer } = this.exchange
    entry.bytesOut += piece.length
    observer?.body('clientResponse', piece)
    clientResponse.write(piece, begins)
  }
}
