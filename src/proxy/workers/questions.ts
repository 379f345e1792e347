import type { FromWorker, Subject } from './messages.ts'
import type { Member } from './worker-pool.ts'

const PATIENCE_MS = 5_000

interface Asked {
  readonly of: Member
  readonly resolve: (answer: unknown) => void
  readonly reject: (problem: Error) => void
}

/** Queries from the primary to its workers. */
export class Questions {
  readonly #asked = new Map<number, Asked>()
  #number = 0

  /** Rejects when the worker ends, or does not answer in time. `patienceMs` 0: no timeout. */
  ask(of: Member, about: Subject, patienceMs = PATIENCE_MS): Promise<unknown> {
    const question = ++this.#number
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#asked.set(question, { of, resolve, reject })
    of.tell({ kind: 'ask', question, about })
    const late = (): void => reject(new Error(`worker ${of.worker} does not answer`))
    const timer = patienceMs > 0 ? setTimeout(late, patienceMs) : undefined
    return promise.finally(() => {
      clearTimeout(timer)
      this.#asked.delete(question)
    })
  }

  answered({ question, answer, problem }: Extract<FromWorker, { kind: 'answer' }>): void {
    const asked = this.#asked.get(question)
    if (problem === undefined) asked?.resolve(answer)
    else asked?.reject(new Error(problem))
  }

  left(member: Member): void {
    for (const { of, reject } of this.#asked.values())
      if (of === member) reject(new Error(`worker ${member.worker} has ended`))
  }
}
