import { isObject } from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { editFilters, readFilters } from '../../src/translate/ops/calls/filter-values.ts'

const NOTE = 'events.silent'

/** The engine has no events that match: the stream stays open without records. */
const silence = (context: StepContext): void => {
  context.memory.set(NOTE, true)
}

export const whenSilent = (_message: ResponseMessage, { memory }: StepContext): 'drop' | undefined =>
  memory.has(NOTE) ? 'drop' : undefined

/** All events of an older engine are local: removes the filter. */
export function onlyLocalScope({ query }: RequestMessage, context: StepContext): void {
  const scopes = readFilters(query).get('scope')
  if (scopes === undefined) return
  editFilters(query, (filters) => filters.delete('scope'))
  if (scopes.length > 0 && !scopes.includes('local')) silence(context)
}

/** Types of swarm objects that have no events on older engines. */
const SWARM = ['config', 'node', 'secret', 'service']

/** Removes these types from the filters; if a filter names no other, nothing matches. */
export function withoutSwarmKinds({ query }: RequestMessage, context: StepContext): void {
  const filters = readFilters(query)
  const types = filters.get('type') ?? []
  const known = types.filter((type) => !SWARM.includes(type))
  if (SWARM.some((kind) => filters.has(kind)) || (types.length > 0 && known.length === 0)) silence(context)
  editFilters(query, (edited) => {
    for (const kind of SWARM) edited.delete(kind)
    if (types.length === 0) return
    if (known.length > 0) edited.set('type', known)
    else edited.delete('type')
  })
}

/**
 * Podman sends `remove` for a container where Docker sends `destroy` (seen on 5.4; Docker has no such action). Docker CLIs
 * before 1.30 end `docker run --rm` only on `destroy` (cli: container/utils.go, legacyWaitExitOrRemoved).
 */
export function destroyed({ body }: ResponseMessage): void {
  if (!isObject(body) || body['Type'] !== 'container' || body['Action'] !== 'remove') return
  body['Action'] = 'destroy'
  if (body['status'] === 'remove') body['status'] = 'destroy'
}
