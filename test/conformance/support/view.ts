import { isObject, isRawNumber, type JsonObject, type JsonValue, parseJson } from '../../../src/api/json/json.ts'
import { operationNamed } from '../../../src/api/operations.ts'
import { RecordSplitter } from '../../../src/translate/run/record-splitter.ts'
import { demultiplex } from '../../live/support/client.ts'
import { type CellOperation, operationOf } from '../catalogue.ts'
import { asNamed } from './missing.ts'
import type { Played } from './play.ts'

/** An answer in the form in which it is compared, without values that change from run to run or from machine to machine. */
export interface View {
  readonly status: number | null
  readonly type: string
  /** The text of an error or of a stream of bytes. */
  readonly text: string
  /** One value, or the records of a stream, unchanged. */
  readonly values: readonly JsonValue[]
  /** The same with ids, times, counters and facts of the host made equal. */
  readonly plain: readonly JsonValue[]
}

export function viewOf({ call, status, headers, body }: Played): View {
  const type = headers['content-type'] ?? ''
  if (status === null) return { status, type, text: '', values: [], plain: [] }
  const values = status === 101 ? [] : valuesOf(body, type, status)
  const error = status >= 400
  const head = pathStat(headers)
  const text = error ? errorOf(body, values) : values.length > 0 ? '' : textOf(body, type, call.path)
  const plain = error ? [] : plainValues(values, operationOf(call))
  return { status, type, text: plainText(text) + head, values: error ? [] : values, plain }
}

/** The value, or the records, of a successful answer; none if it is not JSON. */
export const recordsIn = ({ status, headers, body }: Played): readonly JsonValue[] =>
  status === null || status === 101 ? [] : valuesOf(body, headers['content-type'] ?? '', status)

function pathStat(headers: Readonly<Record<string, string>>): string {
  const stat = headers['x-docker-container-path-stat']
  if (stat === undefined) return ''
  const told = JSON.parse(Buffer.from(stat, 'base64').toString()) as { name: string; mode: number; linkTarget: string }
  return JSON.stringify([Object.keys(told), told.name, told.mode, told.linkTarget])
}

function valuesOf(body: Buffer, type: string, status: number): JsonValue[] {
  const text = body.toString()
  const first = /\S/.exec(text)?.[0]
  if (first !== '{' && first !== '[') return []
  if (type.startsWith('text/') || (status >= 400 && !type.includes('json'))) return []
  try {
    return [parseJson(text)]
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause // a stream of records
    return new RecordSplitter(1 << 24).push(body).map((record) => parseJson(record.toString()))
  }
}

function errorOf(body: Buffer, [value]: readonly JsonValue[]): string {
  const message = isObject(value) ? value['message'] : undefined
  return typeof message === 'string' ? message : body.toString().trim()
}

/** The text of an answer; of a container's output both streams, of an archive only whether it is longer than one block. */
function textOf(body: Buffer, type: string, path: string): string {
  if (type.includes('tar') || /\/(copy|get|export|archive)\b/.test(path)) return body.length > 512 ? 'an archive' : ''
  if (body[0] === 1 || body[0] === 2) {
    const { stdout, stderr } = demultiplex(body)
    return `stdout: ${stdout}; stderr: ${stderr}`
  }
  return body.toString()
}

/** The kinds of a stream's records, once each: their number and order are chance. */
function plainValues(values: readonly JsonValue[], operation: CellOperation): JsonValue[] {
  // The number of readings before the client leaves is chance.
  const counted = operation === 'ContainerStats' ? values.slice(0, 1) : values
  const plain = counted.map((value) => plainValue(value, []))
  const kinds = operation === 'SystemEvents' ? plain.map(plainEvent) : plain
  const progress = operation !== 'no operation' && operationNamed(operation).response === 'progress'
  if (progress) return once(values.map((value) => (isObject(value) && value['error'] ? value : keysOf(value))))
  if (operation === 'SystemEvents') return once(kinds)
  return operation === 'SystemInfo' ? plain.map(withoutMachine) : plain
}

