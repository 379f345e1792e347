import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** What a client may have written ahead. Nobody pipelines calls to an engine; who writes more is cut off. */
const MOST_AHEAD = 100

interface Turn {
  readonly req: IncomingMessage
  readonly over: Promise<void>
  readonly ahead: number
}

/**
 * The calls of a connection, one after the other: a client may write its next request before it has the answer, and
 * engines work them off in order (net/http), so that a create written before a start is there for it.
 */
export class Turns {
  /** Of connections that have one: every turn ends, and takes itself out. */
  readonly #last = new Map<Duplex, Turn>()

  /** Does the work of a request when those before it on its connection are over. */
  take(socket: Duplex, req: IncomingMessage, work: () => Promise<void>): void {
    const before = this.#last.get(socket)
    if (before !== undefined && before.ahead >= MOST_AHEAD) {
      socket.destroy()
      return
    }
    const over = before === undefined ? work() : before.over.then(work)
    const turn: Turn = { req, over, ahead: before === undefined ? 0 : before.ahead + 1 }
    this.#last.set(socket, turn)
    void over.then(() => {
      if (this.#last.get(socket) === turn) this.#last.delete(socket)
    })
  }

  /** The newest call of a connection that is under way or waits. */
  last(socket: Duplex): Turn | undefined {
    return this.#last.get(socket)
  }
}
