import { isObject, type JsonObject, type JsonValue, setMember } from '../../src/api/json/json.ts'

/** `80`, `80/`, ` 80/TCP` are `80/tcp`, as go-connections/nat read them. What is no port stays: the engine refuses it. */
function portKey(key: string): string {
  const [port = '', protocol = ''] = key.trim().split('/')
  return /^\d+(-\d+)?$/.test(port) ? `${port}/${protocol === '' ? 'tcp' : protocol.toLowerCase()}` : key
}

const HIGHEST_PORT = 65535

/** A range as its ports: engine 29 refuses ranges here, earlier ones took them. */
function eachPort(key: string): string[] {
  const [, first, last, protocol] = /^(\d+)-(\d+)\/(.+)$/.exec(key) ?? []
  const from = Number(first)
  const to = Number(last)
  if (protocol === undefined || from > to || to > HIGHEST_PORT) return [key]
  return Array.from({ length: to - from + 1 }, (_, i) => `${from + i}/${protocol}`)
}

/** The ports of a create body one by one, in the spelling that every engine takes; an empty key exposes nothing. */
export function exposedPorts(value: JsonValue): JsonValue | undefined {
  if (!isObject(value)) return undefined
  const ports: JsonObject = {}
  for (const [key, inner] of Object.entries(value)) {
    // A key that is no port exposed nothing up to 28.5, and is refused from 29.0 on (asked of 20.10, 28.5 and 29.8).
    if (inner === undefined || !/^\s*\d/.test(key)) continue
    for (const port of eachPort(portKey(key))) setMember(ports, port, inner)
  }
  return ports
}

/** `[::1]` and a blank at either end were taken up to 28; anything else that is no address is the engine's to refuse. */
export const bareHostIp = (value: JsonValue | undefined): JsonValue | undefined =>
  typeof value === 'string' ? value.trim().replace(/^\[(.+)\]$/, '$1') : value

/** Bindings under the spelling that every engine takes; two spellings of one port come together. */
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
