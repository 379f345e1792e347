import type { EngineHead } from '../engine-side/engine-response.ts'
import type { Exchange } from '../exchange.ts'

/** The engine is not read further while so many records wait. */
const MAX_WAITING = 64

/** Records whose translation makes further calls: sent one after the other. */
export class RecordQueue {
  readonly #exchange: Exchange
  readonly #head: EngineHead
  #turn: Promise<void> = Promise.resolve()
  #waiting = 0

  constructor(exchange: Exchange, head: EngineHead) {
    this.#exchange = exchange
    this.#head = head
  }

  get full(): boolean {
    return this.#waiting >= MAX_WAITING
  }

  add(record: Buffer, send: (record: Buffer) => Promise<unknown>): void {
    this.#waiting++
    this.#turn = this.#turn.then(() => this.#take(() => send(record)))
    this.#turn.catch((cause: unknown) => this.#head.fail(cause))
  }

  /** Resolves when all records have been sent. */
  over(): Promise<void> {
    return this.#turn
  }

  async #take(send: () => Promise<unknown>): Promise<void> {
    const { clientResponse } = this.#exchange
    if (!clientResponse.gone && !clientResponse.ended) await send()
    this.#waiting--
    if (clientResponse.gone || clientResponse.ended) return
    if (clientResponse.flush() && !this.full) this.#head.call.resume()
  }
}
