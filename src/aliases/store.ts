import { createHash } from 'node:crypto'
import { lstat, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Address, formatAddress } from '../http/address.ts'

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
 *
 * Ids are valid whatever address their engine had. But what an engine lacks may be another's that shares the state folder:
 * so each address has a folder of its own in it, in which the bridges of that address tidy up.
 */
export class ReplacementStore {
  readonly #all: string
  readonly #engine: Address

  constructor(state: string, engine: Address) {
    this.#all = join(state, 'replaced')
    this.#engine = engine
  }

  get #own(): string {
    return join(this.#all, createHash('sha256').update(formatAddress(this.#engine)).digest('hex').slice(0, 16))
  }

  async read(): Promise<Replacement[]> {
    const found: Replacement[] = []
    for (const folder of await this.#folders())
      for (const file of await this.#filesOf(folder)) {
        const [, client, engine] = NAME.exec(file) ?? []
        if (client !== undefined && engine !== undefined) found.push({ client, engine })
      }
    return found
  }

  /** Resolves when it would survive a power cut. */
  async add(replacement: Replacement): Promise<void> {
    await mkdir(this.#own, { recursive: true, mode: 0o700 })
    await check(this.#own)
    await (await open(join(this.#own, fileOf(replacement)), 'a', 0o600)).close()
    const folder = await open(this.#own)
    await folder.sync().finally(() => folder.close())
  }

  /** For a container that is gone, whatever address its engine had. */
  async remove(replacement: Replacement): Promise<void> {
    for (const folder of await this.#folders()) await rm(join(folder, fileOf(replacement)), { force: true })
  }

  /** For a container that the engine of this address does not have. */
  async tidy(replacement: Replacement): Promise<void> {
    await rm(join(this.#own, fileOf(replacement)), { force: true })
  }

  async #folders(): Promise<string[]> {
    try {
      const entries = await readdir(this.#all, { withFileTypes: true })
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(this.#all, name))
    } catch (cause) {
      if (isMissing(cause)) return []
      throw cause
    }
  }

  async #filesOf(folder: string): Promise<string[]> {
    try {
      await check(folder)
      return await readdir(folder)
    } catch (cause) {
      if (folder !== this.#own) return [] // of a bridge that runs as another user
      throw cause
    }
  }
}

const fileOf = ({ client, engine }: Replacement): string => `${client}.${engine}`

const isMissing = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'

/** Whoever can write there decides which container an id means. */
async function check(folder: string): Promise<void> {
  const stats = await lstat(folder)
  const isOurs = stats.uid === (process.geteuid?.() ?? stats.uid) && (stats.mode & 0o022) === 0
  if (stats.isDirectory() && isOurs) return
  const found = `owner ${stats.uid}, mode ${(stats.mode & 0o777).toString(8)}`
  throw new Error(
    `${folder} must be a folder of the user enginebridge runs as that nobody else can write (${found}): remove it`,
  )
}
