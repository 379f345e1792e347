import tls from 'node:tls'
import type { Config } from '../config.ts'
import type { EngineTls } from '../http/engine/connector.ts'
import { protectionOf, usesEngineTls } from './settings.ts'
import { MIN_TLS_VERSION, TlsFiles } from './tls-files.ts'

interface Log {
  info(message: string): void
  warn(message: string): void
  error(facts: object, message: string): void
}

/** The certificates of a bridge, on both of its sides. */
export interface Secrets {
  readonly listeners: ListenerTls | undefined
  readonly engine: EngineTls | undefined
  reload(): Promise<void>
  close(): void
}

/** TLS of the listeners: all servers that it serves get new certificates for their new connections. */
export class ListenerTls {
  readonly #files: TlsFiles
  readonly #asks: boolean

  constructor(files: TlsFiles, asksForCertificates: boolean) {
    this.#files = files
    this.#asks = asksForCertificates
  }

  options(): tls.TlsOptions {
    return {
      ...this.#files.contents,
      minVersion: MIN_TLS_VERSION,
      requestCert: this.#asks,
      rejectUnauthorized: this.#asks,
    }
  }

  serve(server: object): void {
    if (server instanceof tls.Server) this.#files.onChange(() => server.setSecureContext(this.options()))
  }
}

/** Reads what the settings name. Rejects with a sentence. */
export async function openTls(config: Config, log: Log): Promise<Secrets> {
  const opened: TlsFiles[] = []
  const open = async (side: '' | 'engine-'): Promise<TlsFiles> => {
    const paths = {
      cert: config[`${side}tls-cert`],
      key: config[`${side}tls-key`],
      ca: config[`${side}tls-ca`],
    }
    const files = await TlsFiles.open(paths, log)
    opened.push(files)
    return files
  }
  const listeners =
    config['tls-cert'] === undefined
      ? undefined
      : new ListenerTls(await open(''), protectionOf(config) === 'certificates')
  const verify = config['engine-tls-verify'] !== false
  const engine = usesEngineTls(config) ? await open('engine-') : undefined
  if (engine !== undefined && !verify)
    log.warn("INSECURE: the engine's certificate is not checked (--engine-tls-verify, DOCKER_TLS_VERIFY)")
  return {
    listeners,
    engine: engine === undefined ? undefined : { verify, contents: () => engine.contents },
    reload: async () => {
      for (const files of opened) await files.reload()
    },
    close: () => {
      for (const files of opened) files.close()
    },
  }
}
