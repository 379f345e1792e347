/**
 * API versions. Internally a version is its minor number (44 for 1.44), branded; the text form exists only at the
 * edges. Every published Engine API version is 1.x.
 */
declare const brand: unique symbol
export type ApiVersion = number & { readonly [brand]: 'ApiVersion' }

/** The version 1.`minor`. */
export function apiVersion(minor: number): ApiVersion {
  if (!Number.isInteger(minor) || minor < 0 || minor > 999)
    throw new RangeError(`no API version has the minor ${minor}`)
  return minor as ApiVersion
}

/** The lowest version that the bridge offers to clients. */
export const LOWEST: ApiVersion = apiVersion(12)

/** The newest version with rules: clients of newer ones are served as this one. */
export const NEWEST: ApiVersion = apiVersion(57)

/** From this version on errors are JSON; below, and on engines up to 1.11, they are text (moby CHANGELOG v1.24). */
export const JSON_ERRORS_FROM: ApiVersion = apiVersion(24)
/** The API version that Podman 4.0 to 5.7 report; 5.8 reports 1.44 (version/version.go). */
export const PODMAN_VERSION: ApiVersion = apiVersion(41)

/**
 * From this version on engines serve HTTP/2 with prior knowledge on listeners without TLS, without announcing it (moby
 * #50744, in 29.2; 29.1 is 1.52).
 */
const HTTP2_FROM: ApiVersion = apiVersion(53)

const AUTO_REMOVE_FROM = apiVersion(25)

/** A Docker engine with that highest version speaks HTTP/2 with prior knowledge. */
export const speaksHttp2 = (highest: ApiVersion): boolean => highest >= HTTP2_FROM

/** Engines of that version remove containers with AutoRemove themselves (version-history.md v1.25). */
export const removesItself = (highest: ApiVersion): boolean => highest >= AUTO_REMOVE_FROM

export const formatVersion = (version: ApiVersion): string => `1.${version}`

/** Parses `1.44` as people and `GET /version` write it; undefined for anything else. */
export function parseVersion(text: string): ApiVersion | undefined {
  const found = /^v?1\.(\d{1,3})$/.exec(text.trim())
  return found ? apiVersion(Number(found[1])) : undefined
}

/** Parses the version of a rule. Throws a RangeError if it is invalid. */
export function versionOf(text: string): ApiVersion {
  const version = parseVersion(text)
  if (version === undefined) throw new RangeError(`invalid API version "${text}": expected one such as 1.24`)
  return version
}

/*
 * Versions are compared only here, in src/translate and in rules/ (test/versions.test.ts). Other code looks
 * version-dependent facts up in tables with these functions.
 */
export const isOlder = (version: number, than: number): boolean => version < than
export const isNewer = (version: number, than: number): boolean => version > than
/** Both ends are included. */
export const isWithin = (version: number, from: number, to: number): boolean => version >= from && version <= to

/** Value of the last row at or below the version: `byVersion({ '1.18': 'a', '1.22': 'b' })(apiVersion(20))` is `a`. */
export function byVersion<T>(rows: Readonly<Record<string, T>>): (version: number) => T {
  const known = Object.entries(rows).map(([from, value]) => ({ from: parseVersion(from), value }))
  const [first] = known
  if (first === undefined || known.some(({ from }) => from === undefined))
    throw new RangeError('rows begin with a version')
  return (version) => known.findLast(({ from = LOWEST }) => version >= from)?.value ?? first.value
}

/** The version of a range nearest to `version` that suits; of two equally near ones, the older. */
export function nearestVersion(
  version: ApiVersion,
  low: ApiVersion,
  high: ApiVersion,
  suits: (candidate: ApiVersion) => boolean,
): ApiVersion | undefined {
  const nearest = clampVersion(version, low, high)
  if (suits(nearest)) return nearest
  for (let away = 1; away <= high - low; away++)
    for (const candidate of [nearest - away, nearest + away])
      if (isWithin(candidate, low, high) && suits(apiVersion(candidate))) return apiVersion(candidate)
  return undefined
}

export const clampVersion = (version: ApiVersion, low: ApiVersion, high: ApiVersion): ApiVersion =>
  version < low ? low : version > high ? high : version

/**
 * A path's version prefix; `text` is the client's spelling, without the `v`. One of Podman's own API (`/v5.4.2/libpod/…`,
 * `/libpod/_ping`) is no API version and stays as it is.
 */
export type Prefix =
  | { readonly kind: 'none'; readonly text?: undefined }
  | { readonly kind: 'version'; readonly text: string; readonly parts: readonly number[] }
  | { readonly kind: 'libpod'; readonly text: string | undefined }

/** Podman's router (pkg/api/server/handler_api.go, VersionedPath). */
const LIBPOD = /^(?:\/v([0-9][0-9A-Za-z.-]*))?\/libpod\//

/**
 * Splits the version prefix off a path as the engines' router does: `/v{version:[0-9.]+}/…`. `/vfoo/…` has no prefix
 * (and then matches no route).
 * Source: api/server/server.go:CreateMux, api/types/versions/compare.go (moby).
 */
export function splitPrefix(path: string): { prefix: Prefix; rest: string } {
  const own = path.includes('/libpod/') ? LIBPOD.exec(path) : null
  if (own !== null) {
    const [, said] = own
    return { prefix: { kind: 'libpod', text: said }, rest: path.slice(path.indexOf('/libpod/')) }
  }
  const text = /^\/v([0-9.]+)\//.exec(path)?.[1]
  if (text === undefined) return { prefix: { kind: 'none' }, rest: path }
  const parts = text.split('.').map(Number)
  return { prefix: { kind: 'version', text, parts }, rest: path.slice('/v'.length + text.length) }
}

/** The inverse: `version` is written as in `Prefix`. */
export const withPrefix = (version: string | undefined, rest: string): string =>
  version === undefined ? rest : `/v${version}${rest}`

/** Negative, zero or positive; compares part by part, missing parts as 0 (moby's versions.compare). */
export function compareParts(parts: readonly number[], other: readonly number[]): number {
  for (let i = 0; i < Math.max(parts.length, other.length); i++) {
    const difference = (parts[i] ?? 0) - (other[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

export const comparePrefix = (parts: readonly number[], version: ApiVersion): number =>
  compareParts(parts, [1, version])

/**
 * The highest version offered to clients. Announced versions above the newest known one are offered only with a known
 * engine: between two versions without rules nothing would be translated.
 */
export function offered(announced: ApiVersion | undefined, engine: ApiVersion): ApiVersion {
  if (announced === undefined) return engine
  return announced > NEWEST && engine > NEWEST ? engine : announced
}
