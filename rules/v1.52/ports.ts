import { isObject, type JsonObject, type JsonValue, setMember } from '../../src/api/json/json.ts'

/** `80`, `80/` and ` 80/TCP` become `80/tcp`, as in go-connections/nat. Anything else stays: the engine refuses it. */
function portKey(key: string): string {
  const [port = '', protocol = ''] = key.trim().split('/')
  return /^\d+(-\d+)?$/.test(port) ? `${port}/${protocol === '' ? 'tcp' : protocol.toLowerCase()}` : key
}

const HIGHEST_PORT = 65535

/** Expands a range: engine 29 refuses ranges here, earlier ones accepted them. */
function eachPort(key: string): string[] {
  const [, first, last, protocol] = /^(\d+)-(\d+)\/(.+)$/.exec(key) ?? []
  const from = Number(first)
  const to = Number(last)
  if (protocol === undefined || from > to || to > HIGHEST_PORT) return [key]
  return Array.from({ length: to - from + 1 }, (_, i) => `${from + i}/${protocol}`)
}

/** Exposed ports without ranges, in the spelling that all engines accept; an empty key exposes nothing. */
export function exposedPorts(value: JsonValue): JsonValue | undefined {
  if (!isObject(value)) return undefined
  const ports: JsonObject = {}
  for (const [key, inner] of Object.entries(value)) {
    // An invalid key exposed nothing up to 28.5, and is refused from 29.0 on (seen on 20.10, 28.5 and 29.8).
    if (inner === undefined || !/^\s*\d/.test(key)) continue
    for (const port of eachPort(portKey(key))) setMember(ports, port, inner)
  }
  return ports
}

/** Up to 28 engines accepted `[::1]` and spaces around an address; the engine refuses other invalid addresses. */
export const bareHostIp = (value: JsonValue | undefined): JsonValue | undefined =>
  typeof value === 'string' ? value.trim().replace(/^\[(.+)\]$/, '$1') : value

/** Port bindings with keys in the spelling that all engines accept; spellings of the same port are merged. */
export function portBindings(
  value: JsonValue,
  hostIp: (value: JsonValue | undefined) => JsonValue | undefined,
): JsonValue | undefined {
  if (!isObject(value)) return undefined
  const bindings: JsonObject = {}
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue
    for (const binding of Array.isArray(inner) ? inner.filter(isObject) : [])
      if (Object.hasOwn(binding, 'HostIp')) binding['HostIp'] = hostIp(binding['HostIp'])
    const port = portKey(key)
    const already = bindings[port]
    setMember(bindings, port, Array.isArray(already) && Array.isArray(inner) ? [...already, ...inner] : inner)
  }
  return bindings
}
