import { isObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts'

const EVERY_IPV4 = '0.0.0.0'
const EVERY_IPV6 = '::'

/** Removes `::` from the ports of a listed container where `0.0.0.0` has the same port. */
export function leaveIpv6PortsOut(container: JsonObject): void {
  const { Ports: ports } = container
  if (!Array.isArray(ports)) return
  const shown = new Set(ports.filter((port) => addressOf(port, 'IP') === EVERY_IPV4).map(nameOf))
  container['Ports'] = ports.filter((port) => addressOf(port, 'IP') !== EVERY_IPV6 || !shown.has(nameOf(port)))
}

/** Removes `::` from the port bindings of an inspected container where `0.0.0.0` has the same port. */
export function leaveIpv6BindingsOut({ Ports: ports }: JsonObject): void {
  if (!isObject(ports)) return
  for (const [name, bindings] of Object.entries(ports))
    if (Array.isArray(bindings) && bindings.some((binding) => addressOf(binding, 'HostIp') === EVERY_IPV4))
      ports[name] = bindings.filter((binding) => addressOf(binding, 'HostIp') !== EVERY_IPV6)
}

const addressOf = (value: JsonValue, member: string): JsonValue | undefined =>
  isObject(value) ? value[member] : undefined

const nameOf = (port: JsonValue): string =>
  isObject(port) ? `${String(port['PrivatePort'])}/${String(port['Type'])}` : ''
