import { ProxyError } from '../../api/errors.ts'
import { ByteCollector } from '../../http/byte-collector.ts'
import { LINGER_MS } from '../../http/client/connection.ts'
import type { EngineCall, EngineTunnel } from '../../http/engine/request.ts'
import type { ReadonlyHeaders } from '../../http/headers.ts'
import type { Exchange } from '../exchange.ts'
import { type Finished, finishError, send, showFinished } from './reply.ts'

/** Takes the body of a response; created when its head has arrived. */
export interface Receiver {
  /**
   * `piece` is only valid during the call: copy it to keep it. `begins`: size of the chunk that starts with this piece;
   * 0 inside a chunk and without chunked coding.
   */
  data(piece: Buffer, begins: number): void
  /** Called after all pieces of one socket read. */
  flush?(): void
  end(): void | Promise<void>
  /** The engine broke off after the client's response had been ended or switched. */
  failed?(): void
}

export interface EngineHead {
  readonly status: number
  readonly reason: string
  readonly headers: ReadonlyHeaders
  readonly call: EngineCall
  /** Ends the call with an error that came up after `data` or `flush` had returned. */
  readonly fail: (cause: unknown) => void
}

/** The head of a response that switched the protocol. */
export type SwitchedHead = Omit<EngineHead, 'call' | 'fail'>

/** Chooses the receiver of a successful response's body. */
export type Receive = (head: EngineHead) => Receiver

/** Takes over a connection that the engine has switched. */
export type Switched = (head: SwitchedHead, tunnel: EngineTunnel) => Promise<void>

type Finishing = Finished | 'gone'

/** Answers an error as a stream that ends at once. */
function endSwitched({ clientResponse, entry }: Exchange, { headers }: Finished): void {
  headers.delete('Content-Length')
  const { socket } = clientResponse.switch(101, 'UPGRADED', headers)
  socket.resume().end()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
  entry.endedBy ??= 'engine'
}

/** Collects a body up to a limit, then finishes it. */
export function collect(
  exchange: Exchange,
  head: EngineHead,
  limit: number,
  finish: (body: Buffer) => Finishing | Promise<Finishing>,
): Receiver {
  const collector = new ByteCollector()
  exchange.entry.timing.waitForEngine()
  const finishWith = (finished: Finishing): void => {
    const { clientResponse, entry } = exchange
    if (finished === 'gone' || clientResponse.gone) {
      // The call has ended or is ending: nothing more is recorded or shown.
      entry.endedBy ??= 'client'
      return
    }
    showFinished(exchange, finished)
    if (finished.status === 101) {
      endSwitched(exchange, finished)
      return
    }
    // A client that takes the connection without an upgrade reads until its end.
    if (finished.status === 200 && entry.decision?.lane === 'tunnel') clientResponse.closeAfter()
    send(clientResponse, finished, head)
  }
  return {
    data: (piece) => {
      collector.add(piece, true)
      if (collector.size > limit)
        throw new ProxyError('engine-broke-off', `the engine's response is larger than ${limit} bytes`)
    },
    end: async () => {
      exchange.entry.timing.engineResponded()
      const body = collector.whole()
      collector.clear() // the pieces would be held beside the body while a large list is translated
      finishWith(await finish(body))
    },
  }
}

export const collectError = (exchange: Exchange, head: EngineHead): Receiver =>
  collect(exchange, head, exchange.core.limits['max-error-body'], (body) =>
    finishError(exchange, head.status, head.headers, body),
  )
