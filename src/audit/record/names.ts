import { foldName } from '../../api/json/names.ts'
import type { Call } from '../../api/read-call.ts'
import { isForm } from '../../engine/form.ts'
import { fieldOf } from '../../http/client/request.ts'
import { plainPath } from '../redact/secrets.ts'
import { scrub } from '../redact/text.ts'
import { KINDS, type Kind } from './terms.ts'

/** Names in a call, by kind. */
export type Names = Readonly<Partial<Record<Kind, string>>>

/** Operations that name an object in the query. */
const IN_QUERY: Readonly<Record<string, (query: URLSearchParams) => Names>> = {
  ContainerCreate: (query) => one('container', query.get('name')?.replace(/^\//, '') ?? null),
  ImageCommit: (query) => ({
    ...one('container', query.get('container')),
    ...one('image', tagged(query.get('repo'), query.get('tag'))),
  }),
  ImageCreate: (query) => one('image', tagged(query.get('fromImage') ?? query.get('repo'), query.get('tag'))),
  ImageBuild: (query) => one('image', query.get('t')),
  PluginPull: (query) => one('plugin', query.get('name') ?? query.get('remote')),
  PluginCreate: (query) => one('plugin', query.get('name')),
}

const one = (kind: Kind, name: string | null): Names => (name === null || name === '' ? {} : { [kind]: name })

const tagged = (name: string | null, tag: string | null): string | null =>
  name === null || tag === null || tag === '' ? name : `${name}${tag.includes(':') ? '@' : ':'}${tag}`

const NAMING = new Map(
  ['name', 'container', 'repo', 'tag', 'fromImage', 't', 'remote'].map((name) => [foldName(name), name]),
)

/**
 * Whether all engines read the same names: Docker uses the first of repeated parameters, Podman the last and in any case;
 * Go up to 1.16 also splits at `;`; and a form in the body goes before the query.
 */
function isClear(search: string, query: URLSearchParams, contentType: string | undefined): boolean {
  if (search.includes(';') || isForm(contentType)) return false
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

/** Undefined where engines could read others. `headers`: flat name/value pairs. */
export function namesOf({ match, search }: Call, headers: readonly string[]): Names | undefined {
  if (match === undefined) return none
  const { operation, params } = match
  const inQuery = IN_QUERY[operation.name]
  if (inQuery !== undefined) {
    const query = new URLSearchParams(search)
    return isClear(search, query, fieldOf(headers, 'content-type')) ? withoutSecrets(inQuery(query)) : undefined
  }
  const name = params['name'] ?? params['id']
  if (name === undefined) return none
  const segment = operation.path.split('/')[1] ?? ''
  return Object.hasOwn(KINDS, segment) ? one(KINDS[segment as keyof typeof KINDS], plainPath(name)) : none
}
