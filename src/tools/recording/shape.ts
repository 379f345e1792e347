import { isObject, isRawNumber, type JsonValue } from '../../api/json/json.ts'

/** Members whose keys are data: all values have the same shape. */
const MAPS =
  /^(?:Labels|Networks|Ports|ExposedPorts|PortBindings|Volumes|VolumesRW|Annotations|Containers|Options|DriverOpts|GwPriorities|Sysctls|Tmpfs|StorageOpt|LogOpts|Config|Data|Runtimes|IndexConfigs|networks|stats)$/

/** `Name: string`, `NetworkSettings.Networks.*.IPAddress: string`, `[].Id: string`. Ignores null. */
function shapeOf(value: JsonValue): Map<string, string> {
  const shape = new Map<string, string>()
  collect(value, '', '', shape)
  return shape
}

function collect(value: JsonValue, path: string, name: string, shape: Map<string, string>): void {
  if (value === null) {
    if (!shape.has(path)) shape.set(path, 'null')
    return
  }
  if (Array.isArray(value)) {
    shape.set(path, 'array')
    for (const element of value) collect(element, `${path}[]`, '', shape)
    return
  }
  if (!isObject(value)) {
    shape.set(path, isRawNumber(value) ? 'number' : typeof value)
    return
  }
  shape.set(path, 'object')
  // `Config` is a map in LogConfig and an object in a container.
  const isMap = MAPS.test(name) && !(name === 'Config' && 'Cmd' in value)
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    const at = isMap ? '*' : key
    collect(member, path === '' ? at : `${path}.${at}`, key, shape)
  }
}

/** Differences in shape between two responses. Empty lists and nulls, which show no shape, do not count. */
export function differences(first: JsonValue, second: JsonValue): string[] {
  const [one, other] = [shapeOf(first), shapeOf(second)]
  const found: string[] = []
  for (const [path, type] of one) {
    const there = other.get(path)
    if (there === undefined) {
      if (hasParent(path, other)) found.push(`${path || 'the body'} is missing`)
    } else if (there !== type && there !== 'null' && type !== 'null')
      found.push(`${path || 'the body'} is ${there}, was ${type}`)
  }
  for (const path of other.keys())
    if (!one.has(path) && hasParent(path, one)) found.push(`${path || 'the body'} is new`)
  return found
}

/** The object or list around a path has members to compare with. */
function hasParent(path: string, shape: ReadonlyMap<string, string>): boolean {
  if (path.endsWith('.*') || path.endsWith('[]') || path === '*') return false
  const dot = Math.max(path.lastIndexOf('.'), 0)
  const parent = path.slice(0, dot)
  return shape.get(parent) === 'object'
}
