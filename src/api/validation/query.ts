import { words } from '../../config/text.ts'
import { asJson, isObject } from '../json/json.ts'
import { type OperationName, operationNames } from '../operations.ts'
import { type ApiVersion, byVersion, isNewer, isOlder } from '../version.ts'
import { checkFilters, type FilterKeys } from './filters.ts'
import { AND_LATER, type Raw } from './finding.ts'
import { detachKeysPattern, LAST_SPECIFIED } from './kinds.ts'

/** Rules for one query parameter. */
export interface Parameter {
  readonly since: number
  readonly repeats: boolean
  readonly filters?: FilterKeys
  /** The requirement, worded to follow the parameter's name. */
  readonly rule: string
  readonly holds: (value: string, version: ApiVersion) => boolean
}

type Some = Partial<Pick<Parameter, 'since' | 'repeats'>>

const parameter = (rule: string, holds: Parameter['holds'], some: Some = {}): Parameter => ({
  since: 18,
  repeats: false,
  rule,
  holds,
  ...some,
})

/** The specification's list (1, point 5). Engines treat anything as true but "", 0, no, false and none. */
const flag = (some?: Some): Parameter =>
  parameter('must be 1, True, true, 0, False or false', (value) => /^(?:1|[Tt]rue|0|[Ff]alse)?$/.test(value), some)
const int = (some?: Some): Parameter => parameter('must be an integer', (value) => /^-?\d*$/.test(value), some)
const text = (some?: Some): Parameter => parameter('', () => true, some)
const required = (some?: Some): Parameter => parameter('is required', (value) => value !== '', some)
/** Seconds, optionally with a fraction, or RFC 3339 (2, first paragraph). */
const time = (): Parameter =>
  parameter('must be a timestamp', (value) => /^(?:\d+(?:\.\d+)?|\d{4}-\d\d-\d\dT.*)?$/.test(value))
const filters = (keys: FilterKeys, some?: Some): Parameter => ({ ...text(some), filters: keys })
const detach = (): Parameter =>
  parameter('must be one character or ctrl-<value>', (value) => value === '' || detachKeysPattern.test(value), {
    since: 22,
  })

/** Section 8. Engines also accept dots, and require two characters, the first a letter or a digit. */
const name = (): Parameter =>
  parameter('must match /?[a-zA-Z0-9_-]+', (value) => value === '' || /^\/?[a-zA-Z0-9_-]+$/.test(value))

const booleans = { since: 18, values: () => ['true', 'false', '1', '0'] } as const
const anything = (since = 18) => ({ since })
const STATES = ['restarting', 'running', 'paused', 'exited']

/** Keys in the specification, and those it omits but engines of that version know. */
const containerFilters: FilterKeys = {
  exited: { since: 18, values: () => /^-?\d+$/ },
  status: {
    since: 18,
    values: byVersion({ '1.18': STATES, '1.20': [...STATES, 'created'], '1.22': [...STATES, 'created', 'dead'] }),
  },
  label: anything(),
  isolation: { since: 22, values: () => ['default', 'process', 'hyperv'] },
  id: anything(), // daemon/list.go @v1.6.2, as `name`
  name: anything(),
  ancestor: anything(21), // 1.21/filter-ancestor
  before: anything(22), // 1.22/filters-before-since
  since: anything(22),
  volume: anything(22),
}
const eventFilters: FilterKeys = {
  container: anything(),
  event: anything(),
  image: anything(),
  label: anything(21),
  type: { since: 22, values: () => ['container', 'image', 'volume', 'network'] },
  volume: anything(22),
  network: anything(22),
}
const networkFilters: FilterKeys = {
  name: anything(21),
  id: anything(21),
  type: { since: 22, values: () => ['custom', 'builtin'] },
}

/** Engines before 1.8 refuse LABEL (recordings 1.6.2, 1.7.1: commit-changes); 20.10 always accepts it. */
const LABEL_FROM = 20
const changes = (): Parameter =>
  parameter(
    `must not hold LABEL before API 1.${LABEL_FROM}`,
    (value, version) => !isOlder(version, LABEL_FROM) || !/^[^\S\r\n\u2028\u2029]*label\s/im.test(value),
    { repeats: true },
  )

/** The same rules for several parameters. */
const each = (names: string, rules: Parameter): Readonly<Record<string, Parameter>> =>
  Object.fromEntries(words(names).map((name) => [name, rules]))

const list = {
  ...each('all size', flag()),
  limit: int(),
  ...each('since before', text()),
  filters: filters(containerFilters),
}
const attach = { ...each('logs stream stdin stdout stderr', flag()), detachKeys: detach() }
const size = { h: int(), w: int() }

