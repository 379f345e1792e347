import { defined } from '../../config/defined.ts'
import type { Log } from '../../config/log.ts'
import type { EngineAddress } from '../address.ts'
import { protectionOf } from './exposure.ts'
import { type TlsChecks, TlsFiles, type TlsPaths } from './tls-files.ts'

/** The certificates of a bridge, towards clients and towards the engine. */
export interface Secrets {
  readonly listeners: TlsFiles | undefined
  readonly engine: TlsFiles | undefined
}

/** Settings of TLS, named like their flags. */
export type TlsSettings = { readonly engine: EngineAddress } & {
  readonly [Name in `${'' | 'engine-'}tls-${'cert' | 'key' | 'ca'}`]?: string | undefined
} & { readonly [Name in `${'' | 'engine-'}tls-verify`]?: boolean | undefined }

/** Any of these settings enables TLS to the engine, except on a unix socket. */
export const usesEngineTls = (settings: TlsSettings): boolean =>
  settings.engine.kind === 'tcp' &&
  (['ca', 'cert', 'key', 'verify'] as const).some((name) => settings[`engine-tls-${name}`] !== undefined)

/** Reads the certificates. Rejects with a readable error. What it opens, also before an error, is added to `opened`. */
export async function openTls(config: TlsSettings, log: Log, opened: { close(): void }[]): Promise<Secrets> {
  const pathsOf = (side: '' | 'engine-'): TlsPaths =>
    defined({ cert: config[`${side}tls-cert`], key: config[`${side}tls-key`], ca: config[`${side}tls-ca`] })
  const asks = protectionOf(config) === 'certificates'
  const verify = config['engine-tls-verify'] !== false
  const open = async (side: '' | 'engine-', checks: TlsChecks): Promise<TlsFiles> => {
    const files = await TlsFiles.open(pathsOf(side), checks, log)
    opened.push(files)
    return files
  }
  const listeners =
    config['tls-cert'] === undefined ? undefined : await open('', { requestCert: asks, rejectUnauthorized: asks })
  const engine = usesEngineTls(config) ? await open('engine-', { rejectUnauthorized: verify }) : undefined
  if (engine !== undefined && !verify)
    log.warn({}, "INSECURE: the engine's certificate is not checked (--engine-tls-verify, DOCKER_TLS_VERIFY)")
  return { listeners, engine }
}
