import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Environment } from '../../config/process.ts'
import { messageOf } from '../../config/text.ts'
import type { Given } from './setting.ts'
import type { SettingName } from './settings.ts'

type Found = Partial<Record<SettingName, Given>> & { readonly engine: Given }

const CONTEXT = 'context:'
/** The docker command's name for using no context. */
const NO_CONTEXT = 'default'

/** The engine and its TLS settings where no setting of ours says more; `context:NAME` is resolved. */
export function dockerSettings(said: Given | undefined, env: Environment, problems: string[]): Found {
  const engine = said ?? defaultEngine(env)
  const text = engine.value.at(-1) ?? ''
  if (!text.startsWith(CONTEXT)) return { engine, ...dockerTls(env) }
  const name = text.slice(CONTEXT.length)
  if (name === NO_CONTEXT) return { engine: hostOrDefault(env), ...dockerTls(env) }
  try {
    return readContext(name, env, `${engine.source} (${text})`)
  } catch (cause) {
    problems.push(`${engine.source}: ${messageOf(cause)}`)
    return { engine: hostOrDefault({}) }
  }
}

/** As in the docker CLI, DOCKER_HOST overrides DOCKER_CONTEXT (docker/cli cli/command/cli.go, resolveContextName). */
function defaultEngine(env: Environment): Given {
  const context = env['DOCKER_CONTEXT'] ?? ''
  if ((env['DOCKER_HOST'] ?? '') !== '' || context === '') return hostOrDefault(env)
  return { value: [`${CONTEXT}${context}`], source: 'DOCKER_CONTEXT' }
}

function hostOrDefault(env: Environment): Given {
  const host = env['DOCKER_HOST'] ?? ''
  if (host !== '') return { value: [host], source: 'DOCKER_HOST' }
  return { value: ['unix:///var/run/docker.sock'], source: 'the default' }
}

const configFolder = (env: Environment): string => env['DOCKER_CONFIG'] || join(env['HOME'] || homedir(), '.docker')

/** `~/.docker/contexts/meta/HASH/meta.json`; docker/cli cli/context: store/metadatastore.go, docker/load.go. */
const meta = z.looseObject({
  Endpoints: z.looseObject({
    docker: z.looseObject({ Host: z.string().min(1), SkipTLSVerify: z.boolean().optional() }),
  }),
})

/** Reads what `docker context create` stored. Throws a readable error. */
function readContext(name: string, env: Environment, source: string): Found {
  const folder = configFolder(env)
  const hash = createHash('sha256').update(name).digest('hex')
  const file = join(folder, 'contexts', 'meta', hash, 'meta.json')
  if (!existsSync(file)) throw new Error(`no context "${name}" in ${folder}; docker context ls lists them`)
  const read = meta.safeParse(parsed(file))
  if (!read.success) throw new Error(`the context "${name}" names no engine (${file}, Endpoints.docker.Host)`)
  const { Host: host, SkipTLSVerify: unchecked = false } = read.data.Endpoints.docker
  const files = tlsFiles(join(folder, 'contexts', 'tls', hash, 'docker'), source)
  const speaksTls = unchecked || Object.keys(files).length > 0
  return {
    engine: { value: [host], source },
    ...files,
    ...(speaksTls ? { 'engine-tls-verify': { value: [String(!unchecked)], source } } : {}),
  }
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
 * `DOCKER_CERT_PATH` alone unverified TLS; the files are in `DOCKER_CERT_PATH`, else beside its settings.
 * Source: client/client_options.go:WithTLSClientConfigFromEnv, cli/flags/options.go.
 */
function dockerTls(env: Environment): Partial<Record<SettingName, Given>> {
  const verify = (env['DOCKER_TLS_VERIFY'] ?? '') !== ''
  const folder = env['DOCKER_CERT_PATH'] ?? ''
  if (!verify && folder === '') return {}
  return {
    'engine-tls-verify': { value: [String(verify)], source: 'DOCKER_TLS_VERIFY' },
    ...tlsFiles(folder || configFolder(env), 'DOCKER_CERT_PATH'),
  }
}

/** The docker command's names for the files; those that are there. */
const tlsFiles = (folder: string, source: string): Partial<Record<SettingName, Given>> =>
  Object.fromEntries(
    ['ca', 'cert', 'key']
      .map((name) => [`engine-tls-${name}`, join(folder, `${name}.pem`)] as const)
      .filter(([, path]) => existsSync(path))
      .map(([setting, path]) => [setting, { value: [path], source }]),
  )
