import { asJson, isObject, isUnset, type JsonValue } from '../json/json.ts'
import { type OperationName, operationNames } from '../operations.ts'
import { type ApiVersion, isNewer } from '../version.ts'
import { containerFilters, eventFilters, imageFilters, networkFilters, volumeFilters } from './filters.ts'
import { LAST_SPECIFIED, type Say } from './finding.ts'
import { anything, before, DETACH_KEYS, each, type Kind, type Kinds, kind, like, since } from './kinds.ts'

/** A parameter from `first` on. */
const from = (first: number, later: Kind): Kind => since(first, later, isUnset, 'parameter')

/** The specification's list (1, point 5). Engines treat anything as true but "", 0, no, false and none. */
const flag = like('must be 1, True, true, 0, False or false', /^(?:1|[Tt]rue|0|[Ff]alse)$/)
const int = like('must be an integer', /^-?\d*$/)
const text = anything
const required = kind('is required', (value) => value !== '')
/** Seconds, optionally with a fraction, or RFC 3339 (2, first paragraph). */
const time = like('must be a timestamp', /^(?:\d+(?:\.\d+)?|\d{4}-\d\d-\d\dT.*)$/)
const detachKeys = from(22, like('must be one character or ctrl-<value>', DETACH_KEYS))

/** Section 8. Engines also accept dots, and require two characters, the first a letter or a digit. */
const name = like('must match /?[a-zA-Z0-9_-]+', /^\/?[a-zA-Z0-9_-]+$/)

/** Engines before 1.8 refuse LABEL (recordings 1.6.2, 1.7.1: commit-changes); 20.10 always accepts it. */
const changes = before(
  20,
  kind('must not hold LABEL before API 1.20', (value) => !/^[^\S\r\n\u2028\u2029]*label\s/im.test(String(value))),
  text,
)

const list = { ...each('all size', flag), limit: int, ...each('since before', text), filters: containerFilters }
const attach = { ...each('logs stream stdin stdout stderr', flag), detachKeys }
const size = { h: int, w: int }

/** The query parameters of the specification's section 4. */
export const parameters: Partial<Record<OperationName, Kinds>> = {
  ContainerList: list,
  ContainerListPs: list,
  ContainerCreate: { name },
  ContainerInspect: { size: from(20, flag) },
  ContainerTop: { ps_args: text },
  ContainerLogs: {
    ...each('follow stdout stderr timestamps', flag),
    since: from(19, int),
    tail: like('must be all or a number', /^(?:all|\d+)$/),
  },
  ContainerStats: { stream: from(19, flag) },
  ContainerResize: size,
  ContainerStart: { detachKeys },
  ContainerStop: { t: int },
  ContainerRestart: { t: int },
  ContainerKill: { signal: like('must be a number or the name of a signal', /^(?:\d+|[A-Za-z][A-Za-z0-9+-]*)$/) },
  ContainerRename: { name },
  ContainerAttach: attach,
  ContainerAttachWebsocket: attach,
  ContainerDelete: each('v force link', flag),
  ContainerArchiveInfo: { path: required },
  ContainerArchive: { path: required },
  PutContainerArchive: {
    path: required,
    noOverwriteDirNonDir: like('must be 1, true or True', /^(?:1|[Tt]rue|0|[Ff]alse)$/),
  },
  ExecResize: size,
  ImageList: { ...each('all digests', flag), filters: imageFilters, filter: text },
  ImageBuild: {
    ...each('dockerfile enginefile remote cpusetcpus t', text),
    ...each('q nocache pull rm forcerm', flag),
    ...each('memory memswap cpushares', int),
    ...each('cpuperiod cpuquota', from(19, int)),
    buildargs: from(21, kind('must be a JSON object of strings', isStringMap)),
    shmsize: from(22, like('must be greater than 0', /^\d*$/)),
  },
  ImageCreate: each('fromImage fromSrc repo tag changes', text),
  ImagePush: { tag: text },
  ImageTag: { ...each('repo tag', text), force: flag },
  ImageDelete: each('force noprune', flag),
  ImageSearch: { term: text },
  ImageGetAll: { names: text },
  ImageCommit: { ...each('container repo tag comment author', text), pause: flag, changes },
  SystemEvents: { ...each('since until', time), filters: eventFilters },
  VolumeList: { filters: volumeFilters },
  NetworkList: { filters: networkFilters },
}

/** Parameters that may be repeated. */
const REPEAT: ReadonlySet<string> = new Set([
  'ImageBuild t',
  'ImageCreate changes',
  'ImageGetAll names',
  'ImageCommit changes',
])

function isStringMap(value: JsonValue): boolean {
  if (value === '') return true
  const map = asJson(String(value))
  return isObject(map) && Object.values(map).every((one) => typeof one === 'string')
}

/** Even an empty query of these is checked. */
const REQUIRED = new Set(operationNames.filter((one) => Object.values(parameters[one] ?? {}).includes(required)))

export function checkQuery(search: string, operation: OperationName, version: ApiVersion, say: Say): void {
  const known = parameters[operation]
  if (known === undefined || (search.length <= 1 && !REQUIRED.has(operation))) return
  const query = new URLSearchParams(search)
  const names = new Set([...query.keys(), ...Object.keys(known).filter((name) => known[name] === required)])
  for (const name of names) {
    const one = Object.hasOwn(known, name) ? known[name] : undefined
    if (one === undefined) continue
    const field = `query ${name}`
    const values = query.getAll(name)
    const repeats = REPEAT.has(`${operation} ${name}`)
    if (!repeats && values.length > 1 && !isNewer(version, LAST_SPECIFIED))
      say(field, 'must not be repeated: the first one counts')
    // Not repeatable: the first one wins, on every engine.
    for (const value of repeats ? values : [values[0] ?? '']) one(value, field, say, version)
  }
}