/** Members of info that describe the machine: engines were recorded on another one. */
const OF_THE_MACHINE = ['Name', 'NCPU', 'OperatingSystem', 'OSVersion', 'Architecture', 'CgroupDriver', 'CgroupVersion']

const withoutMachine = (info: JsonValue): JsonValue =>
  isObject(info)
    ? Object.fromEntries(
        Object.entries(info).map(([name, value]) => [name, OF_THE_MACHINE.includes(name) ? kindOf(value) : value]),
      )
    : info

const keysOf = (value: JsonValue): JsonValue => (isObject(value) ? Object.keys(value).sort() : value)

const once = (values: readonly JsonValue[]): JsonValue[] =>
  inOrder([...new Map(values.map((value) => [JSON.stringify(value), value])).values()], '')

/** An event without the members that identify its container. */
function plainEvent(value: JsonValue): JsonValue {
  if (!isObject(value)) return value
  const actor = isObject(value['Actor']) ? value['Actor'] : undefined
  const attributes = actor === undefined ? undefined : keysOf(actor['Attributes'] ?? null)
  return { ...value, ...(actor === undefined ? {} : { Actor: { ...actor, Attributes: attributes } }) }
}

// ---- what is made equal -----------------------------------------------------------

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g
const ZERO_TIME = '0001-01-01T00:00:00Z'

