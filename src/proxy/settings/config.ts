import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { z } from 'zod'
import { BadConfig } from '../../config/bad-config.ts'
import { yaml } from '../../config/lazy-imports.ts'
import { didYouMean } from '../../config/nearest.ts'
import { problemWords } from '../../config/problem-words.ts'
import type { Environment } from '../../config/process.ts'
import { messageOf } from '../../config/text.ts'
import { environmentPolicy, hasEnvironmentPolicy } from '../../policy/file/environment.ts'
import { contradictions } from './contradictions.ts'
import { type DockerContext, dockerTls, readContext } from './docker-context.ts'
import { environmentName, unknownVariables } from './environment-names.ts'
import { type Config, type SettingName, type Settings, settingNames, settings } from './settings.ts'

/** Invalid settings, with the valid ones kept: doctor still checks their engine. */
export class BadSettings extends BadConfig {
  readonly readable: Partial<Settings>

  constructor(problems: readonly string[], readable: Partial<Settings> = {}) {
    super(problems)
    this.readable = readable
  }
}

interface Given {
  readonly value: readonly string[]
  /** Where the value was set: `--listen`, `ENGINEBRIDGE_LISTEN`, `listen in FILE`. */
  readonly source: string
}

const FLAGS = [...settingNames, 'config'].map((name) => `--${name}`)

const isSwitch = (name: string): boolean =>
  settingNames.some((known) => known === name && 'isSwitch' in settings[known])

/** Reads flags, environment and file; flag > environment > file > default. Throws BadConfig with every problem. */
export function readConfig(args: readonly string[], env: Environment): Config {
  const problems = unknownVariables(env)
  const flags = readFlags(args, problems)
  const file = readFile(flags.config ?? env['ENGINEBRIDGE_CONFIG'], problems)
  const values: Record<string, unknown> = {}
  const said = new Set<SettingName>()
  let engine: NamedEngine = { given: undefined, context: undefined }
  for (const name of settingNames) {
    const given = flags.given.get(name) ?? fromEnvironment(name, env) ?? file.get(name)
    if (given !== undefined) said.add(name)
    if (name === 'engine') engine = namedEngine(given ?? fallback(name, env, engine), env, problems)
    values[name] = checked(name, name === 'engine' ? engine.given : (given ?? fallback(name, env, engine)), problems)
    if (name === 'policy' && values[name] === 'env') values[name] = environmentPolicy(env)
  }
  if (problems.length > 0) throw new BadSettings(problems, values)
  const config = values as Settings // each member was parsed by its schema
  problems.push(...contradictions(config, said))
  if (problems.length > 0) throw new BadSettings(problems, config)
  return Object.freeze(config)
}

interface Flags {
  readonly given: Map<SettingName, Given>
  readonly config: string | undefined
}

function readFlags(args: readonly string[], problems: string[]): Flags {
  const options = Object.fromEntries(
    [...settingNames, 'config'].map((name) => [
      name,
      { type: isSwitch(name) ? 'boolean' : 'string', multiple: true } as const,
    ]),
  )
  const reading = { args: [...args], options, strict: false, tokens: true, allowPositionals: true } as const
  const { values, tokens } = parseArgs(reading)
  problems.push(...badTokens(tokens, options))
  const given = new Map<SettingName, Given>()
  for (const name of settingNames) {
    const said = (values[name] as unknown[] | undefined)
      ?.map((value) => (value === true && isSwitch(name) ? 'true' : value))
      .filter((value) => typeof value === 'string')
    if (said === undefined || said.length === 0) continue
    if (said.length > 1 && !('repeats' in settings[name])) problems.push(`--${name} is given ${said.length} times`)
    given.set(name, { value: said, source: `--${name}` })
  }
  const config = (values['config'] as unknown[] | undefined)?.at(-1)
  return { given, config: typeof config === 'string' ? config : undefined }
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number]

function badTokens(tokens: readonly Token[], options: object): string[] {
  let unknownAt: number | undefined
  return tokens.flatMap((token) => {
    // The word after a misspelled flag is its value.
    if (token.kind === 'positional')
      return token.index - 1 === unknownAt
        ? []
        : [`"${token.value}" is not understood; settings are flags such as --listen`]
    if (token.kind !== 'option') return []
    if (token.name in options)
      return token.value === undefined && !isSwitch(token.name) ? [`${token.rawName} needs a value`] : []
    unknownAt = token.index
    return [`${token.rawName} is not a flag${didYouMean(token.rawName, FLAGS, '; --help lists them')}`]
  })
}

