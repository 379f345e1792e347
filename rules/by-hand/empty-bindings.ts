import { isObject, type JsonValue, memberAt } from '../../src/api/json/json.ts'

const isEmpty = (bindings: JsonValue | undefined): boolean =>
  bindings === null || (Array.isArray(bindings) && bindings.length === 0)

/** Replaces empty lists of bindings with one binding to any port; returns the ports concerned. */
export function bindEmpty(hostConfig: JsonValue | undefined): string[] {
  const bindings = memberAt(hostConfig, 'PortBindings')
  if (!isObject(bindings)) return []
  const empty = Object.keys(bindings).filter((port) => isEmpty(bindings[port]))
  for (const port of empty) bindings[port] = [{ HostIp: '', HostPort: '' }]
  return empty
}

const ANY_PORT = [{ HostIp: '', HostPort: '' }]
/** An example of bindEmpty for the changes that use it. */
export const EMPTY_BOUND: readonly [before: JsonValue, after: JsonValue] = [
  { '80/tcp': [], '81/tcp': null, '82/tcp': [{ HostPort: '82' }] },
  { '80/tcp': ANY_PORT, '81/tcp': ANY_PORT, '82/tcp': [{ HostPort: '82' }] },
]
