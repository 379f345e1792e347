import type { EngineFacts } from '../../api/engine-facts.ts'
import {
  type ApiVersion,
  apiVersion,
  formatVersion,
  isNewer,
  isOlder,
  NEWEST,
  parseVersion,
} from '../../api/version.ts'

/** The facts about an engine that the rules need, from its name or from the engine itself. */
export interface KnownEngine {
  /** `Docker 28.5`, `Podman Engine 5.4.2 at unix:///…`. */
  readonly name: string
  readonly highest: ApiVersion
  /** The lowest version that the bridge uses with it: its `MinAPIVersion`, or its highest if it announces none. */
  readonly lowest: ApiVersion
  /** The lowest prefix that it accepts from a direct client. */
  readonly accepts: ApiVersion
  /** It accepts all versions: Podman (seen on 5.4). */
  readonly refusesNone: boolean
}

/** An engine's error for a direct client of this version; undefined if it serves it. */
export function refusedBy({ accepts, highest, refusesNone }: KnownEngine, client: ApiVersion): string | undefined {
  if (refusesNone) return undefined
  const version = formatVersion(client)
  const newest = formatVersion(highest)
  if (isOlder(client, accepts))
    return `client version ${version} is too old. Minimum supported API version is ${formatVersion(accepts)}`
  if (!isNewer(client, highest)) return undefined
  // recorded on 1.6.2, on 1.7.1 to 1.10.3; api/server/middleware/version.go from 17.12 on
  if (highest === FIRST_HIGHEST)
    return `client and server don't have same version (client : ${version}, server: ${newest})`
  if (isOlder(highest, SAYS_MAXIMUM))
    return `client is newer than server (client API version: ${version}, server API version: ${newest})`
  return `client version ${version} is too new. Maximum supported API version is ${newest}`
}

/**
 * Engine releases with their highest and lowest API version (moby: api/common.go and daemon/config/config.go at each
 * tag). A row holds until the next. Engines up to 1.12 accept versions from 1.12 on, but `GET /version` does not say
 * so.
 */
const RELEASES: readonly (readonly [release: string, highest: number, lowest: number])[] = [
  ['1.6', 18, 0],
  ['1.7', 19, 12],
  ['1.8', 20, 12],
  ['1.9', 21, 12],
  ['1.10', 22, 12],
  ['1.11', 23, 12],
  ['1.12', 24, 12],
  ['1.13.0', 25, 12],
  ['1.13.1', 26, 12],
  ['17.03', 27, 12],
  ['17.04', 28, 12],
  ['17.05', 29, 12],
  ['17.06', 30, 12],
  ['17.07', 31, 12],
  ['17.09', 32, 12],
  ['17.10', 33, 12],
  ['17.11', 34, 12],
  ['17.12', 35, 12],
  ['18.02', 36, 12],
  ['18.03', 37, 12],
  ['18.06', 38, 12],
  ['18.09', 39, 12],
  ['19.03', 40, 12],
  ['20.10', 41, 12],
  ['23.0', 42, 12],
  ['24.0', 43, 12],
  ['25.0', 44, 24],
  ['26.0', 45, 24],
  ['27.0', 46, 24],
  ['27.2', 47, 24],
  ['28.0', 48, 24],
  ['28.1', 49, 24],
  ['28.2', 50, 24],
  ['28.3', 51, 24],
  ['29.0', 52, 44],
  ['29.2', 53, 44],
  ['29.3', 54, 40],
  ['29.6', 55, 40],
]

/** For users whose engine is newer than the table. */
export const NEWEST_NAMES = `Docker ${RELEASES.at(-1)?.[0]} and API ${formatVersion(NEWEST)}`

/** Podman's compatibility API reports this version from 4.0 on, in 5 too (pkg: version/version.go). */
const PODMAN_NAME = /^podman(?:[ -]?v?[45](?:\.\d+){0,2})?$/
const PODMAN = { highest: apiVersion(41), lowest: apiVersion(24), accepts: apiVersion(0), refusesNone: true }
/** The highest version of 1.6, the first release of the table. */
const FIRST_HIGHEST = apiVersion(18)
/** 17.12 */
const SAYS_MAXIMUM = apiVersion(35)
/** `GET /version` names a minimum from 1.13 on. */
const SAYS_MINIMUM = apiVersion(25)

function knownEngine([release, highest, lowest]: (typeof RELEASES)[number], name = `Docker ${release}`): KnownEngine {
  const version = apiVersion(highest)
  const accepts = apiVersion(lowest)
  const lowestSaid = isOlder(version, SAYS_MINIMUM) ? version : accepts
  return { name, highest: version, lowest: lowestSaid, accepts, refusesNone: false }
}

/** Compares numbers within texts: `28.5` comes before `28.10`, and `17.3` is `17.03`. */
const { compare } = new Intl.Collator('en', { numeric: true })

/**
 * Resolves an engine from text: an API version (`1.44`: the first engine that had it), a release (`28.5`, `Docker 29`,
 * `v20.10.24`; for a bare major its latest known release), or `podman`. Undefined for other text and for unreleased
 * versions. Up to 1.13, releases and API versions look alike: `1.18` and above is an API version, `docker 1.12` the
 * release.
 */
export function engineNamed(text: string): KnownEngine | undefined {
  const words = text.trim().toLowerCase()
  if (PODMAN_NAME.test(words)) return { name: 'Podman', ...PODMAN }
  const release = /^(?:docker|moby|engine)?(?:[ -]?engine)?[ :-]?v?(\d+(?:\.\d+){0,2})$/.exec(words)?.[1]
  const api = parseVersion(words)
  if (api !== undefined && !isOlder(api, RELEASES[0]?.[1] ?? 0))
    return isNewer(api, NEWEST) ? undefined : engineOfApi(api)
  if (release === undefined) return undefined
  // `29` names all of 29: as many parts are compared as it has.
  const { length } = release.split('.')
  const found = RELEASES.findLast(([known]) => compare(known.split('.').slice(0, length).join('.'), release) <= 0)
  // A row applies only within its major version: 9.99 and 99 do not exist.
  if (found?.[0].split('.')[0] !== release.split('.')[0]) return undefined
  return found === undefined ? undefined : knownEngine(found, `Docker ${release}`)
}

/** The first engine that serves a version; the newest known one if none does yet. */
function engineOfApi(version: ApiVersion): KnownEngine {
  const first = RELEASES.find(([, highest]) => highest === version)
  if (first !== undefined) return knownEngine(first, `an engine of API ${formatVersion(version)} (Docker ${first[0]})`)
  return knownEngine(['', version, RELEASES.at(-1)?.[2] ?? 0], `an engine of API ${formatVersion(version)}`)
}

/** An engine that answered `GET /version`. */
export function engineMet(facts: EngineFacts, where: string): KnownEngine {
  const { highest, lowest, product = 'Docker Engine', release } = facts
  const old = isOlder(highest, SAYS_MINIMUM)
  const refusesNone = product.startsWith('Podman')
  return {
    name: `${product} ${release} at ${where}`,
    highest,
    lowest,
    accepts: refusesNone ? apiVersion(0) : old ? apiVersion(highest === FIRST_HIGHEST ? 0 : 12) : lowest,
    refusesNone,
  }
}

/** `Docker 1.10`, whose command line uses this version; undefined for versions without a release. */
export const releaseOf = (version: ApiVersion): string | undefined =>
  RELEASES.find(([, highest]) => highest === version)?.[0]
