import { createPrivateKey, X509Certificate } from 'node:crypto'
import { unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import tls from 'node:tls'
import { isDeepStrictEqual } from 'node:util'
import { BadConfig } from '../../config/bad-config.ts'
import type { Log } from '../../config/log.ts'
import { messageOf } from '../../config/text.ts'
import { inTurn } from '../../config/within.ts'

/** Paths of PEM files, by their names in node:tls. */
export type TlsPaths = Readonly<Partial<Record<'cert' | 'key' | 'ca', string>>>
type TlsContents = Readonly<Partial<Record<keyof TlsPaths, Buffer>>>

/** Which certificates of the other side are checked, by the options' names in node:tls. */
type TlsChecks = Readonly<Pick<tls.TlsOptions, 'requestCert' | 'rejectUnauthorized'>>

/** Docker's minimum since 20.10. Set explicitly, so that no command line flag of Node lowers it. */
const MIN_TLS_VERSION = 'TLSv1.2'

/**
 * Files are polled, because tools that renew certificates rename links and directories (Kubernetes, certbot), which a
 * watch on the file misses.
 */
const LOOK_MS = 2_000

/** Certificates that can be replaced at runtime: new connections use the new ones. */
export class TlsFiles {
  readonly #paths: TlsPaths
  readonly #checks: TlsChecks
  readonly #log: Log
  readonly #servers: tls.Server[] = []
  #contents: TlsContents
  readonly #changed = (): void => void this.reload()

  private constructor(paths: TlsPaths, contents: TlsContents, checks: TlsChecks, log: Log) {
    this.#paths = paths
    this.#contents = contents
    this.#checks = checks
    this.#log = log
    for (const path of Object.values(paths)) watchFile(path, { interval: LOOK_MS, persistent: false }, this.#changed)
  }

  /** Rejects if a file is unreadable or if certificate and key do not match. */
  static async open(paths: TlsPaths, checks: TlsChecks, log: Log): Promise<TlsFiles> {
    return new TlsFiles(paths, await load(paths), checks, log)
  }

  /** For new connections to or from the other side. */
  get options(): TlsContents & TlsChecks & Pick<tls.SecureContextOptions, 'minVersion'> {
    return { ...this.#contents, ...this.#checks, minVersion: MIN_TLS_VERSION }
  }

  /** The server gets every further set of certificates too. */
  serve(server: tls.Server): tls.Server {
    this.#servers.push(server)
    return server
  }

  /** Reads the files again; keeps the current certificates if the new ones are invalid. */
  readonly reload = inTurn(async () => {
    try {
      const contents = await load(this.#paths)
      if (isDeepStrictEqual(contents, this.#contents)) return
      this.#contents = contents
      for (const server of this.#servers) server.setSecureContext(this.options)
      this.#log.info({}, `certificates reloaded: ${Object.values(this.#paths).join(', ')}`)
    } catch (cause) {
      this.#log.error({ err: cause }, 'the new certificates are invalid; the old ones stay in use')
    }
  })

  close(): void {
    for (const path of Object.values(this.#paths)) unwatchFile(path, this.#changed)
  }
}

async function load(paths: TlsPaths): Promise<TlsContents> {
  const contents: Record<string, Buffer> = {}
  try {
    for (const [name, path] of Object.entries(paths)) contents[name] = await readFile(path)
    tls.createSecureContext({ ...contents, minVersion: MIN_TLS_VERSION })
    const { ca, cert, key } = contents
    // OpenSSL accepts a file without a certificate, and would then trust nobody.
    if (ca !== undefined) void new X509Certificate(ca.toString())
    // It compares a key only with a certificate of the key's own kind.
    if (cert !== undefined && key !== undefined && !new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
      throw new Error('the key does not belong to the certificate')
  } catch (cause) {
    throw new BadConfig([`${Object.values(paths).join(', ')} cannot be used for TLS: ${messageOf(cause)}`])
  }
  return contents
}
