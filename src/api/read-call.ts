import { type ErrorForm, errorForm, ProxyError } from './errors.ts'
import { findOperation, type Match } from './operations.ts'
import {
  type ApiVersion,
  apiVersion,
  comparePrefix,
  formatVersion,
  LOWEST,
  type Prefix,
  splitPrefix,
} from './version.ts'

/** A request line, read: what the client asked for, before anything is known about the engine. */
export interface Call {
  readonly method: string
  /** As the client sent it, for the audit record. */
  readonly url: string
  readonly prefix: Prefix
  /** Without prefix and query, percent-decoded: what an engine routes by. */
  readonly path: string
  /** The same, encoded again for the wire. */
  readonly wirePath: string
  readonly search: string
  readonly match: Match | undefined
  /** The form of errors that this client expects. */
  readonly form: ErrorForm
  /** The answer, where the request line alone decides on it. */
  readonly instead?: ProxyError | Redirect
}

/** Calls by which clients learn the version that they will speak. */
const ASKS_FOR_VERSION: ReadonlySet<string | undefined> = new Set(['SystemPing', 'SystemPingHead', 'SystemVersion'])
export const asksForVersion = ({ match }: Call): boolean => ASKS_FOR_VERSION.has(match?.operation.name)

/** Whether a call changes nothing and is over with one answer: no stream, no connection taken over. */
export function readsOnce({ match }: Call): boolean {
  if (match === undefined) return false
  const { method, response } = match.operation
  return method === 'GET' && (response === 'json' || response === 'text')
}

/** The engine's own redirect: a path with `//` or dot segments goes to the clean one (gorilla/mux). */
export class Redirect extends Error {
  override readonly name = 'Redirect'
  readonly location: string

  constructor(location: string) {
    super(`redirected to ${location}`)
    this.location = location
  }
}

/** Request lines that were read: most clients ask the same few things again and again. */
const read = new Map<string, Call>()
/** Whoever makes up addresses, or long ones, must not fill the memory. */
const MOST_READ = 200
const LONGEST_READ = 200

/** Reads a request line as an engine does. What it says no to is told by `instead`, so that it can be recorded first. */
export function readCall(method: string, url: string): Call {
  if (method !== 'GET' || url.length > LONGEST_READ) return readLine(method, url)
  const known = read.get(url)
  if (known !== undefined) return known
  const call = readLine(method, url)
  if (call.instead !== undefined) return call
  if (read.size >= MOST_READ) read.clear()
  read.set(url, call)
  return call
}

function readLine(method: string, url: string): Call {
  const { path: raw, search } = splitUrl(url)
  const { path: decoded, problem } = decodedPath(method, raw)
  const clean = cleanPath(decoded)
  const { prefix, rest } = splitPrefix(decoded)
  const form = errorForm(prefixVersion(prefix))
  const redirect = clean === decoded ? undefined : new Redirect(encodePath(clean) + search)
  const instead = problem ?? redirect
  const match = instead === undefined ? findOperation(method, rest) : undefined
  return {
    ...(instead === undefined ? {} : { instead }),
    method,
    url,
    prefix,
    path: rest,
    wirePath: encodePath(rest),
    search: match?.operation.name === 'ImageBuild' ? wireNames(search) : search,
    match,
    form,
  }
}

/** The path and the query with its `?`; absolute-form targets lose scheme and authority (RFC 9112, 3.2.2). */
function splitUrl(url: string): { path: string; search: string } {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  const query = target.indexOf('?')
  const path = query === -1 ? target : target.slice(0, query)
  return { path: path === '' ? '/' : path, search: query === -1 ? '' : target.slice(query) }
}

const FILE = 'enginefile='

/** The specification's `enginefile` is the engines' `dockerfile`, which wins where a request has both. */
function wireNames(search: string): string {
  if (!search.includes(FILE)) return search
  const wins = new URLSearchParams(search).has('dockerfile')
  const parts = search.slice(1).split('&')
  const kept = wins ? parts.filter((part) => !part.startsWith(FILE)) : parts
  const named = kept.map((part) => (part.startsWith(FILE) ? `dockerfile=${part.slice(FILE.length)}` : part))
  return named.length === 0 ? '' : `?${named.join('&')}`
}

/** The path that engines route by, without the query; undefined where it cannot be read. */
export function routedPath(url: string): string | undefined {
  const { path } = splitUrl(url)
  return path.includes('%') ? unescaped(path) : path
}

function decodedPath(method: string, raw: string): { path: string; problem?: ProxyError } {
  // `*` asks about the server, authority-form is for CONNECT (RFC 9112, 3.2)
  if (!raw.startsWith('/') && !(raw === '*' && method === 'OPTIONS'))
    return { path: raw, problem: new ProxyError('bad-request', `${JSON.stringify(raw)} is no path`) }
  const path = raw.includes('%') ? unescaped(raw) : raw
  if (path !== undefined) return { path }
  // net/http refuses a bad escape before any routing
  return { path: raw, problem: new ProxyError('bad-request', `invalid URL escape in ${JSON.stringify(raw)}`) }
}

/** Undefined for a bad escape, and for bytes that are no UTF-8: no name has any. */
function unescaped(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch (cause) {
    if (cause instanceof URIError) return undefined
    throw cause
  }
}

/** Go's path.Clean with the trailing slash kept, as gorilla/mux has it. */
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

const encodePath = (path: string): string =>
  /^[A-Za-z0-9\-._~!$&'()*+,;=:@/]*$/.test(path) ? path : encodeURI(path).replace(/[?#]/g, encodeURIComponent)

/** The version that decides on the form of errors; clamped, because only its side of 1.24 counts. */
function prefixVersion(prefix: Prefix): ApiVersion | undefined {
  if (prefix.kind === 'none') return undefined
  const [major = 0, minor = 0] = prefix.parts
  return apiVersion(major > 1 ? 999 : major < 1 ? 0 : Math.min(minor, 999))
}

/**
 * The client's version: the prefix's, or without a prefix `unversioned`. Refuses what lies outside `LOWEST` and
 * `highest` in the words of engines from 17.12 on; an unknown path is not found before its version is looked at.
 * Source: api/server/middleware/version.go (moby), recorded on 1.7 … 29.
 */
export function clientVersion(call: Call, highest: ApiVersion, unversioned: ApiVersion): ApiVersion {
  if (call.prefix.kind === 'none') return unversioned
  const { parts, text } = call.prefix
  if (comparePrefix(parts, LOWEST) < 0) {
    refuseUnknownPath(call)
    throw new ProxyError(
      'version',
      `client version ${text} is too old. Minimum supported API version is ${formatVersion(LOWEST)}, please upgrade your client to a newer version`,
    )
  }
  if (comparePrefix(parts, highest) > 0) {
    refuseUnknownPath(call)
    throw new ProxyError(
      'version',
      `client version ${text} is too new. Maximum supported API version is ${formatVersion(highest)}`,
    )
  }
  return apiVersion(parts[1] ?? 0)
}

function refuseUnknownPath(call: Call): void {
  if (call.match === undefined) throw new ProxyError('not-found', 'page not found')
}
