import { createHash } from 'node:crypto'
import { lstat, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type EngineAddress, formatAddress } from '../../http/address.ts'
import { isFullId } from '../../translate/replaced/label.ts'

/** The client's id of a container, which create has returned, and the engine's. */
export interface Replacement {
  readonly client: string
  readonly engine: string
}

/** A replacement in the state directory. `here`: in the folder of this address, whose bridges may remove it. */
export interface Stored extends Replacement {
  readonly here: boolean
}

const NAME = /^([0-9a-f]{64})\.([0-9a-f]{64})$/

/**
 * Stores the ids of replaced containers across restarts. Clients can write everything an engine keeps (labels also come
 * from images, services and commits), so the ids are in a directory: an empty file per container with both ids in its
 * name. Writes are atomic, and several processes may share the directory.
 * Ids are valid at any address. But an id that one engine lacks may belong to another engine that shares the directory,
 * so each address has a subdirectory, in which only the bridges of that address clean up.
 */
export class ReplacementStore {
  readonly #state: string
  readonly #all: string
  readonly #engine: EngineAddress
  #folder: string | undefined

  constructor(state: string, engine: EngineAddress) {
    this.#state = resolve(state) // resolve: with a trailing slash lstat would follow a symlink
    this.#all = join(this.#state, 'replaced')
    this.#engine = engine
  }

  /** The folder of this address. Most bridges replace nothing and never load node:crypto for it. */
  get #own(): string {
    const digest = () => createHash('sha256').update(formatAddress(this.#engine)).digest('hex')
    this.#folder ??= join(this.#all, digest().slice(0, 16))
    return this.#folder
  }

  async read(): Promise<Stored[]> {
    const found = await this.#inFolders(async (folder) => storedIn(await readdir(folder), folder === this.#own))
    return found.flat()
  }

  /** Resolves when it is durable. */
  async add(replacement: Replacement): Promise<void> {
    const file = fileOf(replacement)
    for (const folder of [this.#state, this.#all, this.#own]) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await check(folder)
    }
    await (await open(join(this.#own, file), 'a', 0o600)).close()
    const folder = await open(this.#own)
    await folder.sync().finally(() => folder.close())
  }

  /** Removes a gone container: `everywhere`, or `here` if only the engine at this address is known not to have it. */
  async remove(replacement: Replacement, where: 'everywhere' | 'here'): Promise<void> {
    const file = fileOf(replacement)
    await this.#inFolders((folder) => rm(join(folder, file), { force: true }), where)
  }

  /**
   * Visits the folders of all addresses, or of this one. Skips folders of other users. There are none before the first
   * `add`.
   */
  async #inFolders<T>(visit: (folder: string) => Promise<T>, where?: 'everywhere' | 'here'): Promise<T[]> {
    if (!(await exists(where === 'here' ? this.#own : this.#all))) return []
    await check(this.#state)
    await check(this.#all)
    const folders = where === 'here' ? [this.#own] : await foldersIn(this.#all)
    const results: T[] = []
    for (const folder of folders) {
      try {
        await check(folder)
        results.push(await visit(folder))
      } catch (cause) {
        if (folder === this.#own) throw cause
      }
    }
    return results
  }
}

const foldersIn = async (path: string): Promise<string[]> =>
  (await readdir(path, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name))

function storedIn(files: readonly string[], here: boolean): Stored[] {
  return files.flatMap((file) => {
    const [, client, engine] = NAME.exec(file) ?? []
    return client === undefined || engine === undefined ? [] : [{ client, engine, here }]
  })
}

/** An engine's id could be anything, including a path. */
function fileOf({ client, engine }: Replacement): string {
  const other = [client, engine].find((id) => !isFullId(id))
  if (other === undefined) return `${client}.${engine}`
  throw new Error(`${JSON.stringify(other.slice(0, 100))} is not a container id: expected 64 digits (0-9, a-f)`)
}

async function exists(path: string): Promise<boolean> {
  const found = await lstat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause
  })
  return found !== undefined
}

/** Anyone who can write there controls what an id means. */
async function check(folder: string): Promise<void> {
  const stats = await lstat(folder)
  const isTrusted = stats.uid === 0 || stats.uid === (process.geteuid?.() ?? stats.uid)
  if (stats.isDirectory() && isTrusted && (stats.mode & 0o022) === 0) return
  const found = `${stats.isSymbolicLink() ? 'a link, ' : ''}owner ${stats.uid}, mode ${(stats.mode & 0o777).toString(8)}`
  throw new Error(
    `${folder} must be a folder of the user enginebridge runs as, or of root, that no other user can write (${found}): give it to that user alone, or remove it`,
  )
}
