import { constants } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Environment } from '../../config/environment.ts'
import { formatAddress } from '../../http/address.ts'
import { unheardPolicy } from '../../policy/file/environment.ts'
import { BadSettings, readConfig } from '../../proxy/settings/config.ts'
import { type Config, settingNames, settings } from '../../proxy/settings/settings.ts'
import { type EngineTls, lookAtCertificates, type TlsFiles } from './certificates.ts'
import { type Finding, finding, reasonOf } from './finding.ts'

interface Looked {
  /** Where it can be used; else nothing but the engine is worth a look. */
  readonly config?: Config
  /** What could be read of it. */
  readonly readable: Readable
  readonly findings: Finding[]
}

type Readable = Readonly<Partial<Config>>

/** The configuration, or what is wrong with it. */
export function lookAtConfig(args: readonly string[], env: Environment): Looked {
  try {
    const config = readConfig(args, env)
    const unheard = config.policy === undefined ? unheardPolicy(env) : undefined
    const warnings = unheard === undefined ? [] : [finding('warning', 'policy', unheard)]
    return { config, readable: config, findings: [finding('ok', 'settings', 'they can be used'), ...warnings] }
  } catch (cause) {
    if (!(cause instanceof BadSettings)) throw cause
    const findings = cause.problems.map((problem) => finding('broken', 'settings', problem))
    return { readable: cause.readable, findings }
  }
}

/** What the settings name must be there: certificates, policies, the directories of logs. */
export async function lookAtFiles(config: Config, now: number): Promise<Finding[]> {
  const tls = await lookAtCertificates('tls', tlsOf(config, 'tls'), now)
  const towardsEngine = await lookAtCertificates('engine-tls', tlsOf(config, 'engine-tls'), now)
  const read = await Promise.all(inputs(config).map((input) => lookAtInput(input, listenersOf(config))))
  const written = await Promise.all(outputs(config).map(([name, path]) => lookAtOutput(name, path)))
  return [...tls, ...towardsEngine, ...read, ...written]
}

/** Values by name: which settings there are is up to settings.ts. */
function textOf(config: Readable, name: string): string | undefined {
  const value: unknown = Object.entries(config).find(([key]) => key === name)?.[1]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const tlsOf = (config: Readable, prefix: string): TlsFiles => ({
  cert: textOf(config, `${prefix}-cert`),
  key: textOf(config, `${prefix}-key`),
  ca: textOf(config, `${prefix}-ca`),
})

/** How an engine on TCP is spoken to; undefined: without TLS. What DOCKER_CERT_PATH holds is in the configuration already. */
export function engineTls(config: Readable): EngineTls | undefined {
  const { 'engine-tls-verify': verify } = config
  const files = tlsOf(config, 'engine-tls')
  const said = verify !== undefined || Object.values(files).some((file) => file !== undefined)
  return said ? { ...files, verify: verify !== false } : undefined
}

type Named = readonly [name: string, path: string]

/** Settings whose value is the name of a file (their placeholder says so), but not of a certificate. */
function files(config: Config): Named[] {
  return settingNames.flatMap((name): Named[] => {
    if (!/^(?:FILE|DIR)\b/.test(settings[name].value) || name.includes('tls-')) return []
    const value: unknown = config[name]
    const paths = Array.isArray(value) ? value : [value]
    return paths.flatMap((path): Named[] =>
      typeof path === 'string' && path !== '-' && path !== 'off' ? [[name, path]] : [],
    )
  })
}

const isOutput = ([name]: Named): boolean => name.endsWith('-log') || name === 'audit-sessions' || name === 'state'
const inputs = (config: Config): Named[] => files(config).filter((one) => !isOutput(one))
const outputs = (config: Config): Named[] => files(config).filter(isOutput)

/** By name, as policies have them; those of systemd are not known here. */
const listenersOf = ({ listen }: Config): readonly string[] | undefined => {
  const named = listen.filter((one) => one.kind !== 'inherited').map(formatAddress)
  return named.length === listen.length ? named : undefined
}

async function lookAtInput([name, path]: Named, listeners: readonly string[] | undefined): Promise<Finding> {
  try {
    await read(name, path, listeners)
    return finding('ok', name, `${path} can be used`)
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : String(cause)
    return finding('broken', name, words.includes(path) ? words : `${path}: ${words}`)
  }
}

/** As the program reads it at its start: what it would refuse is refused here. */
async function read(name: string, path: string, listeners: readonly string[] | undefined): Promise<unknown> {
  switch (name) {
    case 'policy':
      return (await import('../../policy/file/read-policy.ts')).readPolicy(path, listeners)
    case 'audit-policy':
      return (await import('../../audit/record/policy.ts')).readAuditPolicy(path, 'metadata')
    default:
      return readFile(path)
  }
}

/** The path itself or the folder below which it would be made: the program makes the folders of its logs. */
async function nearestThatIs(path: string): Promise<string> {
  const exists = await access(path, constants.F_OK).then(
    () => true,
    (cause: NodeJS.ErrnoException) => cause.code !== 'ENOENT',
  )
  const above = dirname(path)
  return exists || above === path ? path : nearestThatIs(above)
}

async function lookAtOutput(name: string, path: string): Promise<Finding> {
  try {
    await access(await nearestThatIs(path), constants.W_OK)
    return finding('ok', name, `${path} can be written`)
  } catch (cause) {
    const says = `${path} cannot be written (${reasonOf(cause)})`
    if (name !== 'state') return finding('broken', name, says)
    const advice =
      'ids of containers made again for a start are forgotten when the bridge ends: docs/start-hostconfig.md'
    return finding('note', name, says, advice)
  }
}
