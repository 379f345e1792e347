import { constants } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { BadConfig, type Config, readConfig } from '../config.ts'
import { settingNames, settings } from '../settings.ts'
import { lookAtCertificates, type TlsFiles } from './certificates.ts'
import { type Finding, finding, reasonOf } from './finding.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The configuration, or what is wrong with it; then undefined stands for it. */
export function lookAtConfig(args: readonly string[], env: Environment): { config?: Config; findings: Finding[] } {
  try {
    return { config: readConfig(args, env), findings: [finding('ok', 'settings', 'they can be used')] }
  } catch (cause) {
    if (!(cause instanceof BadConfig)) throw cause
    return { findings: cause.problems.map((problem) => finding('broken', 'settings', problem)) }
  }
}

/** What the settings name must be there: certificates, policies, the directories of logs. */
export async function lookAtFiles(config: Config, env: Environment, now: number): Promise<Finding[]> {
  const tls = await lookAtCertificates('tls', tlsOf(config, 'tls'), now)
  const towardsEngine = await lookAtCertificates('engine-tls', engineTls(config, env), now)
  const read = await Promise.all(inputs(config).map(([name, path]) => lookAtInput(name, path)))
  const written = await Promise.all(outputs(config).map(([name, path]) => lookAtOutput(name, path)))
  return [...tls, ...towardsEngine, ...read, ...written]
}

/** Values by name: which settings there are is up to settings.ts. */
function textOf(config: Config, name: string): string | undefined {
  const value: unknown = Object.entries(config).find(([key]) => key === name)?.[1]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const tlsOf = (config: Config, prefix: string): TlsFiles => ({
  cert: textOf(config, `${prefix}-cert`),
  key: textOf(config, `${prefix}-key`),
  ca: textOf(config, `${prefix}-ca`),
})

/** As the docker command: DOCKER_CERT_PATH holds ca.pem, cert.pem and key.pem, for an engine on TCP. */
export function engineTls(config: Config, env: Environment): TlsFiles {
  const own = tlsOf(config, 'engine-tls')
  const folder = env['DOCKER_CERT_PATH']
  if (own.cert !== undefined || own.ca !== undefined || own.key !== undefined) return own
  if (folder === undefined || folder === '' || config.engine.kind !== 'tcp') return {}
  return { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem'), ca: join(folder, 'ca.pem') }
}

type Named = readonly [name: string, path: string]

/** Settings whose value is the name of a file (their placeholder says so), but not of a certificate. */
function files(config: Config): Named[] {
  return settingNames.flatMap((name): Named[] => {
    if (!settings[name].value.startsWith('FILE') || name.includes('tls-')) return []
    const value: unknown = config[name]
    const paths = Array.isArray(value) ? value : [value]
    return paths.flatMap((path): Named[] =>
      typeof path === 'string' && path !== '-' && path !== 'off' ? [[name, path]] : [],
    )
  })
}

const isLog = ([name]: Named): boolean => name.endsWith('-log')
const inputs = (config: Config): Named[] => files(config).filter((one) => !isLog(one))
const outputs = (config: Config): Named[] => files(config).filter(isLog)

async function lookAtInput(name: string, path: string): Promise<Finding> {
  try {
    const text = await readFile(path, 'utf8')
    if (name.includes('policy')) parseYaml(text)
    return finding('ok', name, `${path} can be read`)
  } catch (cause) {
    return finding('broken', name, `${path}: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

async function lookAtOutput(name: string, path: string): Promise<Finding> {
  const exists = await access(path, constants.F_OK).then(
    () => true,
    () => false,
  )
  try {
    await access(exists ? path : dirname(path), constants.W_OK)
    return finding('ok', name, `${path} can be written`)
  } catch (cause) {
    return finding('broken', name, `${path} cannot be written (${reasonOf(cause)})`)
  }
}
