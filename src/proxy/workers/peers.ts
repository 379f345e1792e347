import type { Claim, Container, Peers } from '../../engine/replaced/exclusive.ts'
import type { FromWorker } from './messages.ts'

/** A worker's access to the other workers, through the primary. */
export class WorkerPeers implements Peers {
  readonly #send: (message: FromWorker) => void
  readonly #waiting = new Map<number, (claim: Claim) => void>()
  #number = 0

  constructor(send: (message: FromWorker) => void) {
    this.#send = send
  }

  claim({ id, name }: Container): Promise<Claim> {
    const claim = ++this.#number
    const { promise, resolve } = Promise.withResolvers<Claim>()
    this.#waiting.set(claim, resolve)
    this.#send({ kind: 'claim', claim, id, name })
    return promise
  }

  claimed(claim: number, watched: boolean): void {
    this.#waiting.get(claim)?.({ watched, release: () => this.#send({ kind: 'released', claim }) })
    this.#waiting.delete(claim)
  }

  replaced(client: string, engine: string): void {
    this.#send({ kind: 'replaced', client, engine })
  }

  forgotten(engine: string): void {
    this.#send({ kind: 'forgotten', engine })
  }
}
