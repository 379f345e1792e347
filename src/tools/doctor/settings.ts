import { constants } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Environment } from '../../config/process.ts'
import { codeOf, messageOf, reasonOf } from '../../config/text.ts'
import { formatAddress } from '../../http/address.ts'
import { pathsOf } from '../../http/tls/tls-settings.ts'
import { unheardPolicy } from '../../policy/file/environment.ts'
import { BadSettings, readConfig } from '../../proxy/settings/config.ts'
import { type Config, settingNames, settings } from '../../proxy/settings/settings.ts'
import type { EngineTls } from '../ask.ts'
import { checkCertificates } from './certificates.ts'
import { type Finding, finding } from './finding.ts'

interface ConfigReport {
  /** Undefined for an invalid configuration: then only the engine is checked. */
  readonly config?: Config
  /** The settings that could be read. */
  readonly readable: Readable
  readonly findings: Finding[]
}

type Readable = Readonly<Partial<Config>>

/** Reads the configuration and reports its problems. */
export function checkConfig(args: readonly string[], env: Environment): ConfigReport {
  try {
    const config = readConfig(args, env)
    const unheard = config.policy === undefined ? unheardPolicy(env) : undefined
    const warnings = unheard === undefined ? [] : [finding('warning', 'policy', unheard)]
    return { config, readable: config, findings: [finding('ok', 'settings', 'valid'), ...warnings] }
  } catch (cause) {
    if (!(cause instanceof BadSettings)) throw cause
    const findings = cause.problems.map((problem) => finding('broken', 'settings', problem))
    return { readable: cause.readable, findings }
  }
}

/** Checks the files that the settings name: certificates, policies, log directories. */
export async function checkFiles(config: Config, now: number): Promise<Finding[]> {
  const tls = await checkCertificates('tls', pathsOf(config, ''), now)
  const towardsEngine = await checkCertificates('engine-tls', pathsOf(config, 'engine-'), now)
  const read = await Promise.all(inputs(config).map((input) => checkInput(input, listenersOf(config))))
  const written = await Promise.all(outputs(config).map(([name, path]) => checkOutput(name, path)))
  return [...tls, ...towardsEngine, ...read, ...written]
}

/** TLS options for an engine on TCP; undefined without TLS. The configuration already includes DOCKER_CERT_PATH. */
export function engineTls(config: Readable): EngineTls | undefined {
  const { 'engine-tls-verify': verify } = config
  const files = pathsOf(config, 'engine-')
  const said = verify !== undefined || Object.keys(files).length > 0
  return said ? { ...files, verify: verify !== false } : undefined
}

type Named = readonly [name: string, path: string]

/** Settings that name a file (according to their placeholder), certificates excluded. */
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

/** By name, as in policies; systemd's are unknown here. */
const listenersOf = ({ listen }: Config): readonly string[] | undefined => {
  const named = listen.filter((one) => one.kind !== 'inherited').map(formatAddress)
  return named.length === listen.length ? named : undefined
}

async function checkInput([name, path]: Named, listeners: readonly string[] | undefined): Promise<Finding> {
  try {
    await read(name, path, listeners)
    return finding('ok', name, `${path} can be used`)
  } catch (cause) {
    const words = messageOf(cause)
    return finding('broken', name, words.includes(path) ? words : `${path}: ${words}`)
  }
}

/** Parses the file as the program does at startup, to report the same errors. */
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

/** The path itself or its nearest existing parent: the program creates its log folders. */
async function nearestThatIs(path: string): Promise<string> {
  const found = access(path, constants.F_OK).then(() => true)
  const exists = await found.catch((cause: unknown) => codeOf(cause) !== 'ENOENT')
  const above = dirname(path)
  return exists || above === path ? path : nearestThatIs(above)
}

async function checkOutput(name: string, path: string): Promise<Finding> {
  try {
    await access(await nearestThatIs(path), constants.W_OK)
    return finding('ok', name, `${path} can be written`)
  } catch (cause) {
    const says = `${path} cannot be written (${reasonOf(cause)})`
    if (name !== 'state') return finding('broken', name, says)
    const advice = 'ids of replaced containers are lost when the bridge ends: docs/start-hostconfig.md'
    return finding('note', name, says, advice)
  }
}
