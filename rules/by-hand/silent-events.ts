import { isObject } from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { editFilters, readFilters } from '../../src/translate/ops/calls/filter-values.ts'

const NOTE = 'events.silent'

/** The engine has no events of the kind asked for: the stream stays open and says nothing. */
const silence = (context: StepContext): void => {
  context.memory.set(NOTE, true)
}

export const whenSilent = (_message: ResponseMessage, { memory }: StepContext): 'drop' | undefined =>
  memory.has(NOTE) ? 'drop' : undefined

/** Every event of an older engine is local. */
export function onlyLocalScope({ query }: RequestMessage, context: StepContext): void {
  const scopes = readFilters(query).get('scope')
  if (scopes === undefined) return
  editFilters(query, (filters) => filters.delete('scope'))
  if (scopes.length > 0 && !scopes.includes('local')) silence(context)
}

/** Objects of a swarm that have no events yet. */
const SWARM = ['config', 'node', 'secret', 'service']

/** Filters for them match nothing; as types beside others they are left out. */
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
 * Podman says `remove` of a container where Docker says `destroy` (measured on 5.4; Docker has no such action): command
 * lines before 1.30 end `docker run --rm` only when they see it (cli: container/utils.go, legacyWaitExitOrRemoved).
 */
export function destroyed({ body }: ResponseMessage): void {
  if (!isObject(body) || body['Type'] !== 'container' || body['Action'] !== 'remove') return
  body['Action'] = 'destroy'
  if (body['status'] === 'remove') body['status'] = 'destroy'
}
