import type { CatalogueCall, RecordedEngine } from './catalogue.ts'
import type { View } from './support/view.ts'

/**
 * Recorded answers that cannot be compared: the engine was in a state that the scenario does not bring about. By the number of
 * the call, with the clients.
 */
const OTHER_STATE: readonly { readonly why: string; readonly calls: string; readonly clients: readonly string[] }[] = [
  { why: 'The engine had the tag already.', calls: '073', clients: ['1.18', '1.19', '1.20', '1.21'] },
  { why: 'The engine had the container already.', calls: '253', clients: ['1.22'] },
  { why: 'Nothing came in the time of the recording.', calls: '324', clients: ['1.18', '1.19', '1.20'] },
]

export const wasInOtherState = ({ name }: CatalogueCall, client: string): boolean =>
  OTHER_STATE.some(({ calls, clients }) => calls.split(' ').includes(name.slice(0, 3)) && clients.includes(client))

/** Tells whether a call succeeded on one side; undefined if that side has no answer to it. */
export type Made = (name: string) => boolean | undefined

export const madeIn =
  (views: ReadonlyMap<string, View>): Made =>
  (name) => {
    const view = views.get(name)
    return view === undefined ? undefined : wentWell(view.status)
  }

export const madeAsRecorded =
  ({ answers }: RecordedEngine): Made =>
  (name) => {
    const answer = answers[name]
    return answer === undefined ? undefined : wentWell(answer.status)
  }

const wentWell = (status: number | null): boolean => status !== null && status < 400

/**
 * The calls about an object that only one of the two sides made. The difference belongs to the call that should have made it;
 * later answers that follow from it (`No such container`) do not count.
 */
export function followUps(calls: readonly CatalogueCall[], here: Made, there: Made): ReadonlySet<string> {
  const missing = new Set<string>()
  const found = new Set<string>()
  for (const call of calls) {
    if ([...missing].some((thing) => isAbout(call, thing))) found.add(call.name)
    const made = [here(call.name), there(call.name)]
    const differs = made[0] !== undefined && made[1] !== undefined && made[0] !== made[1]
    for (const thing of makes(call)) differs ? missing.add(thing) : found.has(call.name) || missing.delete(thing)
  }
  return found
}

const makes = ({ method, path, name, json }: CatalogueCall): string[] => {
  if (method !== 'POST') return []
  const container = /^\/containers\/create\?(?:.*&)?name=([\w.-]+)/.exec(path)?.[1]
  if (container !== undefined) return [`/containers/${container}`]
  if (/^\/containers\/[^/]+\/exec$/.test(path)) return [`{${name}}`]
  const named = typeof json === 'object' && json !== null && 'Name' in json ? json['Name'] : undefined
  return /^\/(volumes|networks)\/create$/.test(path) && typeof named === 'string' ? [path.replace('create', named)] : []
}

const isAbout = ({ path, method }: CatalogueCall, thing: string): boolean => {
  const [own = ''] = path.split('?')
  if (thing.startsWith('{')) return path.includes(thing)
  return own === thing || own.startsWith(`${thing}/`) || (method === 'DELETE' && own === thing)
}
