import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** What a client may have written ahead. Nobody pipelines calls to an engine; who writes more is cut off. */
const MOST_AHEAD = 100

interface Turn {
  readonly req: IncomingMessage
  /** Never rejects. */
  readonly over: Promise<void>
  /** How many before it are not over. */
  ahead: number
}

const TURN = Symbol('turn')

/** A connection has its newest turn with it: a table of them would be searched four times for each call. */
type Connection = Duplex & { [TURN]?: Turn | undefined }

/**
 * The calls of a connection, one after the other: a client may write its next request before it has the answer, and
 * engines work them off in order (net/http), so that a create written before a start is there for it.
 */
export class Turns {
  readonly #failed: (req: IncomingMessage, cause: unknown) => void

  /** `failed` hears of work that rejects. */
  constructor(failed: (req: IncomingMessage, cause: unknown) => void) {
    this.#failed = failed
  }

  /** Does the work of a request when those before it on its connection are over. */
  take(connection: Connection, req: IncomingMessage, work: () => Promise<void>): void {
    const before = connection[TURN]
    if (before !== undefined && before.ahead >= MOST_AHEAD) {
      connection.destroy()
      return
    }
    const done = (): void => {
      const newest = connection[TURN]
      if (newest === turn) connection[TURN] = undefined
      else if (newest !== undefined) newest.ahead--
    }
    const failed = (cause: unknown): void => {
      this.#failed(req, cause)
      done()
    }
    const over = (before === undefined ? work() : before.over.then(work)).then(done, failed)
    const turn: Turn = { req, over, ahead: before === undefined ? 0 : before.ahead + 1 }
    connection[TURN] = turn
  }

  /** The newest call of a connection that is under way or waits. */
  last(connection: Connection): Readonly<Turn> | undefined {
    return connection[TURN]
  }
}
