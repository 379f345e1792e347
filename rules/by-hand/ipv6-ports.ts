import { isObject, type JsonValue, listOf, memberAt } from '../../src/api/json/json.ts'

const EVERY_IPV4 = '0.0.0.0'
const EVERY_IPV6 = '::'

/** The ports of a listed container without `::` where `0.0.0.0` has the same port. */
export function withoutIpv6Ports(ports: JsonValue): JsonValue | undefined {
  if (!Array.isArray(ports)) return undefined
  const shown = new Set(ports.filter((port) => memberAt(port, 'IP') === EVERY_IPV4).map(nameOf))
  return ports.filter((port) => memberAt(port, 'IP') !== EVERY_IPV6 || !shown.has(nameOf(port)))
}

/** The port bindings of an inspected container without `::` where `0.0.0.0` has the same port. */
export function withoutIpv6Bindings(ports: JsonValue): JsonValue | undefined {
  if (!isObject(ports)) return undefined
  for (const [name, bindings] of Object.entries(ports))
    if (listOf(bindings).some((binding) => memberAt(binding, 'HostIp') === EVERY_IPV4))
      ports[name] = listOf(bindings).filter((binding) => memberAt(binding, 'HostIp') !== EVERY_IPV6)
  return ports
}

const nameOf = (port: JsonValue): string => `${memberAt(port, 'PrivatePort')}/${memberAt(port, 'Type')}`
