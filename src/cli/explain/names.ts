import { type KnownClient, knownClients, toldInstead } from '../../../rules/clients.ts'
import { isOperationName, type OperationName, operationNamed } from '../../api/operations.ts'
import { readCall } from '../../api/read-call.ts'
import { type ApiVersion, formatVersion, isWithin, LOWEST, NEWEST, parseVersion } from '../../api/version.ts'
import type { Environment } from '../../config/process.ts'
import { type EngineAddress, parseEngineAddress } from '../../http/address.ts'
import { knownClient } from '../../proxy/steps/known-clients.ts'
import type { Forecast } from '../../tools/explain/forecast.ts'
import { engineMet, engineNamed, type KnownEngine, NEWEST_NAMES, releaseOf } from '../../tools/explain/releases.ts'
import { UsageError, unusable } from '../command.ts'

/** The version that a word on the command line means: `1.24`, or a release whose command line speaks it. */
export function clientVersion(text: string): ApiVersion {
  const version = parseVersion(text) ?? engineNamed(text)?.highest
  if (version === undefined)
    throw new UsageError(
      `"${text}" is neither an API version (1.24) nor a known release (Docker 20.10); the newest known are ${NEWEST_NAMES}`,
    )
  if (!isWithin(version, LOWEST, NEWEST))
    throw new UsageError(`${text}: there are rules for ${formatVersion(LOWEST)} to ${formatVersion(NEWEST)}`)
  return version
}

/** A program as named by its User-Agent, on an engine. */
export interface NamedClient {
  readonly known: KnownClient
  /** The version it uses there through the bridge. */
  readonly speaks: ApiVersion
  /** Whether it is told that version in place of the engine's highest. */
  readonly told: boolean
}

export function programFor(userAgent: string, { highest }: KnownEngine): NamedClient {
  const known = knownClient(userAgent)
  const told = known && toldInstead(known, highest)
  if (known !== undefined) return { known, speaks: told ?? highest, told: told !== undefined }
  const names = knownClients.map(({ example }) => example.split(' ', 1)[0]).join(', ')
  throw new UsageError(
    `"${userAgent}" is not a known program: it is served at the version it requests. Known programs are ${names}`,
  )
}

/** The operation of a call; undefined where none is named. */
export function operationFor(method: string | undefined, path: string | undefined): OperationName | undefined {
  if (method === undefined) return undefined
  if (path === undefined) throw new UsageError(`which path after ${method}?`)
  const found = readCall(method.toUpperCase(), path).match
  if (found === undefined)
    throw new UsageError(
      `no rule knows ${method} ${path}: such a call is forwarded with its version prefix adapted and its body untouched`,
    )
  return found.operation.name
}

export const isAddress = (text: string): boolean => /^[a-z]+:\/\//.test(text)

/** The engine that a word means: a version, a release, or the address of one that runs. `env` has the settings of TLS. */
export async function engineFor(text: string, env: Environment): Promise<KnownEngine> {
  if (isAddress(text)) return askEngine(text, env)
  const known = engineNamed(text)
  if (known === undefined)
    throw new UsageError(
      `"${text}" is not a known engine: write 1.44, 28.5, "Docker 29", podman, or unix:///path. The newest known are ${NEWEST_NAMES}; one that runs is asked at its address`,
    )
  return known
}

async function askEngine(text: string, env: Environment): Promise<KnownEngine> {
  const address = engineAddress(text)
  const { checkEngine } = await import('../../tools/doctor/engine.ts')
  const { checkConfig, engineTls } = await import('../../tools/doctor/settings.ts')
  const { facts, findings } = await checkEngine(address, engineTls(checkConfig([], env).readable))
  if (facts !== undefined) return engineMet(facts, text)
  const broken = findings.filter(({ level }) => level === 'broken')
  const why = broken.map(({ says, advice }) => (advice === undefined ? says : `${says}. ${advice}`))
  throw new UsageError(`${text}: ${why.join(' ')}`)
}

export function engineAddress(text: string): EngineAddress {
  try {
    return parseEngineAddress(text)
  } catch (cause) {
    unusable(cause)
  }
}

/** `GET /containers/json`; a name that no table has as it is. */
export function callOf(name: string): string {
  if (!isOperationName(name)) return name
  const { method, path } = operationNamed(name)
  return `${method} ${path}`
}

/** The outcome of a value that the other version cannot express. */
export const OUTCOMES = { refuse: 'refused', warn: 'dropped, with a warning', ignore: 'dropped' } as const

/** `API 1.24 (Docker 1.12)`. */
export function nameVersion(version: ApiVersion): string {
  const release = releaseOf(version)
  return `API ${formatVersion(version)}${release === undefined ? '' : ` (Docker ${release})`}`
}

/** The outcome for a client without the bridge and with it. */
export const forecastJson = ({ refusal, changesWithoutBridge: without, ...found }: Forecast): object => ({
  target: formatVersion(found.versions.target),
  withoutBridge: { served: refusal === undefined, refusal: refusal ?? null, changes: without },
  withBridge: { note: found.refusedByBridge ?? null, changes: found.changes, losses: found.losses },
})
