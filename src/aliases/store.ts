import { createHash } from 'node:crypto'
import { lstat, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Address, formatAddress } from '../engine/address.ts'

/** The id that a client knows, and the container that stands for it. */
export interface Replacement {
  readonly client: string
  readonly engine: string
}

const NAME = /^([0-9a-f]{64})\.([0-9a-f]{64})$/

/**
 * Remembers across restarts which container stands for which id. Clients can write everything that an engine keeps
 * (labels come by images, services and commits too), so it is kept in a folder: an empty file for each container, whose
 * name says it all. Nothing is ever half written, and several processes may use the folder at once.
 */
export class ReplacementStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The part of a state folder for the containers of one engine. */
  static of(state: string, engine: Address): ReplacementStore {
    const name = createHash('sha256').update(formatAddress(engine)).digest('hex').slice(0, 16)
    return new ReplacementStore(join(state, 'replaced', name))
  }

  async read(): Promise<Replacement[]> {
    try {
      await this.#check()
      return (await readdir(this.#folder)).flatMap((file) => {
        const [, client, engine] = NAME.exec(file) ?? []
        return client === undefined || engine === undefined ? [] : [{ client, engine }]
      })
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return []
      throw cause
    }
  }

  /** Resolves when it would survive a power cut. */
  async add(replacement: Replacement): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await this.#check()
    await (await open(this.#file(replacement), 'a', 0o600)).close()
    const folder = await open(this.#folder)
    await folder.sync().finally(() => folder.close())
  }

  async remove(replacement: Replacement): Promise<void> {
    await rm(this.#file(replacement), { force: true })
  }

  #file({ client, engine }: Replacement): string {
    return join(this.#folder, `${client}.${engine}`)
  }

  /** Whoever can write there decides which container an id means. */
  async #check(): Promise<void> {
    const stats = await lstat(this.#folder)
    const { uid, mode } = stats
    const isOurs = uid === (process.geteuid?.() ?? uid) && (mode & 0o022) === 0
    if (!stats.isDirectory() || !isOurs)
      throw new Error(
        `${this.#folder} must be a folder of the user enginebridge runs as that nobody else can write (owner ${uid}, mode ${(mode & 0o777).toString(8)})`,
      )
  }
}
