import type { ResponseMessage } from '../../translate/message.ts'
import { carryTranslated, type EngineHead, type Receiver } from '../engine-side/engine-response.ts'
import type { Exchange } from '../exchange.ts'
import { sendHead, translateHead } from '../local/reply.ts'

/** Bytes kept from the end of a stream for what runs after it. */
const TAIL = 64 * 1024

/** Passes bodies through in both directions; the head may still be translated. */
export const passLane = (exchange: Exchange): Promise<void> =>
  carryTranslated(exchange, (head) => passThrough(exchange, head))

/** Passes a body through with its chunks and with backpressure; the head is written together with the first piece. */
export function passThrough(exchange: Exchange, head: EngineHead): Receiver {
  const message = translateHead(exchange, head.status, head.headers)
  if (mayAdd(exchange)) return passAndAdd(exchange, message, head)
  return new PassedThrough(exchange, message, head)
}

/** A step of the request that calls the engine may append to the response. */
const mayAdd = ({ plan, context }: Exchange): boolean => plan.request.asks && context.afterwards.length > 0

class PassedThrough implements Receiver {
  readonly #exchange: Exchange
  readonly #head: EngineHead

  constructor(exchange: Exchange, message: ResponseMessage, head: EngineHead) {
    this.#exchange = exchange
    this.#head = head
    sendHead(exchange, message, head)
    exchange.clientResponse.onDrain(() => head.call.resume())
  }

  data(piece: Buffer, begins: number): void {
    const { clientResponse, entry, observer } = this.#exchange
    entry.bytesOut += piece.length
    observer?.body('clientResponse', piece)
    clientResponse.write(piece, begins)
  }

  flush(): void {
    if (!this.#exchange.clientResponse.flush()) this.#head.call.pause()
  }

  end(): void {
    this.#exchange.clientResponse.end()
  }
}

function passAndAdd(exchange: Exchange, message: ResponseMessage, head: EngineHead): Receiver {
  message.headers.delete('Content-Length')
  const passed = new PassedThrough(exchange, message, head)
  let tail: Buffer = Buffer.alloc(0)
  return {
    data: (piece, begins) => {
      tail = Buffer.concat([tail, piece]).subarray(-TAIL)
      passed.data(piece, begins)
    },
    flush: () => passed.flush(),
    end: () => {
      passed.flush()
      return runAfterwards(exchange, tail.toString())
    },
  }
}

async function runAfterwards({ clientResponse, entry, context, observer }: Exchange, tail: string): Promise<void> {
  for (const run of context.afterwards) {
    const more = Buffer.from(await run(tail))
    entry.bytesOut += more.length
    observer?.body('clientResponse', more)
    clientResponse.write(more)
    clientResponse.flush()
  }
  clientResponse.end()
}
