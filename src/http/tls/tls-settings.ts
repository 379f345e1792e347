import { defined } from '../../config/defined.ts'
import type { Log } from '../../config/log.ts'
import type { EngineAddress } from '../address.ts'
import { protectionOf } from '../listen/exposure.ts'
import { TlsFiles, type TlsPaths } from './tls-files.ts'

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

/** The certificates shown to clients; undefined without `--tls-cert`. Rejects with a readable error. */
export async function listenerTls(config: TlsSettings, log: Log): Promise<TlsFiles | undefined> {
  if (config['tls-cert'] === undefined) return undefined
  const asks = protectionOf(config) === 'certificates'
  return TlsFiles.open(pathsOf(config, ''), { requestCert: asks, rejectUnauthorized: asks }, log)
}

/** The certificates towards the engine; undefined without TLS to it. Rejects with a readable error. */
export async function engineTls(config: TlsSettings, log: Log): Promise<TlsFiles | undefined> {
  if (!usesEngineTls(config)) return undefined
  const verify = config['engine-tls-verify'] !== false
  const files = await TlsFiles.open(pathsOf(config, 'engine-'), { rejectUnauthorized: verify }, log)
  if (!verify)
    log.warn({}, "INSECURE: the engine's certificate is not checked (--engine-tls-verify, DOCKER_TLS_VERIFY)")
  return files
}

export const pathsOf = (config: Omit<TlsSettings, 'engine'>, side: '' | 'engine-'): TlsPaths =>
  defined({ cert: config[`${side}tls-cert`], key: config[`${side}tls-key`], ca: config[`${side}tls-ca`] })
