import { carryTranslated, type EngineHead, type Receiver } from '../engine-side/engine-response.ts'
import type { Exchange } from '../exchange.ts'
import { sendHead, translateHead } from '../local/reply.ts'

/** Bytes kept from the end of a stream for what runs after it. */
const TAIL = 64 * 1024

/** Passes bodies through in both directions; the head may still be translated. */
export const passLane = (exchange: Exchange): Promise<void> =>
  carryTranslated(exchange, (head) => new PassedThrough(exchange, head))

/** Passes a body through with its chunks and with backpressure; the head is written together with the first piece. */
export class PassedThrough implements Receiver {
  readonly #exchange: Exchange
  readonly #head: EngineHead
  /** The end of the stream, if a step of the request appends to it. */
  #tail: Buffer | undefined

  constructor(exchange: Exchange, head: EngineHead) {
    const { plan, clientResponse } = exchange
    const message = translateHead(exchange, head.status, head.headers)
    if (plan.request.asks && exchange.context.afterwards.length > 0) {
      this.#tail = Buffer.alloc(0)
      message.headers.delete('Content-Length')
    }
    this.#exchange = exchange
    this.#head = head
    sendHead(exchange, message, head)
    clientResponse.onDrain(() => head.call.resume())
  }

  data(piece: Buffer, begins: number): void {
    if (this.#tail !== undefined) this.#tail = Buffer.concat([this.#tail, piece]).subarray(-TAIL)
    this.#write(piece, begins)
  }

  flush(): void {
    if (!this.#exchange.clientResponse.flush()) this.#head.call.pause()
  }

  end(): void | Promise<void> {
    if (this.#tail !== undefined) return this.#append(this.#tail.toString())
    this.#exchange.clientResponse.end()
  }

  async #append(tail: string): Promise<void> {
    this.flush()
    for (const run of this.#exchange.context.afterwards) {
      const more = Buffer.from(await run(tail))
      this.#write(more)
      this.#exchange.clientResponse.flush()
    }
    this.#exchange.clientResponse.end()
  }

  #write(piece: Buffer, begins?: number): void {
    const { clientResponse, entry, observer } = this.#exchange
    entry.bytesOut += piece.length
    observer?.body('clientResponse', piece)
    clientResponse.write(piece, begins)
  }
}
