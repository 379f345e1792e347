import { isObject, type JsonValue, memberAt, objectOf, stringOf } from '../../api/json/json.ts'
import { memberNamed } from '../../api/json/names.ts'
import type { OperationName } from '../../api/operations.ts'
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
import { onRequest, onResponse } from '../own.ts'
import { isSetAside, REPLACES } from './label.ts'
import { hostConfigForEngine, referenceForEngine, showKnownIds, textWithKnownIds } from './rewrite.ts'

/** Operations whose responses contain ids or labels of containers. */
const WITH_IDS: ReadonlySet<OperationName> = new Set<OperationName>([
  'ContainerList',
  'ContainerListPs',
  'ContainerInspect',
  'ContainerPrune',
  'ContainerStats',
  'ExecInspect',
  'ImageInspect',
  'ImageList',
  'NetworkInspect',
  'NetworkList',
  'SystemDataUsage',
])

const REQUEST_BODIES: Partial<Record<OperationName, RequestStep>> = {
  ContainerCreate: forRequest(({ body }, ids) => {
    if (!isObject(body)) return
    hostConfigForEngine(body['HostConfig'], ids)
    const endpoints = memberAt(body, 'NetworkingConfig', 'EndpointsConfig')
    for (const endpoint of Object.values(objectOf(endpoints))) linksForEngine(endpoint, ids)
  }),
  ContainerStart: forRequest(({ body }, ids) => hostConfigForEngine(body, ids)),
  NetworkConnect: forRequest(containerForEngine),
  NetworkDisconnect: forRequest(containerForEngine),
}

function containerForEngine({ body }: RequestMessage, ids: ReplacedContainerIds): void {
  if (!isObject(body)) return
  const name = memberNamed(body, 'Container')
  const said = name === undefined ? undefined : body[name]
  if (name !== undefined && typeof said === 'string') body[name] = ids.toEngine(said)
  linksForEngine(body['EndpointConfig'], ids)
}

function linksForEngine(endpoint: JsonValue | undefined, ids: ReplacedContainerIds): void {
  const links = memberAt(endpoint, 'Links')
  if (isObject(endpoint) && Array.isArray(links)) endpoint['Links'] = links.map((link) => referenceForEngine(link, ids))
}

const QUERIES: Partial<Record<OperationName, RequestStep>> = {
  ContainerList: forRequest(listQuery),
  ContainerListPs: forRequest(listQuery),
  // Also those under the old id.
  SystemEvents: forRequest(({ query }, ids) =>
    filtersForEngine(query, ['container'], (said) => [...new Set([ids.toEngine(said), said])]),
  ),
  ImageBuild: forRequest(({ query }, ids) => {
    const mode = query.get('networkmode')
    if (mode?.startsWith('container:') === true)
      query.set('networkmode', `container:${ids.toEngine(mode.slice('container:'.length))}`)
  }),
  // The engine copies a container's labels to its image, the bridge's too unless overridden (daemon/commit.go:merge).
  ImageCommit: forRequest(({ query }, ids) => {
    const said = query.get('container')
    const id = said === null ? said : ids.toEngine(said)
    if (id === null || id === said) return
    query.set('container', id)
    query.append('changes', `LABEL ${REPLACES}=""`)
  }),
}

function listQuery({ query }: RequestMessage, ids: ReplacedContainerIds): void {
  for (const name of ['since', 'before']) {
    const said = query.get(name)
    if (said !== null && said !== '') query.set(name, ids.toEngine(said))
  }
  filtersForEngine(query, ['id', 'since', 'before'], (said) => [ids.toEngine(said)])
}

const filtersForEngine = (
  query: URLSearchParams,
  names: readonly string[],
  idsOf: (said: string) => readonly string[],
): void =>
  editFilters(query, (filters) => {
    for (const name of names) {
      const values = filters.get(name)
      if (values !== undefined) filters.set(name, values.flatMap(idsOf))
    }
  })

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
    if (action === 'create' && (ids.toClient(id) !== id || ids.isMaking(name, replaces))) return 'drop'
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
    first: [
      ...onRequest(operation, 'body', REQUEST_BODIES[operation]),
      ...onRequest(operation, 'head', QUERIES[operation]),
    ],
    last: [
      ...onResponse(operation, 'head', operation === 'ContainerDelete' ? forgotten : undefined),
      ...onResponse(operation, 'body', WITH_IDS.has(operation) ? shown : undefined),
      ...onResponse(operation, 'error', errors),
    ],
  }
}
