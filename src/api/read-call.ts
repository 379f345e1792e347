import { BoundedMap } from './bounded-map.ts'
import { type ErrorForm, ProxyError } from './errors.ts'
import { findOperation, type Match } from './operations.ts'
import {
  type ApiVersion,
  apiVersion,
  comparePrefix,
  formatVersion,
  JSON_ERRORS_FROM,
  LOWEST,
  type Prefix,
  splitPrefix,
} from './version.ts'

/** A parsed request line, independent of the engine. */
export interface Call {
  readonly method: string
  /** As sent by the client, for the audit record; bytes beyond ASCII are escaped. */
  readonly url: string
  readonly prefix: Prefix
  /** Without prefix and query, percent-decoded, as engines route. */
  readonly path: string
  /** The same, percent-encoded. */
  readonly wirePath: string
  readonly search: string
  readonly match: Match | undefined
  /** Form of errors for this client. */
  readonly form: ErrorForm
  /** The response, if the request line alone decides it. */
  readonly localResponse?: ProxyError | Redirect
}

/** Calls that clients use to negotiate the version. */
const ASKS_FOR_VERSION: ReadonlySet<string | undefined> = new Set(['SystemPing', 'SystemPingHead', 'SystemVersion'])
export const asksForVersion = ({ match }: Call): boolean => ASKS_FOR_VERSION.has(match?.operation.name)

/** The call changes nothing and has a single response: neither a stream nor a hijack. */
export function readsOnce({ match }: Call): boolean {
  if (match === undefined) return false
  const { method, response } = match.operation
  return method === 'GET' && (response === 'json' || response === 'text')
}

/** The engine's own redirect: a path with `//` or dot segments redirects to the clean one (gorilla/mux). */
export class Redirect extends Error {
  override readonly name = 'Redirect'
  readonly location: string

  constructor(location: string) {
    super(`redirected to ${location}`)
    this.location = location
  }
}

/** Bounds the cache against many or long made-up URLs. */
const MAX_READ = 200
const LONGEST_READ = 200
/** Cache of parsed request lines: most clients repeat a few of them. */
const read = new BoundedMap<string, Call>(MAX_READ)

/** Parses a request line as an engine does. Errors go into `localResponse`: the call is recorded before the response. */
export function readCall(method: string, url: string): Call {
  if (method !== 'GET' || url.length > LONGEST_READ) return readLine(method, url)
  const known = read.get(url)
  if (known !== undefined) return known
  const call = readLine(method, url)
  if (call.localResponse === undefined) read.set(url, call)
  return call
}

function readLine(method: string, url: string): Call {
  const { path: raw, search: whole } = splitUrl(url)
  const search = boundedSearch(whole)
  const { path: decoded, problem } = decodedPath(method, raw)
  const clean = cleanPath(decoded)
  const { prefix, rest } = splitPrefix(decoded)
  const isOld = prefix.kind === 'version' && comparePrefix(prefix.parts, JSON_ERRORS_FROM) < 0
  const redirect = clean === decoded ? undefined : new Redirect(encodePath(clean) + search)
  const elsewhere = problem ?? redirect
  const localResponse = search === whole ? elsewhere : tooManyParameters()
  const match = elsewhere === undefined ? findOperation(method, rest) : undefined
  return {
    ...(localResponse === undefined ? {} : { localResponse }),
    method,
    url,
    prefix,
    path: rest,
    wirePath: encodePath(rest),
    search: match?.operation.name === 'ImageBuild' ? wireNames(search) : search,
    match,
    form: isOld ? 'text' : 'json',
  }
}

/** Path and query with its `?`; absolute-form targets lose scheme and authority (RFC 9112, 3.2.2). */
function splitUrl(url: string): { path: string; search: string } {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:(?:\/\/[^/?#]*|(?=\/))/i, '')
  const query = target.indexOf('?')
  const path = query === -1 ? target : target.slice(0, query)
  return { path: path === '' ? '/' : path, search: query === -1 ? '' : target.slice(query) }
}

/** As Go's net/url from 1.24.12 on. URLSearchParams takes quadratic time: minutes for a million parameters. */
const MAX_PARAMETERS = 10_000

export const tooManyParameters = (): ProxyError =>
  new ProxyError('bad-request', `the query has more than ${MAX_PARAMETERS} parameters`)

/** The query, cut off after `MAX_PARAMETERS`. Go up to 1.16 splits at `;`, too. */
export function boundedSearch(search: string): string {
  let count = 0
  for (const { index } of search.length < MAX_PARAMETERS ? [] : search.matchAll(/[&;]/g))
    if (++count === MAX_PARAMETERS) return search.slice(0, index)
  return search
}

const FILE = 'enginefile='

/** The specification's `enginefile` is the engines' `dockerfile`, which takes precedence if both are present. */
function wireNames(search: string): string {
  if (!search.includes(FILE)) return search
  const wins = new URLSearchParams(search).has('dockerfile')
  const parts = search.slice(1).split('&')
  const kept = wins ? parts.filter((part) => !part.startsWith(FILE)) : parts
  const named = kept.map((part) => (part.startsWith(FILE) ? `dockerfile=${part.slice(FILE.length)}` : part))
  return named.length === 0 ? '' : `?${named.join('&')}`
}

function decodedPath(method: string, raw: string): { path: string; problem?: ProxyError } {
  // `*` addresses the server as a whole, authority-form is for CONNECT (RFC 9112, 3.2)
  if (!raw.startsWith('/') && !(raw === '*' && method === 'OPTIONS'))
    return { path: raw, problem: new ProxyError('bad-request', `invalid request path ${JSON.stringify(raw)}`) }
  try {
    return { path: decodeURIComponent(raw) }
  } catch {
    // net/http rejects a bad escape before routing; invalid UTF-8 is in no name.
    return { path: raw, problem: new ProxyError('bad-request', `invalid URL escape in ${JSON.stringify(raw)}`) }
  }
}

/** Go's path.Clean with the trailing slash kept, as in gorilla/mux. posix.normalize does the same in quadratic time. */
function cleanPath(path: string): string {
  if (!path.includes('//') && !path.includes('/.')) return path
  const kept: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  const clean = `/${kept.join('/')}`
  return path.endsWith('/') && clean !== '/' ? `${clean}/` : clean
}

export const encodePath = (path: string): string =>
  /^[A-Za-z0-9\-._~!$&'()*+,;=:@/]*$/.test(path) ? path : encodeURI(path).replace(/[?#]/g, encodeURIComponent)

/**
 * The client's version: from the prefix, else `unversioned`. Rejects versions outside `lowest` and `highest` with the
 * wording of engines from 17.12 on; unknown paths get their 404 before the version is checked. Podman's own API has
 * versions of its own.
 * Source: api/server/middleware/version.go (moby), recorded on 1.7 … 29.
 */
export function clientVersion(
  call: Call,
  highest: ApiVersion,
  unversioned: ApiVersion,
  lowest: ApiVersion = LOWEST,
): ApiVersion {
  if (call.prefix.kind === 'libpod') return highest
  if (call.prefix.kind === 'none') return unversioned
  const { parts, text } = call.prefix
  const isOld = comparePrefix(parts, lowest) < 0
  if (!isOld && comparePrefix(parts, highest) <= 0) return apiVersion(parts[1] ?? 0)
  if (call.match === undefined) throw new ProxyError('not-found', 'page not found')
  const why = isOld
    ? `client version ${text} is too old. Minimum supported API version is ${formatVersion(lowest)}, please upgrade your client to a newer version`
    : `client version ${text} is too new. Maximum supported API version is ${formatVersion(highest)}`
  throw new ProxyError('version', why)
}
