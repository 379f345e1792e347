import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Environment } from '../../config/process.ts'
import { messageOf } from '../../config/text.ts'
import type { SettingName } from './settings.ts'

/** An engine as stored by `docker context create`. */
export interface DockerContext {
  readonly host: string
  /** The context's TLS options, as settings. */
  readonly tls: Partial<Record<SettingName, string>>
}

/**
 * `~/.docker/contexts/meta/HASH/meta.json`; docker/cli cli/context/store/metadatastore.go, cli/context/docker/load.go.
 */
const meta = z.looseObject({
  Endpoints: z.looseObject({
    docker: z.looseObject({ Host: z.string().min(1), SkipTLSVerify: z.boolean().optional() }),
  }),
})

const FILES: Partial<Record<SettingName, string>> = {
  'engine-tls-ca': 'ca.pem',
  'engine-tls-cert': 'cert.pem',
  'engine-tls-key': 'key.pem',
}

/** Reads the docker command's files. Throws a readable error. */
export function readContext(name: string, env: Environment): DockerContext {
  const folder = env['DOCKER_CONFIG'] || join(env['HOME'] || homedir(), '.docker')
  const hash = createHash('sha256').update(name).digest('hex')
  const file = join(folder, 'contexts', 'meta', hash, 'meta.json')
  if (!existsSync(file)) throw new Error(`no context "${name}" in ${folder}; docker context ls lists them`)
  const read = meta.safeParse(parsed(file))
  if (!read.success) throw new Error(`the context "${name}" names no engine (${file}, Endpoints.docker.Host)`)
  const { Host: host, SkipTLSVerify: unchecked } = read.data.Endpoints.docker
  const files = Object.entries(FILES)
    .map(([setting, file]) => [setting, join(folder, 'contexts', 'tls', hash, 'docker', file)] as const)
    .filter(([, path]) => existsSync(path))
  const speaksTls = unchecked === true || files.length > 0
  const verify = speaksTls ? { 'engine-tls-verify': String(unchecked !== true) } : {}
  return { host, tls: { ...Object.fromEntries(files), ...verify } }
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Error(`cannot read ${file}: ${messageOf(cause)}`, { cause })
  }
}

/**
 * TLS towards the engine as in the docker command and its SDKs: `DOCKER_TLS_VERIFY` enables verified TLS,
 * `DOCKER_CERT_PATH` alone unverified TLS; the files are in `DOCKER_CERT_PATH`, else in ~/.docker.
 * Source: client/client_options.go:WithTLSClientConfigFromEnv, cli/flags/options.go.
 */
export function dockerTls(
  name: SettingName,
  env: Environment,
): { readonly value: string[]; readonly source: string } | undefined {
  const verify = (env['DOCKER_TLS_VERIFY'] ?? '') !== ''
  const folder = env['DOCKER_CERT_PATH'] ?? ''
  if (!verify && folder === '') return undefined
  if (name === 'engine-tls-verify') return { value: [String(verify)], source: 'DOCKER_TLS_VERIFY' }
  const file = FILES[name]
  if (file === undefined) return undefined
  const path = join(folder === '' ? join(homedir(), '.docker') : folder, file)
  return existsSync(path) ? { value: [path], source: 'DOCKER_CERT_PATH' } : undefined
}
