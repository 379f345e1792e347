import type { Call } from '../../api/read-call.ts'
import { plainPath } from '../redact/secrets.ts'
import { scrub } from '../redact/text.ts'
import { KINDS, type Kind } from './terms.ts'

/** Names in a call, by kind. */
export type Names = Readonly<Partial<Record<Kind, string>>>

/** Operations that name an object in the query. */
const IN_QUERY: Readonly<Record<string, (query: URLSearchParams) => Names>> = {
  ContainerCreate: (query) => one('container', query.get('name')),
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

/** A URL in the place of a name may contain a password. */
const withoutSecrets = (names: Names): Names =>
  Object.fromEntries(Object.entries(names).map(([kind, name]) => [kind, scrub(name)]))

const none: Names = {}

export function namesOf({ match, search }: Call): Names {
  if (match === undefined) return none
  const { operation, params } = match
  const inQuery = IN_QUERY[operation.name]
  if (inQuery !== undefined) return withoutSecrets(inQuery(new URLSearchParams(search)))
  const name = params['name'] ?? params['id']
  if (name === undefined) return none
  const segment = operation.path.split('/')[1] ?? ''
  return Object.hasOwn(KINDS, segment) ? one(KINDS[segment as keyof typeof KINDS], plainPath(name)) : none
}
