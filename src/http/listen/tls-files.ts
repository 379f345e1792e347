import { unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import tls from 'node:tls'
import type { Log } from '../../config/log.ts'
import { messageOf } from '../../config/text.ts'

/** Paths of PEM files. */
export interface TlsPaths {
  readonly cert: string | undefined
  readonly key: string | undefined
  readonly ca: string | undefined
}

export interface TlsContents {
  readonly cert?: Buffer
  readonly key?: Buffer
  readonly ca?: Buffer
}

/** Docker's minimum since 20.10. Set explicitly, so that no command line flag of Node lowers it. */
export const MIN_TLS_VERSION = 'TLSv1.2'

/**
 * Files are polled, because tools that renew certificates rename links and directories (Kubernetes, certbot), which a
 * watch on the file misses.
 */
const LOOK_MS = 2_000

/** Certificates that can be replaced at runtime: new connections use the new ones. */
export class TlsFiles {
  readonly #paths: TlsPaths
  readonly #log: Pick<Log, 'info' | 'error'>
  readonly #users: (() => void)[] = []
  #contents: TlsContents
  readonly #changed = (): void => void this.reload()

  private constructor(paths: TlsPaths, contents: TlsContents, log: Pick<Log, 'info' | 'error'>) {
    this.#paths = paths
    this.#contents = contents
    this.#log = log
    for (const path of this.#files()) watchFile(path, { interval: LOOK_MS, persistent: false }, this.#changed)
  }

  /** Rejects if a file is unreadable or if certificate and key do not match. */
  static async open(paths: TlsPaths, log: Pick<Log, 'info' | 'error'>): Promise<TlsFiles> {
    return new TlsFiles(paths, await load(paths), log)
  }

  get contents(): TlsContents {
    return this.#contents
  }

  /** Calls `use` after every change to another valid set. */
  onChange(use: () => void): void {
    this.#users.push(use)
  }

  /** Reads the files again; keeps the current certificates if the new ones are invalid. */
  async reload(): Promise<void> {
    try {
      const contents = await load(this.#paths)
      if (same(contents, this.#contents)) return
      this.#contents = contents
      for (const use of this.#users) use()
      this.#log.info({}, `certificates reloaded: ${this.#files().join(', ')}`)
    } catch (cause) {
      this.#log.error({ err: cause }, 'the new certificates are invalid; the old ones stay in use')
    }
  }

  close(): void {
    for (const path of this.#files()) unwatchFile(path, this.#changed)
  }

  #files(): string[] {
    const { cert, key, ca } = this.#paths
    return [cert, key, ca].filter((path) => path !== undefined)
  }
}

async function load(paths: TlsPaths): Promise<TlsContents> {
  const read = async (name: keyof TlsPaths): Promise<TlsContents> => {
    const path = paths[name]
    return path === undefined ? {} : { [name]: await readFile(path) }
  }
  const contents: TlsContents = { ...(await read('cert')), ...(await read('key')), ...(await read('ca')) }
  try {
    tls.createSecureContext({ ...contents, minVersion: MIN_TLS_VERSION })
  } catch (cause) {
    const files = Object.values(paths).filter((path) => path !== undefined)
    throw new Error(`${files.join(', ')} cannot be used for TLS: ${messageOf(cause)}`, { cause })
  }
  return contents
}

const same = (a: TlsContents, b: TlsContents): boolean =>
  (['cert', 'key', 'ca'] as const).every((name) => {
    const [one, other] = [a[name], b[name]]
    return one === undefined || other === undefined ? one === other : one.equals(other)
  })