/** The query parameters of the specification's section 4. */
export const parameters: Partial<Record<OperationName, Readonly<Record<string, Parameter>>>> = {
  ContainerList: list,
  ContainerListPs: list,
  ContainerCreate: { name: name() },
  ContainerInspect: { size: flag({ since: 20 }) },
  ContainerTop: { ps_args: text() },
  ContainerLogs: {
    ...each('follow stdout stderr timestamps', flag()),
    since: int({ since: 19 }),
    tail: parameter('must be all or a number', (value) => /^(?:all|\d+)?$/.test(value)),
  },
  ContainerStats: { stream: flag({ since: 19 }) },
  ContainerResize: size,
  ContainerStart: { detachKeys: detach() },
  ContainerStop: { t: int() },
  ContainerRestart: { t: int() },
  ContainerKill: {
    signal: parameter('must be a number or the name of a signal', (value) =>
      /^(?:\d+|[A-Za-z][A-Za-z0-9+-]*)?$/.test(value),
    ),
  },
  ContainerRename: { name: name() },
  ContainerAttach: attach,
  ContainerAttachWebsocket: attach,
  ContainerDelete: { v: flag(), force: flag(), link: flag() },
  ContainerArchiveInfo: { path: required() },
  ContainerArchive: { path: required() },
  PutContainerArchive: {
    path: required(),
    noOverwriteDirNonDir: parameter('must be 1, true or True', (value) => /^(?:1|[Tt]rue|0|[Ff]alse)?$/.test(value)),
  },
  ExecResize: size,
  ImageList: {
    all: flag(),
    filters: filters({ dangling: booleans, label: anything(), reference: anything(25) }),
    filter: text(),
    digests: flag(),
  },
  ImageBuild: {
    ...each('dockerfile enginefile remote cpusetcpus', text()),
    t: text({ repeats: true }),
    ...each('q nocache pull rm forcerm', flag()),
    ...each('memory memswap cpushares', int()),
    ...each('cpuperiod cpuquota', int({ since: 19 })),
    buildargs: parameter('must be a JSON object of strings', isStringMap, { since: 21 }),
    shmsize: parameter('must be greater than 0', (value) => /^\d*$/.test(value), { since: 22 }),
  },
  ImageCreate: { fromImage: text(), fromSrc: text(), repo: text(), tag: text(), changes: text({ repeats: true }) },
  ImagePush: { tag: text() },
  ImageTag: { repo: text(), force: flag(), tag: text() },
  ImageDelete: { force: flag(), noprune: flag() },
  ImageSearch: { term: text() },
  ImageGetAll: { names: text({ repeats: true }) },
  ImageCommit: { ...each('container repo tag comment author', text()), pause: flag(), changes: changes() },
  SystemEvents: { since: time(), until: time(), filters: filters(eventFilters) },
  VolumeList: { filters: filters({ dangling: { ...booleans, since: 21 } }) },
  NetworkList: { filters: filters(networkFilters) },
}

function isStringMap(value: string): boolean {
  if (value === '') return true
  const map = asJson(value)
  return isObject(map) && Object.values(map).every((one) => typeof one === 'string')
}

const REQUIRED = new Set(
  operationNames.filter((operation) =>
    Object.values(parameters[operation] ?? {}).some(({ rule }) => rule === 'is required'),
  ),
)

/** A parameter is required, so even an empty query needs the check. */
export const hasRequired = (operation: OperationName): boolean => REQUIRED.has(operation)

export function checkQuery(query: URLSearchParams, operation: OperationName, version: ApiVersion): Raw[] {
  const found: Raw[] = []
  const known = parameters[operation] ?? {}
  for (const name of new Set(query.keys())) {
    const one = Object.hasOwn(known, name) ? known[name] : undefined
    if (one !== undefined) found.push(...checkParameter(name, query.getAll(name), one, version))
  }
  for (const [name, { rule }] of Object.entries(known)) {
    if (rule === 'is required' && !query.has(name)) found.push(raw(name, rule, ''))
  }
  return found
}

const raw = (name: string, rule: string, value: string): Raw => ({
  field: `query ${name}`,
  rule,
  value,
  native: undefined,
})

function checkParameter(name: string, values: readonly string[], one: Parameter, version: ApiVersion): Raw[] {
  // Not repeatable: the first one wins, on every engine.
  const looked = one.repeats ? values : values.slice(0, 1)
  if (isOlder(version, one.since)) {
    return looked.some((value) => value !== '')
      ? [raw(name, `is a parameter of API 1.${one.since}${AND_LATER}`, '')]
      : []
  }
  const found: Raw[] = []
  if (!one.repeats && values.length > 1 && !isNewer(version, LAST_SPECIFIED))
    found.push(raw(name, 'must not be repeated: the first one counts', values[1] ?? ''))
  for (const value of looked) {
    if (one.filters !== undefined) {
      for (const { key, rule } of checkFilters(value, one.filters, version))
        found.push(raw(key === undefined ? name : `${name}.${key}`, rule, value))
    } else if (!one.holds(value, version)) {
      found.push(raw(name, one.rule, value))
    }
  }
  return found
}
