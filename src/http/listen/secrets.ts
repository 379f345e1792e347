import tls from 'node:tls'
import { defined } from '../../config/defined.ts'
import type { Log } from '../../config/log.ts'
import type { EngineAddress } from '../address.ts'
import type { EngineTls } from '../engine/connector.ts'
import { type ListenerTlsSettings, protectionOf } from './exposure.ts'
import { MIN_TLS_VERSION, TlsFiles } from './tls-files.ts'

/** The certificates of a bridge, towards clients and towards the engine. */
export interface Secrets {
  readonly listeners: ListenerTls | undefined
  readonly engine: EngineTls | undefined
  reload(): Promise<void>
  close(): void
}

/** TLS of the listeners. Running servers get new certificates for new connections. */
interface ListenerTls {
  options(): tls.TlsOptions
  serve(server: object): void
}

function listenerTls(files: TlsFiles, asksForCertificates: boolean): ListenerTls {
  const asks = { requestCert: asksForCertificates, rejectUnauthorized: asksForCertificates }
  const options = (): tls.TlsOptions => ({ ...files.contents, minVersion: MIN_TLS_VERSION, ...asks })
  return {
    options,
    serve: (server) => {
      if (server instanceof tls.Server) files.onChange(() => server.setSecureContext(options()))
    },
  }
}

/** Settings of TLS, named like their flags. */
export interface TlsSettings extends ListenerTlsSettings {
  readonly engine: EngineAddress
  readonly 'engine-tls-cert'?: string | undefined
  readonly 'engine-tls-key'?: string | undefined
  readonly 'engine-tls-ca'?: string | undefined
  readonly 'engine-tls-verify'?: boolean | undefined
}

/** Any of these settings enables TLS to the engine, except on a unix socket. */
export const usesEngineTls = (settings: TlsSettings): boolean =>
  settings.engine.kind === 'tcp' &&
  (['ca', 'cert', 'key', 'verify'] as const).some((name) => settings[`engine-tls-${name}`] !== undefined)

/** Reads the certificates. Rejects with a readable error. */
export async function openTls(config: TlsSettings, log: Log): Promise<Secrets> {
  const opened: TlsFiles[] = []
  const open = async (side: '' | 'engine-'): Promise<TlsFiles> => {
    const paths = { cert: config[`${side}tls-cert`], key: config[`${side}tls-key`], ca: config[`${side}tls-ca`] }
    const files = await TlsFiles.open(defined(paths), log)
    opened.push(files)
    return files
  }
  const listeners =
    config['tls-cert'] === undefined ? undefined : listenerTls(await open(''), protectionOf(config) === 'certificates')
  const verify = config['engine-tls-verify'] !== false
  const engine = usesEngineTls(config) ? await open('engine-') : undefined
  if (engine !== undefined && !verify)
    log.warn({}, "INSECURE: the engine's certificate is not checked (--engine-tls-verify, DOCKER_TLS_VERIFY)")
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
