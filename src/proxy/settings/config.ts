import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { BadConfig, issueText } from '../../config/bad-config.ts'
import { readCommandLine } from '../../config/command-line.ts'
import { parseYaml } from '../../config/lazy-imports.ts'
import { didYouMean } from '../../config/nearest.ts'
import type { Environment } from '../../config/process.ts'
import { messageOf } from '../../config/text.ts'
import { environmentPolicy, hasEnvironmentPolicy } from '../../policy/file/environment.ts'
import { contradictions } from './contradictions.ts'
import { dockerSettings } from './docker-context.ts'
import { environmentName, unknownVariables } from './environment-names.ts'
import type { Given } from './setting.ts'
import { type Config, type SettingName, type Settings, settingFlags, settingNames, settings } from './settings.ts'

/** Invalid settings, with the valid ones kept: doctor still checks their engine. */
export class BadSettings extends BadConfig {
  readonly readable: Partial<Settings>

  constructor(problems: readonly string[], readable: Partial<Settings> = {}) {
    super(problems)
    this.readable = readable
  }
}

/** Reads flags, environment and file; flag > environment > file > default. Throws BadSettings with every problem. */
export function readConfig(args: readonly string[], env: Environment): Config {
  const { words, values: flags, problems: ofFlags } = readCommandLine(args, settingFlags)
  const strays = words.map((word) => `"${word}" is not understood; settings are flags such as --listen`)
  const problems = [...unknownVariables(env), ...ofFlags, ...strays]
  const file = readFile(flags.get('config')?.at(-1) ?? (env['ENGINEBRIDGE_CONFIG'] || undefined), problems)
  const said = new Map<SettingName, Given>()
  for (const name of settingNames) {
    const flag = flags.get(name)
    const given =
      flag === undefined ? (fromEnvironment(name, env) ?? file.get(name)) : { value: flag, source: `--${name}` }
    if (given !== undefined) said.set(name, given)
  }
  const docker = dockerSettings(said.get('engine'), env, problems)
  const values: Record<string, unknown> = {}
  for (const name of settingNames) {
    const given = name === 'engine' ? docker.engine : (said.get(name) ?? docker[name] ?? fallback(name, env))
    values[name] = checked(name, given, problems)
    if (name === 'policy' && values[name] === 'env') values[name] = environmentPolicy(env)
  }
  if (problems.length > 0) throw new BadSettings(problems, values)
  const config = values as Settings // each member was parsed by its schema
  problems.push(...contradictions(config, new Set(said.keys())))
  if (problems.length > 0) throw new BadSettings(problems, config)
  return Object.freeze(config)
}

const repeats = (name: SettingName): boolean => 'repeats' in settings[name]

function fromEnvironment(name: SettingName, env: Environment): Given | undefined {
  const source = environmentName(name)
  const value = env[source]
  if (value === undefined || value === '') return undefined
  return { value: repeats(name) ? value.split(/[\s,]+/).filter(Boolean) : [value], source }
}

function readFile(path: string | undefined, problems: string[]): Map<SettingName, Given> {
  const given = new Map<SettingName, Given>()
  if (path === undefined) return given
  for (const [key, value] of Object.entries(parseFile(path, problems))) {
    const name = settingNames.find((known) => known === key)
    const values: unknown[] = Array.isArray(value) ? value : [value]
    if (name === undefined) problems.push(`${path}: "${key}" is not a setting${didYouMean(key, settingNames)}`)
    else if (values.length !== 1 && !repeats(name)) problems.push(`${path}: ${key} takes one value`)
    else if (values.every((one) => typeof one === 'string'))
      given.set(name, { value: values, source: `${key} in ${path}` })
    else problems.push(`${path}: ${key} takes text, not a list or map inside it`)
  }
  return given
}

function parseFile(path: string, problems: string[]): Record<string, unknown> {
  try {
    const parsed = parseYaml(readFileSync(path, 'utf8'))
    if (parsed === null || parsed === '') return {}
    if (typeof parsed === 'object' && !Array.isArray(parsed)) return parsed as Record<string, unknown>
    problems.push(`${path}: a configuration file is a map of settings`)
  } catch (cause) {
    problems.push(`cannot read the configuration ${path}: ${messageOf(cause)}`)
  }
  return {}
}

function fallback(name: SettingName, env: Environment): Given | undefined {
  // A bridge that replaces another socket proxy must not silently drop its restrictions.
  if (name === 'policy' && hasEnvironmentPolicy(env))
    return { value: ['env'], source: 'the variables of a socket proxy' }
  const value = settings[name].default
  return value === undefined ? undefined : { value: value === '' ? [] : [value], source: 'the default' }
}

function checked(name: SettingName, given: Given | undefined, problems: string[]): unknown {
  const schema: z.ZodType = settings[name].schema
  const result = schema.safeParse(repeats(name) ? given?.value : given?.value.at(-1), { error: issueText })
  if (result.success) return result.data
  for (const issue of result.error.issues) problems.push(`${given?.source ?? `--${name}`}: ${issue.message}`)
  return undefined
}