export function plainText(text: string): string {
  return (
    asNamed(text)
      .replaceAll(TIME, (time) => (time.startsWith('0001-') ? ZERO_TIME : '<time>'))
      .replaceAll(/\/[\w./-]*\/run\/[0-9a-f]{12}(?=\/)/g, '<engine>')
      .replaceAll(/\b[0-9a-f]{64}\b/g, '<id>')
      .replaceAll(/\b[0-9a-f]{12}\b/g, '<short id>') // one in a hundred thousand has letters alone: ebbaecdebece
      .replaceAll(/\b(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{11}\b/g, '<short id>')
      .replaceAll(/\/\S*\/vfs\/dir\/<id>/g, '<layer>')
      .replaceAll(/\b\d{1,3}(\.\d{1,3}){3}:\d+/g, '<address>')
      .replaceAll(/(Up|Exited \(-?\d+\)) (About |Less than )?(an? \w+|\d+ \w+)( ago)?/g, '$1 <while>')
      .replaceAll(/\/tmp\/docker-[\w-]+/g, '<temporary>')
      .replaceAll(/\/v\d\.\d+(?=\/)/g, '/v<version>') // Podman names the requested path
      .replace(/in state (exited|stopped)/, 'in state <over>') // Podman says one or the other
      .replace(/endpoints: (\w+), (\w+)/, (_all, ...two) => `endpoints: ${two.slice(0, 2).sort().join(', ')}`) // a Go map’s order
      .replaceAll(/\b(172\.\d+\.0\.\d+(\/16|$)|192\.168\.\d+\.\d+\/20)/g, '<subnet>') // the next free one
      .replaceAll(/\(API \d\.\d+\)/g, '(API <version>)')
      // Names and types in the engine’s own sources, which change from release to release.
      .replace(/\b(json: cannot unmarshal \w+) into Go (value|struct field) .*/, '$1 into <a Go type>')
      .replace(/allowed is \dMB$/, 'allowed is <limit>') // the engine’s own
      .replaceAll(/-e-[0-9a-f.]+|\b\d{9,}\b/g, '<number>')
  )
}

/** Members with a value of the host, a counter or a moment: only their type is compared. */
const COUNTED = new Set([
  ...['Created', 'time', 'timeNano', 'Pid', 'PID', 'SizeRw', 'SizeRootFs', 'Size', 'VirtualSize', 'IPAddress'],
  ...['MacAddress', 'EndpointID', 'IPv4Address', 'PublicPort', 'HostPort', 'SandboxID', 'SandboxKey', 'Gateway'],
  ...['NetworkID', 'Mountpoint', 'execDuration', 'progress', 'read', 'preread', 'LogPath', 'LinkLocalIPv6Address'],
  ...['ID', 'NFd', 'NGoroutines', 'Version', 'ApiVersion', 'GitCommit', 'GoVersion', 'BuildTime', 'DockerVersion'],
  ...[
    'ServerVersion',
    'MemTotal',
    'Images',
    'NEventsListener',
    'IPv6Address',
    'SystemTime',
    'KernelVersion',
    'SpaceReclaimed',
    'LayersSize',
    'Uptime',
  ],
])
/** Whole answers of which only the shape is compared. */
const BY_SHAPE = ['cpu_stats', 'precpu_stats', 'memory_stats', 'blkio_stats', 'network', 'networks']

export function plainValue(value: JsonValue | undefined, path: readonly string[]): JsonValue {
  const name = path.at(-1) ?? ''
  // The processes that still run in a container are chance.
  if (['Processes', 'ExecIDs', 'ContainersDeleted'].includes(name)) return `<${name}>`
  // Whether a container has read its files from the disk is chance.
  if (Array.isArray(value) && path.includes('blkio_stats')) return []
  if (Array.isArray(value))
    return inOrder(
      value.map((element) => plainValue(element, path)),
      name,
    )
  if (path.at(-2) === 'GraphDriver' && name === 'Data') return '<data>' // the storage driver's own facts
  if (name === 'Containers' && isObject(value)) return '<containers>' // by id, with those of other tests in that network
  if (isObject(value)) {
    const entries = Object.entries(withoutFirstGateway(value)).map(([key, member]): [string, JsonValue] => [
      /^[0-9a-f]{64}$/.test(key) ? '<id>' : key,
      plainValue(member, [...path, key]),
    ])
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  if (name === 'Containers' && typeof value === 'number' && value >= 0) return '<number>'
  if (COUNTED.has(name) || path.some((part) => BY_SHAPE.includes(part))) return kindOf(value)
  if (typeof value === 'string') return NAMES.includes(name) ? plainName(plainText(value)) : plainText(value)
  return value ?? null
}

/**
 * The default bridge has no gateway in its configuration as long as the daemon that made it runs (20.10 leaves it out
 * then, newer ones do not): the engines here are fresh.
 */
export function withoutFirstGateway(network: JsonObject): JsonObject {
  const ipam = network['IPAM']
  if (network['Name'] !== 'bridge' || !isObject(ipam) || !Array.isArray(ipam['Config'])) return network
  const config = ipam['Config'].map((one) => (isObject(one) ? { ...one, Gateway: '' } : one))
  return { ...network, IPAM: { ...ipam, Config: config } }
}

function kindOf(value: JsonValue | undefined): JsonValue {
  if (typeof value === 'string') return value === '' || value.startsWith('0001-') ? value : '<text>'
  if (typeof value === 'number' || isRawNumber(value)) return '<number>'
  return value ?? null
}

const NAMES = ['Name', 'Names', 'name']
/** Containers that were given no name. */
const plainName = (name: string): string => name.replace(/^(\/?)[a-z]+_[a-z]+\d?$/, '$1<name>')

/** Lists without an order of their own. */
const UNORDERED = [
  'MaskedPaths',
  'NetworksDeleted',
  'Items',
  'Mounts',
  'Ports',
  'RepoTags',
  'RepoDigests',
  'Names',
  'Volumes',
  'Warnings',
  'Binds',
  'VolumesDeleted',
  'Images',
  'Env',
  '',
]

function inOrder(list: JsonValue[], name: string): JsonValue[] {
  if (!UNORDERED.includes(name)) return list
  return list
    .map((element) => [keyOf(element), element] as const)
    .sort(byText)
    .map(([, element]) => element)
}

/** The name comes first, so that after sorting the same objects stand side by side. */
function keyOf(element: JsonValue): string {
  const about = isObject(element) ? (element['Names'] ?? element['Name'] ?? element['RepoTags'] ?? '') : ''
  return JSON.stringify([about, element])
}

const byText = ([a]: readonly [string, JsonValue], [b]: readonly [string, JsonValue]): number =>
  a < b ? -1 : a > b ? 1 : 0
