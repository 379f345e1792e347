import { asJson, isObject, type JsonValue, memberAt, objectOf, stringOf, writeJson } from '../../api/json/json.ts'
import { memberNamed } from '../../api/json/names.ts'
import { type OperationName, operationNamed } from '../../api/operations.ts'
import type { RequestMessage, RequestStep, ResponseMessage, ResponseStep, StepContext } from '../message.ts'
import { isSetAside, REPLACES } from './label.ts'
import { hostConfigForEngine, referenceForEngine, showKnownIds, textWithKnownIds } from './rewrite.ts'

/** Additional steps of a plan while containers have other ids than their clients know. */
export interface ReplacedSteps {
  /** Needs the parsed body. */
  readonly requestBody: RequestStep | undefined
  readonly request: RequestStep | undefined
  readonly head: ResponseStep | undefined
  /** Before the changes, which remove the members that it reads. */
  readonly recordFirst: ResponseStep | undefined
  readonly bodyLast: ResponseStep | undefined
  readonly error: ResponseStep
}

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
  ContainerCreate: ({ body }, { replacedContainers }) => {
    if (!isObject(body) || replacedContainers === undefined) return
    hostConfigForEngine(body['HostConfig'], replacedContainers)
    const endpoints = memberAt(body, 'NetworkingConfig', 'EndpointsConfig')
    for (const endpoint of Object.values(objectOf(endpoints))) linksForEngine(endpoint, replacedContainers)
  },
  ContainerStart: ({ body }, { replacedContainers }) => {
    if (replacedContainers !== undefined) hostConfigForEngine(body, replacedContainers)
  },
  NetworkConnect: containerForEngine,
  NetworkDisconnect: containerForEngine,
}

function containerForEngine({ body }: RequestMessage, { replacedContainers }: StepContext): void {
  if (!isObject(body) || replacedContainers === undefined) return
  const name = memberNamed(body, 'Container')
  const said = name === undefined ? undefined : body[name]
  if (name !== undefined && typeof said === 'string') body[name] = replacedContainers.toEngine(said)
  linksForEngine(body['EndpointConfig'], replacedContainers)
}

function linksForEngine(
  endpoint: JsonValue | undefined,
  replacedContainers: NonNullable<StepContext['replacedContainers']>,
): void {
  const links = memberAt(endpoint, 'Links')
  if (isObject(endpoint) && Array.isArray(links))
    endpoint['Links'] = links.map((link) => referenceForEngine(link, replacedContainers))
}

const QUERIES: Partial<Record<OperationName, RequestStep>> = {
  ContainerList: listQuery,
  ContainerListPs: listQuery,
  SystemEvents: ({ query }, context) => filtersForEngine(query, ['container'], context, 'both'),
  ImageBuild: ({ query }, { replacedContainers }) => {
    const mode = query.get('networkmode')
    if (replacedContainers !== undefined && mode?.startsWith('container:') === true)
      query.set('networkmode', `container:${replacedContainers.toEngine(mode.slice('container:'.length))}`)
  },
  // The engine copies a container's labels to its image, the bridge's too unless overridden (daemon/commit.go:merge).
  ImageCommit: ({ query }, { replacedContainers }) => {
    const said = query.get('container')
    const id = said === null || replacedContainers === undefined ? said : replacedContainers.toEngine(said)
    if (id === null || id === said) return
    query.set('container', id)
    query.append('changes', `LABEL ${REPLACES}=""`)
  },
}

function listQuery({ query }: RequestMessage, context: StepContext): void {
  for (const name of ['since', 'before']) {
    const said = query.get(name)
    if (said !== null && said !== '' && context.replacedContainers !== undefined)
      query.set(name, context.replacedContainers.toEngine(said))
  }
  filtersForEngine(query, ['id', 'since', 'before'], context, 'engine')
}

/** `both`: also matches events under the old id. */
function filtersForEngine(
  query: URLSearchParams,
  names: readonly string[],
  { replacedContainers }: StepContext,
  ids: 'engine' | 'both',
): void {
  const text = query.get('filters')
  const filters = text === null ? undefined : asJson(text)
  if (!isObject(filters) || replacedContainers === undefined) return
  const before = writeJson(filters)
  const known = (said: string): string[] => {
    const id = replacedContainers.toEngine(said)
    return id === said || ids === 'engine' ? [id] : [id, said]
  }
  for (const name of names) {
    const values = filters[name]
    if (Array.isArray(values))
      filters[name] = values.flatMap((value): JsonValue[] => (typeof value === 'string' ? known(value) : [value]))
    else if (isObject(values))
      filters[name] = Object.fromEntries(
        Object.entries(values).flatMap(([value, on]) => known(value).map((v) => [v, on] as const)),
      )
  }
  const after = writeJson(filters)
  if (after !== before) query.set('filters', after)
}

/** One event. Events of the replacement itself are hidden: clients see the same container throughout. */
function event({ body }: ResponseMessage, { replacedContainers }: StepContext): 'drop' | undefined {
  if (!isObject(body) || replacedContainers === undefined) return undefined
  const actor = body['Actor']
  const attributes = objectOf(memberAt(actor, 'Attributes'))
  const id = stringOf(memberAt(actor, 'ID'))
  if ((body['Type'] ?? 'container') === 'container') {
    const action = String(body['Action'] ?? body['status'] ?? '')
    const { name, oldName, [REPLACES]: replaces } = attributes
    if ([name, oldName].some((one) => typeof one === 'string' && isSetAside(id, one))) return 'drop'
    if (action === 'create' && (replacedContainers.toClient(id) !== id || replacedContainers.isMaking(name, replaces)))
      return 'drop'
    if (action === 'destroy') replacedContainers.forget(id)
  }
  showKnownIds(body, replacedContainers)
  return undefined
}

const shown: ResponseStep = (message, { replacedContainers }) => {
  if (replacedContainers !== undefined) message.body = showKnownIds(message.body, replacedContainers)
}

const forgotten: ResponseStep = (_message, { replacedContainers, call }) => {
  const said = call.params['name']
  if (said !== undefined) replacedContainers?.forget(replacedContainers.toEngine(said))
}

const errors: ResponseStep = (message, { replacedContainers }) => {
  if (message.text !== undefined && replacedContainers !== undefined)
    message.text = textWithKnownIds(message.text, replacedContainers)
}

export function replacedSteps(operation: OperationName): ReplacedSteps {
  const body = REQUEST_BODIES[operation]
  return {
    requestBody: operationNamed(operation).request === 'json' ? body : undefined,
    request: QUERIES[operation],
    head: operation === 'ContainerDelete' ? forgotten : undefined,
    recordFirst: operation === 'SystemEvents' ? event : undefined,
    bodyLast: WITH_IDS.has(operation) ? shown : undefined,
    error: errors,
  }
}
