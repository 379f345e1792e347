import semver from 'semver'
import { z } from 'zod'
import { type ApiVersion, apiVersion, parseVersion } from './api/version.ts'
import { type Address, parseAddress } from './engine/address.ts'

/** Which versions the bridge may speak to the engine: `auto` is all that it serves. */
export interface EngineApi {
  readonly text: string
  allows(version: ApiVersion): boolean
}

const address = z.string().transform((text, context): Address => {
  try {
    return parseAddress(text)
  } catch (cause) {
    context.addIssue({ code: 'custom', message: cause instanceof Error ? cause.message : String(cause) })
    return z.NEVER
  }
})

const version = z.string().transform((text, context): ApiVersion => {
  const parsed = parseVersion(text)
  if (parsed !== undefined) return parsed
  context.addIssue({ code: 'custom', message: `"${text}" is no API version; write it as 1.44` })
  return z.NEVER
})

/** `auto`, one version, or a range as people type them: `>=1.24 <1.44`, `1.24 - 1.40`. */
const engineApi = z.string().transform((text, context): EngineApi => {
  if (text === 'auto') return { text, allows: () => true }
  const one = parseVersion(text)
  if (one !== undefined) return { text, allows: (candidate) => candidate === one }
  if (semver.validRange(text) !== null) {
    return { text, allows: (candidate) => semver.satisfies(`1.${candidate}.0`, text) }
  }
  context.addIssue({
    code: 'custom',
    message: `"${text}" is neither auto, nor a version (1.44), nor a range (>=1.24 <1.44)`,
  })
  return z.NEVER
})

const seconds = z.coerce.number().min(0).max(86_400)

const oneOf = <const T extends readonly [string, ...string[]]>(...values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` })

/** One setting: its flag is `--name`, its environment variable `ENGINEBRIDGE_NAME`, its key in a file `name`. */
interface Setting<Schema extends z.ZodType> {
  readonly schema: Schema
  readonly default: string | undefined
  readonly value: string
  readonly help: string
  readonly repeats?: true
}

const setting = <Schema extends z.ZodType>(
  schema: Schema,
  value: string,
  fallback: string | undefined,
  help: string,
): Setting<Schema> => ({ schema, value, default: fallback, help })

/** Every setting. The README's table and `--help` are projections of this. */
export const settings = {
  listen: {
    ...setting(
      z.array(address).min(1),
      'ADDR',
      'unix:///var/run/enginebridge.sock',
      'where clients connect; may be given several times',
    ),
    repeats: true,
  },
  engine: setting(address, 'ADDR', undefined, 'the engine; else DOCKER_HOST, else unix:///var/run/docker.sock'),
  'engine-api': setting(
    engineApi,
    'auto|X.Y',
    'auto',
    'the version to speak to the engine, or a range such as ">=1.24 <1.44"',
  ),
  'announce-api': setting(
    version.optional(),
    'X.Y',
    undefined,
    "the highest version that clients are told, instead of the engine's",
  ),
  validation: setting(
    oneOf('strict', 'warn', 'off'),
    'strict|warn|off',
    'warn',
    'what to do about requests that are not valid at their version, and about losses',
  ),
  'newer-fields': setting(
    oneOf('drop', 'pass'),
    'drop|pass',
    'drop',
    "members that are newer than the client's version",
  ),
  'audit-log': setting(z.string().min(1), 'FILE|-|off', '-', 'where the audit records go; - is standard output'),
  admin: setting(address.optional(), 'ADDR', undefined, 'serves /livez, /readyz and /metrics'),
  'log-level': setting(
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'LEVEL',
    'info',
    'of the log on standard error',
  ),
  'log-format': setting(oneOf('json', 'pretty'), 'json|pretty', 'json', 'of the log on standard error'),
  'api-cors-header': setting(
    z.string().optional(),
    'V',
    undefined,
    'Access-Control-Allow-Origin of every answer; * allows all',
  ),
  profile: setting(
    oneOf('engine', 'spec'),
    'engine|spec',
    'engine',
    'what real engines put on the wire, or the specification to the letter',
  ),
  'record-streams': setting(
    oneOf('translate', 'untouched'),
    'translate|untouched',
    'translate',
    'the records of events and stats',
  ),
  'start-hostconfig': setting(
    oneOf('recreate', 'refuse'),
    'recreate|refuse',
    'recreate',
    'a start with a HostConfig that only another container can have: make it again, or refuse the call',
  ),
  grace: setting(seconds, 'SECONDS', '10', 'how long open calls may finish after SIGTERM'),
} as const satisfies Record<string, Setting<z.ZodType> & { repeats?: true }>

export type SettingName = keyof typeof settings
export type Settings = { [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> }

export const settingNames = Object.keys(settings) as SettingName[]

/** The newest version for which there are rules: nothing higher can be announced. */
export const NEWEST: ApiVersion = apiVersion(56)
