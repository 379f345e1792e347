import { isObject, isRawNumber, type JsonValue } from '../../src/api/json/json.ts'

/** The shape of recorded values: their JSON types and, for objects and arrays, the shape of their members or elements. */
export interface Seen {
  readonly types: Set<string>
  objects: number
  readonly members: Map<string, { count: number; readonly seen: Seen }>
  /** Elements of an array, or values of a map keyed by user data. */
  readonly elements: Seen[]
}

/** Maps whose keys come from users, drivers or the kernel: only the shape of their values is compared. */
const MAPS = new Set([
  ...['Labels', 'Ports', 'Networks', 'networks', 'ExposedPorts', 'Volumes', 'VolumesRW', 'PortBindings', 'Options'],
  ...['DriverOpts', 'Containers', 'Attributes', 'Data', 'Tmpfs', 'AuxiliaryAddresses', 'IndexConfigs', 'Runtimes'],
  ...['LogConfig.Config', 'MountPoints', 'Sysctls', 'StorageOpt', 'PortMapping', 'memory_stats.stats'],
])

const isMap = (path: string): boolean => {
  const names = path.split('.')
  return MAPS.has(names.at(-1) ?? '') || MAPS.has(names.slice(-2).join('.'))
}

export function typeOf(value: JsonValue | undefined): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return isRawNumber(value) ? 'number' : typeof value
}

const nothingSeen = (): Seen => ({ types: new Set(), objects: 0, members: new Map(), elements: [] })

/** Adds the shape of a value to the shape known at `path`. */
export function learn(value: JsonValue | undefined, path = '', seen: Seen = nothingSeen()): Seen {
  seen.types.add(typeOf(value))
  if (Array.isArray(value)) for (const element of value) learnElement(element, `${path}[]`, seen)
  if (!isObject(value)) return seen
  if (isMap(path)) {
    for (const element of Object.values(value)) learnElement(element, `${path}{}`, seen)
    return seen
  }
  seen.objects++
  for (const [name, member] of Object.entries(value)) {
    const known = seen.members.get(name) ?? { count: 0, seen: nothingSeen() }
    seen.members.set(name, known)
    known.count++
    learn(member, below(path, name), known.seen)
  }
  return seen
}

function learnElement(element: JsonValue | undefined, path: string, seen: Seen): void {
  const [first] = seen.elements
  if (first === undefined) seen.elements.push(learn(element, path))
  else learn(element, path, first)
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

export interface Difference {
  readonly path: string
  readonly problem: string
}

/** The differences of `value` from the known shape: a missing member, a new one, another type. */
export function differences(value: JsonValue | undefined, seen: Seen, path = ''): Difference[] {
  const type = typeOf(value)
  if (!fits(type, seen)) return [{ path, problem: `is ${type}, was ${[...seen.types].sort().join(' or ')}` }]
  const [element] = seen.elements
  if (Array.isArray(value))
    return element === undefined ? [] : value.flatMap((inner) => differences(inner, element, `${path}[]`))
  if (!isObject(value)) return []
  if (isMap(path))
    return element === undefined
      ? []
      : Object.values(value).flatMap((inner) => differences(inner, element, `${path}{}`))
  return seen.objects === 0 ? [] : memberDifferences(value, seen, path)
}

function memberDifferences(value: { [name: string]: JsonValue | undefined }, seen: Seen, path: string): Difference[] {
  const found: Difference[] = []
  for (const [name, { count }] of seen.members)
    if (count === seen.objects && !Object.hasOwn(value, name))
      found.push({ path: below(path, name), problem: 'missing' })
  for (const [name, member] of Object.entries(value)) {
    const known = seen.members.get(name)
    if (known === undefined) found.push({ path: below(path, name), problem: 'new' })
    else found.push(...differences(member, known.seen, below(path, name)))
  }
  return found
}

/** The same type; null and an empty slice or map are the same to Go. */
function fits(type: string, { types }: Seen): boolean {
  if (types.has(type)) return true
  if (type === 'null') return types.has('array') || types.has('object')
  return types.size === 1 && types.has('null') && (type === 'array' || type === 'object')
}
