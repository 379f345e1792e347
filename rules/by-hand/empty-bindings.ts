import { isObject, type JsonValue } from '../../src/api/json/json.ts'

const isEmpty = (bindings: JsonValue | undefined): boolean =>
  bindings === null || (Array.isArray(bindings) && bindings.length === 0)

/** Makes an empty list of bindings one binding to any port; returns the ports that had one. */
export function bindEmpty(hostConfig: JsonValue | undefined): string[] {
  const bindings = isObject(hostConfig) ? hostConfig['PortBindings'] : undefined
  if (!isObject(bindings)) return []
  const empty = Object.keys(bindings).filter((port) => isEmpty(bindings[port]))
  for (const port of empty) bindings[port] = [{ HostIp: '', HostPort: '' }]
  return empty
}

/** Before and after, for the examples of the changes that do so. */
export const EMPTY_BOUND: readonly [before: JsonValue, after: JsonValue] = [
  { '80/tcp': [], '81/tcp': null, '82/tcp': [{ HostPort: '82' }] },
  {
    '80/tcp': [{ HostIp: '', HostPort: '' }],
    '81/tcp': [{ HostIp: '', HostPort: '' }],
    '82/tcp': [{ HostPort: '82' }],
  },
]