function fromEnvironment(name: SettingName, env: Environment): Given | undefined {
  const value = env[environmentName(name)]
  if (value === undefined || value === '') return undefined
  return {
    value: 'repeats' in settings[name] ? value.split(/[\s,]+/).filter(Boolean) : [value],
    source: environmentName(name),
  }
}

function readFile(path: string | undefined, problems: string[]): Map<SettingName, Given> {
  const given = new Map<SettingName, Given>()
  if (path === undefined) return given
  for (const [key, value] of Object.entries(parseFile(path, problems))) {
    const name = settingNames.find((known) => known === key)
    const values = (Array.isArray(value) ? value : [value]).map((one) => String(one))
    if (name === undefined) problems.push(`${path}: "${key}" is not a setting${didYouMean(key, settingNames)}`)
    else if (values.length > 1 && !('repeats' in settings[name])) problems.push(`${path}: ${key} takes one value`)
    else given.set(name, { value: values, source: `${key} in ${path}` })
  }
  return given
}

function parseFile(path: string, problems: string[]): Record<string, unknown> {
  try {
    // Version numbers must stay text: an unquoted 1.40 would become the number 1.4.
    const parsed: unknown = yaml().parse(readFileSync(path, 'utf8'), { schema: 'failsafe' })
    if (parsed === null || parsed === '') return {}
    if (typeof parsed === 'object' && !Array.isArray(parsed)) return parsed as Record<string, unknown>
    problems.push(`${path}: a configuration file is a map of settings`)
  } catch (cause) {
    problems.push(`cannot read the configuration ${path}: ${messageOf(cause)}`)
  }
  return {}
}

/** An engine and the docker context that named it. */
interface NamedEngine {
  readonly given: Given | undefined
  readonly context: DockerContext | undefined
}

const CONTEXT = 'context:'
/** The docker command's name for using no context. */
const NO_CONTEXT = 'default'

/** Resolves `context:NAME`. */
function namedEngine(given: Given | undefined, env: Environment, problems: string[]): NamedEngine {
  const text = given?.value.at(-1)
  if (given === undefined || !text?.startsWith(CONTEXT)) return { given, context: undefined }
  const name = text.slice(CONTEXT.length)
  if (name === NO_CONTEXT) return { given: hostOrDefault(env), context: undefined }
  const source = `${given.source} (${text})`
  try {
    const context = readContext(name, env)
    return { given: { value: [context.host], source }, context }
  } catch (cause) {
    problems.push(`${given.source}: ${messageOf(cause)}`)
    return { given: hostOrDefault({}), context: undefined }
  }
}

function hostOrDefault(env: Environment): Given {
  const host = env['DOCKER_HOST']
  if (host !== undefined && host !== '') return { value: [host], source: 'DOCKER_HOST' }
  return { value: ['unix:///var/run/docker.sock'], source: 'the default' }
}

/**
 * As in the docker command, DOCKER_HOST takes precedence over DOCKER_CONTEXT (docker/cli cli/command/cli.go,
 * resolveContextName).
 */
function defaultEngine(env: Environment): Given {
  const context = env['DOCKER_CONTEXT'] ?? ''
  if ((env['DOCKER_HOST'] ?? '') !== '' || context === '') return hostOrDefault(env)
  return { value: [`${CONTEXT}${context}`], source: 'DOCKER_CONTEXT' }
}

function fallback(name: SettingName, env: Environment, engine: NamedEngine): Given | undefined {
  if (name === 'engine') return defaultEngine(env)
  // A bridge that replaces another socket proxy must not silently drop its restrictions.
  if (name === 'policy' && hasEnvironmentPolicy(env))
    return { value: ['env'], source: 'the variables of a socket proxy' }
  const docker = engine.context === undefined ? dockerTls(name, env) : tlsOfContext(name, engine)
  if (docker !== undefined) return docker
  const value = settings[name].default
  if (value === '' && 'repeats' in settings[name]) return { value: [], source: 'the default' }
  return value === undefined ? undefined : { value: [value], source: 'the default' }
}

function tlsOfContext(name: SettingName, { given, context }: NamedEngine): Given | undefined {
  const value = context?.tls[name]
  return value === undefined || given === undefined ? undefined : { value: [value], source: given.source }
}

function checked(name: SettingName, given: Given | undefined, problems: string[]): unknown {
  const schema: z.ZodType = settings[name].schema
  const value = given === undefined ? undefined : 'repeats' in settings[name] ? given.value : given.value.at(-1)
  const result = schema.safeParse(value, { error: problemWords })
  if (result.success) return result.data
  for (const issue of result.error.issues) problems.push(`${given?.source ?? `--${name}`}: ${issue.message}`)
  return undefined
}
