import type { Log } from '../../config/log.ts'
import { REPLACES } from '../../translate/replaced/label.ts'
import type { Replacement, ReplacementStore, Stored } from './store.ts'

/** Ids in the state directory, if there is one. Without it replacement still works, and the log warns of the loss. */
export class KeptIds {
  readonly #store: ReplacementStore | undefined
  readonly #log: Pick<Log, 'warn'>
  /** Subjects already mentioned in the log. */
  readonly #told = new Set<string>()

  constructor(store: ReplacementStore | undefined, log: Pick<Log, 'warn'>) {
    this.#store = store
    this.#log = log
  }

  async read(): Promise<readonly Stored[]> {
    try {
      return (await this.#store?.read()) ?? []
    } catch (err) {
      const message = 'the ids of containers that were made anew cannot be read from --state: they are not known'
      this.#once(String(err), { err }, message)
      return []
    }
  }

  async add(replacement: Replacement): Promise<void> {
    await this.#store?.add(replacement).catch((err: Error) => {
      const advice = 'that id is lost when the bridge ends; give --state a writable folder'
      this.#log.warn({ err, id: replacement.client }, `cannot store the id of a recreated container: ${advice}`)
    })
  }

  async remove(replacement: Replacement, where: 'everywhere' | 'here'): Promise<void> {
    await this.#store?.remove(replacement, where).catch((err: Error) => {
      this.#once(err.message, { err }, 'the id of a container that is gone cannot be removed from --state')
    })
  }

  /** Logs once that the label of these containers is ignored: every client can set that label. */
  ignores(containers: readonly string[]): void {
    if (containers.length === 0) return
    const message = `the label ${REPLACES} is ignored on containers that --state knows nothing of: they have their own ids only`
    this.#once(REPLACES, { containers: containers.slice(0, 10), count: containers.length }, message)
  }

  #once(about: string, facts: object, message: string): void {
    if (this.#told.has(about)) return
    this.#told.add(about)
    this.#log.warn(facts, message)
  }
}
