import { isObject, type JsonValue, memberAt, objectOf, stringOf } from '../../api/json/json.ts'
import { memberNamed } from '../../api/json/names.ts'
import { type OperationName, operationsNamed } from '../../api/operations.ts'
import { walker } from '../../api/shapes/shape.ts'
import { onRequest, onResponse } from '../announced-version.ts'
import type { PlacedStep } from '../change.ts'
import type {
  ReplacedContainerIds,
  RequestMessage,
  RequestStep,
  ResponseMessage,
  ResponseStep,
  StepContext,
} from '../message.ts'
import { editFilters } from '../ops/calls/filter-values.ts'
import { isSetAside, REPLACES } from './label.ts'
import { mapReference, showKnownIds, textWithKnownIds } from './rewrite.ts'

/** Operations whose responses contain ids or labels of containers. */
const WITH_IDS: ReadonlySet<OperationName> = new Set(
  operationsNamed(`ContainerList ContainerListPs ContainerInspect ContainerPrune ContainerStats ExecInspect ImageInspect
    ImageList NetworkInspect NetworkList SystemDataUsage`),
)

const IN_HOST_CONFIG = ['NetworkMode', 'IpcMode', 'PidMode', 'VolumesFrom', 'Links']

/** Paths to objects in the bodies of requests, and their members that name containers. */
const IN_BODIES: Partial<Record<OperationName, Readonly<Record<string, readonly string[]>>>> = {
  ContainerCreate: { HostConfig: IN_HOST_CONFIG, 'NetworkingConfig.EndpointsConfig.{}': ['Links'] },
  ContainerStart: { '': IN_HOST_CONFIG },
  NetworkConnect: { '': ['Container'], EndpointConfig: ['Links'] },
  NetworkDisconnect: { '': ['Container'] },
}

function bodyStep(operation: OperationName): RequestStep | undefined {
  const paths = IN_BODIES[operation]
  if (paths === undefined) return undefined
  const places = Object.entries(paths).map(([path, members]) => ({ walk: walker(path), members }))
  return forRequest(({ body }, { toEngine }) => {
    const named = (value: JsonValue): JsonValue => (typeof value === 'string' ? mapReference(value, toEngine) : value)
    for (const { walk, members } of places)
      walk(body, (object) => {
        for (const member of members) {
          const name = memberNamed(object, member)
          const value = name === undefined ? undefined : object[name]
          if (name === undefined || value === undefined) continue
          object[name] = Array.isArray(value) ? value.map(named) : named(value)
        }
      })
  })
}

const LIST = { parameters: ['since', 'before'], filters: ['id', 'since', 'before'] }

/** Query parameters and filters that name containers. */
const IN_QUERIES: Partial<Record<OperationName, Partial<Record<'parameters' | 'filters', readonly string[]>>>> = {
  ContainerList: LIST,
  ContainerListPs: LIST,
  SystemEvents: { filters: ['container'] },
  ImageBuild: { parameters: ['networkmode'] },
  ImageCommit: { parameters: ['container'] },
}

function headStep(operation: OperationName): RequestStep | undefined {
  const places = IN_QUERIES[operation]
  if (places === undefined) return undefined
  const { parameters = [], filters: names = [] } = places
  return forRequest(({ query }, { toEngine }) => {
    for (const name of parameters) {
      const said = query.get(name) ?? ''
      const id = mapReference(said, toEngine)
      if (id === said) continue
      query.set(name, id)
      // The engine copies a container's labels to its image, the bridge's too unless overridden (daemon/commit.go:merge).
      if (operation === 'ImageCommit') query.append('changes', `LABEL ${REPLACES}=""`)
    }
    // Events of the past have the old id.
    const idsOf = (said: string): string[] =>
      operation === 'SystemEvents' ? [...new Set([toEngine(said), said])] : [toEngine(said)]
    if (names.length === 0) return
    editFilters(query, (filters) => {
      for (const name of names) {
        const values = filters.get(name)
        if (values !== undefined) filters.set(name, values.flatMap(idsOf))
      }
    })
  })
}

/** One event. Events of the replacement itself are hidden: clients see the same container throughout. */
const event = forResponse(({ body }, ids) => {
  if (!isObject(body)) return undefined
  const actor = body['Actor']
  const attributes = objectOf(memberAt(actor, 'Attributes'))
  const id = stringOf(memberAt(actor, 'ID'))
  if ((body['Type'] ?? 'container') === 'container') {
    const action = String(body['Action'] ?? body['status'] ?? '')
    const { name, oldName, [REPLACES]: replaces } = attributes
    if ([name, oldName].some((one) => typeof one === 'string' && isSetAside(id, one))) return 'drop'
    const known = ids.toClient(id) !== id
    if (action === 'create' && (known || ids.isMaking(name, replaces))) return 'drop'
    // A create that fails has no event but this one, of a container that its caller never knows (daemon/create.go).
    if (action === 'destroy' && !known && ids.isMaking(name, replaces)) return 'drop'
    if (action === 'destroy') ids.forget(id)
  }
  showKnownIds(body, ids)
  return undefined
})

const shown = forResponse((message, ids) => {
  message.body = showKnownIds(message.body, ids)
})

const forgotten = forResponse((_message, ids, { call }) => {
  const said = call.params['name']
  if (said !== undefined) ids.forget(ids.toEngine(said))
})

const errors = forResponse((message, ids) => {
  if (message.text !== undefined) message.text = textWithKnownIds(message.text, ids)
})

function forRequest(step: (message: RequestMessage, ids: ReplacedContainerIds) => void): RequestStep {
  return (message, { replacedContainers: ids }) => ids && step(message, ids)
}

function forResponse(
  step: (message: ResponseMessage, ids: ReplacedContainerIds, context: StepContext) => void | 'drop',
): ResponseStep {
  return (message, context) => context.replacedContainers && step(message, context.replacedContainers, context)
}

/** Runs on each record before the changes, which remove the members that it reads. */
export const recordFirst = (operation: OperationName): ResponseStep | undefined =>
  operation === 'SystemEvents' ? event : undefined

/** Additional steps of a plan while containers have other ids than their clients know: before the changes, and after. */
export function replacedSteps(operation: OperationName): { first: PlacedStep[]; last: PlacedStep[] } {
  return {
    first: [...onRequest(operation, 'body', bodyStep(operation)), ...onRequest(operation, 'head', headStep(operation))],
    last: [
      ...onResponse(operation, 'head', operation === 'ContainerDelete' ? forgotten : undefined),
      ...onResponse(operation, 'body', WITH_IDS.has(operation) ? shown : undefined),
      ...onResponse(operation, 'error', errors),
    ],
  }
}
