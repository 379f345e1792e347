import { isObject, type JsonValue } from '../../../src/api/json/json.ts'
import { findOperation } from '../../../src/api/operations.ts'
import type { Document } from './facts.ts'
import { looseValues } from './loose-json.ts'

/** Members that are maps: their keys are data, not names. */
const MAPS = new Set(
  `Labels ExposedPorts Volumes VolumesRW PortBindings Ports Networks EndpointsConfig Tmpfs Options DriverOpts Containers
  Attributes networks Sysctls StorageOpt AuxiliaryAddresses IndexConfigs Annotations`.split(/\s+/),
)
const isMap = (path: string): boolean => MAPS.has(path.split('.').at(-1) ?? '') || path.endsWith('LogConfig.Config')

const kindOf = (value: JsonValue): string => {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return 'string'
  return typeof value === 'boolean' ? 'bool' : 'int'
}

/** Null says only that there is a member. */
function learn(value: JsonValue, path: string, into: Map<string, string>): void {
  const at = (step: string): string => (path === '' ? step : `${path}.${step}`)
  if (Array.isArray(value)) {
    into.set(path, 'array')
    for (const element of value) learn(element, at('[]'), into)
  } else if (isObject(value)) {
    const map = isMap(path)
    into.set(path, map ? 'map' : 'object')
    for (const [name, member] of Object.entries(value)) learn(member ?? null, at(map ? '{}' : name), into)
  } else if (kindOf(value) !== 'null' || !into.has(path)) {
    into.set(path, kindOf(value))
  }
}

/**
 * What a document of 1.18 to 1.24 says: the members of its examples with the types that their values show (null: none),
 * and the names that its lists of parameters explain (`names`: they say neither where nor of which type). Examples leave
 * out much: what they have is in that version, what they lack may be all the same.
 */
export function factsOfMarkdown(text: string): Document {
  const facts: Document = new Map()
  for (const section of text.split(/^(?=#{2,5} )/m)) {
    const endpoint = /^`(GET|HEAD|POST|PUT|DELETE) (\/[^`?]*)/m.exec(section)
    const [, method = '', path = ''] = endpoint ?? []
    const found = findOperation(method, path.replaceAll(/\([^)]*\)/g, 'x'))
    if (found === undefined) continue
    for (const [part, own] of factsOfSection(section))
      facts.set(
        `${found.operation.name} ${part}`,
        new Map([...(facts.get(`${found.operation.name} ${part}`) ?? []), ...own]),
      )
  }
  return facts
}

function factsOfSection(section: string): Document {
  const parts = { names: new Map(), query: new Map(), request: new Map(), response: new Map(), status: new Map() }
  let place: 'request' | 'response' | 'query' | 'names' | undefined
  let example = ''
  const finish = (): void => {
    const body = example
      .split(/\n\s*\n/)
      .slice(1)
      .join('\n')
    if (place === 'request' || place === 'response')
      for (const value of looseValues(body)) learn(value, '', parts[place])
    example = ''
  }
  for (const line of section.split('\n')) {
    const heading =
      /^\**(Example request|Example response|Query parameters|JSON parameters|JSON fields|Request Headers|Status codes)/i.exec(
        line,
      )
    if (heading !== null) {
      finish()
      place = placeOf(heading[1] ?? '')
    } else if (place === 'request' || place === 'response') {
      example += `${line.replace(/(^|\s)\/\/.*$/, '')}\n`
    }
    const named = /^\s*[-+*]\s+\*\*([\w-]+)\*\*/.exec(line)?.[1]
    if (named === undefined) continue
    if (/^\d{3}$/.test(named)) parts.status.set(named, 'status')
    else if (place === 'query') parts.query.set(named, 'named')
    else parts.names.set(named, 'named')
  }
  finish()
  return new Map(Object.entries(parts).filter(([part, own]) => part === 'status' || own.size > 0))
}

function placeOf(heading: string): 'request' | 'response' | 'query' | 'names' | undefined {
  const word = heading.toLowerCase()
  if (word.startsWith('example')) return word.endsWith('request') ? 'request' : 'response'
  return word.startsWith('query') ? 'query' : word.startsWith('json') ? 'names' : undefined
}
