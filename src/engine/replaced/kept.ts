import type { Log } from '../../config/log.ts'
import { REPLACES } from '../../translate/replaced/label.ts'
import type { Replacement, ReplacementStore } from './store.ts'

/** The ids in the folder, where there is one. Containers are made anew without it too: then the log says what is lost. */
export class KeptIds {
  readonly #store: ReplacementStore | undefined
  readonly #log: Pick<Log, 'warn'>
  /** Of what the log has told already. */
  readonly #told = new Set<string>()

  constructor(store: ReplacementStore | undefined, log: Pick<Log, 'warn'>) {
    this.#store = store
    this.#log = log
  }

  async read(): Promise<readonly Replacement[]> {
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
      const advice = 'once the bridge has ended nobody knows it by that id; give --state a folder that can be written'
      this.#log.warn({ err, id: replacement.client }, `the id of a container made anew cannot be kept: ${advice}`)
    })
  }

  remove = (replacement: Replacement): Promise<void> => this.#without(this.#store?.remove(replacement))
  tidy = (replacement: Replacement): Promise<void> => this.#without(this.#store?.tidy(replacement))

  async #without(removal: Promise<void> | undefined): Promise<void> {
    await removal?.catch((err: Error) => {
      this.#once(err.message, { err }, 'the id of a container that is gone cannot be removed from --state')
    })
  }

  /** Containers that say they stand for another id. Told once: anybody can make such. */
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
