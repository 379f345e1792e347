import { foldName } from '../../api/json/names.ts'
import type { Call } from '../../api/read-call.ts'
import { isForm, isMultipartForm } from '../../engine/form.ts'
import type { ReadonlyHeaders } from '../../http/headers.ts'
import { plainPath } from '../redact/secrets.ts'
import { scrub } from '../redact/text.ts'
import { KINDS, type Kind } from './terms.ts'

/** Names in a call, by kind. */
export type Names = Readonly<Partial<Record<Kind, string>>>

/** Operations that name an object in the query. */
const IN_QUERY: Readonly<Record<string, (query: URLSearchParams) => Names>> = {
  ContainerCreate: (query) => one('container', container(query.get('name'))),
  ImageCommit: (query) => ({
    ...one('container', container(query.get('container'))),
    ...one('image', tagged(query.get('repo'), query.get('tag'))),
  }),
  ImageCreate: (query) => one('image', tagged(query.get('fromImage') || query.get('repo'), query.get('tag'))),
  ImageBuild: (query) => one('image', query.get('t')),
  PluginPull: (query) => one('plugin', query.get('name') || query.get('remote')),
  PluginCreate: (query) => one('plugin', query.get('name')),
}

const one = (kind: Kind, name: string | null): Names => (name === null || name === '' ? {} : { [kind]: name })

/** Engines drop the slash before the name of a container. */
const container = (name: string | null): string | null => name?.replace(/^\//, '') ?? null

const tagged = (name: string | null, tag: string | null): string | null =>
  name === null || tag === null || tag === '' ? name : `${name}${tag.includes(':') ? '@' : ':'}${tag}`

const NAMING = new Map(
  ['name', 'container', 'repo', 'tag', 'fromImage', 't', 'remote'].map((name) => [foldName(name), name]),
)

/** Whether engines could read names from the body. */
function hasForm(headers: ReadonlyHeaders): boolean {
  const type = headers.get('content-type')
  if (!isForm(type) && !isMultipartForm(type)) return false
  return headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0
}

/**
 * Whether all engines read the same names in the query: Docker uses the first of repeated parameters, Podman the last and
 * in any case. Go up to 1.16 also splits at `;`, and leaves out what has a broken escape.
 */
function isClear(search: string, query: URLSearchParams): boolean {
  if (search.includes(';') || /%(?![\da-f]{2})/i.test(search)) return false
  const said = new Map<string, string>()
  for (const [name, value] of query) {
    const naming = NAMING.get(foldName(name))
    if (naming === undefined) continue
    if (naming !== name || (said.get(name) ?? value) !== value) return false
    said.set(name, value)
  }
  return true
}

/** A URL in the place of a name may contain a password. */
const withoutSecrets = (names: Names): Names =>
  Object.fromEntries(Object.entries(names).map(([kind, name]) => [kind, scrub(name)]))

const none: Names = {}

/** Undefined where engines could read others. */
export function namesOf({ match, search }: Call, headers: ReadonlyHeaders): Names | undefined {
  if (match === undefined) return none
  const { operation, params } = match
  const inQuery = IN_QUERY[operation.name]
  if (inQuery !== undefined) {
    const query = new URLSearchParams(search)
    return hasForm(headers) || !isClear(search, query) ? undefined : withoutSecrets(inQuery(query))
  }
  const name = params['name'] ?? params['id']
  if (name === undefined) return none
  const segment = operation.path.split('/')[1] ?? ''
  return Object.hasOwn(KINDS, segment) ? one(KINDS[segment as keyof typeof KINDS], plainPath(name)) : none
}
