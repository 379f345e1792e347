import { type EngineFacts, isPodman } from '../../api/engine-facts.ts'
import {
  type ApiVersion,
  apiVersion,
  byVersion,
  formatVersion,
  isNewer,
  isOlder,
  NEWEST,
  PODMAN_VERSION,
  parseVersion,
} from '../../api/version.ts'
import { words } from '../../config/text.ts'

/** The facts about an engine that the rules need, from its name or from the engine itself. */
export interface KnownEngine {
  /** `Docker 28.5`, `Podman Engine 5.4.2 at unix:///…`. */
  readonly name: string
  readonly highest: ApiVersion
  /** The lowest version that the bridge uses with it: its `MinAPIVersion`, or its highest if it announces none. */
  readonly lowest: ApiVersion
  /** The lowest prefix that it accepts from a direct client. */
  readonly accepts: ApiVersion
  /** It accepts all versions (seen on 5.4). */
  readonly podman: boolean
}

/** An engine's error for a direct client of this version; undefined if it serves it. */
export function refusedBy({ accepts, highest, podman }: KnownEngine, client: ApiVersion): string | undefined {
  if (podman) return undefined
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

/** The highest version of 1.6, the first release of the table. */
const FIRST_HIGHEST = apiVersion(18)

/** The first release with each highest API version (moby: api/common.go at each tag); it holds until the next. */
const RELEASES = words(`
  1.6 1.7 1.8 1.9 1.10 1.11 1.12 1.13.0 1.13.1 17.03 17.04 17.05 17.06 17.07 17.09 17.10 17.11 17.12
  18.02 18.03 18.06 18.09 19.03 20.10 23.0 24.0 25.0 26.0 27.0 27.2 28.0 28.1 28.2 28.3 29.0 29.2 29.3 29.6
`).map((release, i) => ({ release, highest: apiVersion(FIRST_HIGHEST + i) }))

/**
 * The lowest version that engines from a highest one on accept (moby: daemon/config/config.go at each tag). Those up to
 * 1.12 accept versions from 1.12 on, but `GET /version` does not say so.
 */
const lowestFrom = byVersion({ '1.18': 0, '1.19': 12, '1.44': 24, '1.52': 44, '1.54': 40 })

/** For users whose engine is newer than the table. */
export const NEWEST_NAMES = `Docker ${RELEASES.at(-1)?.release} and API ${formatVersion(NEWEST)}`

const PODMAN_NAME = /^podman(?:[ -]?v?([45](?:\.\d+){0,2}))?$/
const PODMAN = { highest: PODMAN_VERSION, lowest: apiVersion(24), accepts: apiVersion(0), podman: true }
/** 17.12 */
const SAYS_MAXIMUM = apiVersion(35)
/** `GET /version` names a minimum from 1.13 on. */
const SAYS_MINIMUM = apiVersion(25)

function knownEngine(name: string, highest: ApiVersion): KnownEngine {
  const accepts = apiVersion(lowestFrom(highest))
  const lowest = isOlder(highest, SAYS_MINIMUM) ? highest : accepts
  return { name, highest, lowest, accepts, podman: false }
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
  const name = text.trim().toLowerCase()
  const podman = PODMAN_NAME.exec(name)
  if (podman !== null) {
    const says44 = compare(podman[1] ?? '', '5.8') >= 0
    return { name: 'Podman', ...PODMAN, ...(says44 ? { highest: apiVersion(44) } : {}) }
  }
  const release = /^(?:docker|moby|engine)?(?:[ -]?engine)?[ :-]?v?(\d+(?:\.\d+){0,2})$/.exec(name)?.[1]
  const api = parseVersion(name)
  if (api !== undefined && !isOlder(api, FIRST_HIGHEST)) return isNewer(api, NEWEST) ? undefined : engineOfApi(api)
  if (release === undefined) return undefined
  // `29` names all of 29: as many parts are compared as it has.
  const { length } = release.split('.')
  const found = RELEASES.findLast((one) => compare(one.release.split('.').slice(0, length).join('.'), release) <= 0)
  // A row applies only within its major version: 9.99 and 99 do not exist.
  const isMet = found?.release.split('.')[0] === release.split('.')[0]
  return found !== undefined && isMet ? knownEngine(`Docker ${release}`, found.highest) : undefined
}

/** The first engine that serves a version; like the newest known one if none does yet. */
function engineOfApi(version: ApiVersion): KnownEngine {
  const first = releaseOf(version)
  return knownEngine(`an engine of API ${formatVersion(version)}${first ? ` (Docker ${first})` : ''}`, version)
}

/** An engine that answered `GET /version`. */
export function engineMet(facts: EngineFacts, where: string): KnownEngine {
  const { highest, lowest, product = 'Docker Engine', release } = facts
  const old = isOlder(highest, SAYS_MINIMUM)
  const podman = isPodman(facts)
  return {
    name: `${product} ${release} at ${where}`,
    highest,
    lowest,
    accepts: podman ? apiVersion(0) : old ? apiVersion(highest === FIRST_HIGHEST ? 0 : 12) : lowest,
    podman,
  }
}

/** `Docker 1.10`, whose command line uses this version; undefined for versions without a release. */
export const releaseOf = (version: ApiVersion): string | undefined =>
  RELEASES.find(({ highest }) => highest === version)?.release
