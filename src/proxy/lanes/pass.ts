import type { BodyRewriter, ResponseMessage } from '../../translate/message.ts'
import { carryTranslated } from '../engine-side/engine-response.ts'
import type { EngineHead, Receiver } from '../engine-side/receiver.ts'
import { sendHead, translateHead } from '../engine-side/reply.ts'
import type { Exchange } from '../exchange.ts'

/** Passes bodies through in both directions; the head may still be translated. */
export const passLane = (exchange: Exchange): Promise<void> =>
  carryTranslated(exchange, (head) => new PassedThrough(exchange, head))

/** Passes a body through with its chunks and with backpressure; the head is written together with the first piece. */
export class PassedThrough implements Receiver {
  protected readonly exchange: Exchange
  protected readonly head: EngineHead
  /** The head as the client gets it. */
  protected readonly message: ResponseMessage
  readonly #rewriter: BodyRewriter | undefined = undefined

  constructor(exchange: Exchange, head: EngineHead, length: 'kept' | 'changed' = 'kept') {
    this.exchange = exchange
    this.head = head
    this.message = translateHead(exchange, head.status, head.headers)
    const { request, response } = exchange.plan
    if (request.callsEngine || response.head.length > 0) this.#rewriter = exchange.context.rewriter
    if (length === 'changed' || this.#rewriter !== undefined) this.message.headers.delete('Content-Length')
    sendHead(exchange, this.message, head)
    exchange.clientResponse.onDrain(() => this.isFull || head.call.resume())
  }

  /** Whether reading from the engine must pause. */
  protected get isFull(): boolean {
    return false
  }

  data(piece: Buffer, begins: number): void {
    if (this.#rewriter === undefined) this.#write(piece, begins)
    else for (const part of this.#rewriter.push(piece)) this.#write(part, part === piece ? begins : undefined)
  }

  flush(): void {
    if (!this.exchange.clientResponse.flush() || this.isFull) this.head.call.pause()
  }

  end(): void | Promise<void> {
    const rest = this.#rewriter?.rest()
    if (!(rest instanceof Promise)) return this.#finish(rest)
    this.flush()
    return rest.then((bytes) => this.#finish(bytes))
  }

  #finish(rest: Buffer | undefined): void {
    if (rest !== undefined) this.#write(rest)
    this.exchange.clientResponse.end()
  }

  #write(piece: Buffer, begins?: number): void {
    const { clientResponse, entry, observer } = this.exchange
    entry.bytesOut += piece.length
    observer?.body('clientResponse', piece)
    clientResponse.write(piece, begins)
  }
}
