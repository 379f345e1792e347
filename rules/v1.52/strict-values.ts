import { isIP } from 'node:net'
import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, setMember } from '../../src/api/json/json.ts'
import type { RequestMessage } from '../../src/translate/message.ts'

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
const bareHostIp = (value: JsonValue | undefined): JsonValue | undefined =>
  typeof value === 'string' ? value.trim().replace(/^\[(.+)\]$/, '$1') : value

/** Port bindings with keys in the spelling that all engines accept; spellings of the same port are merged. */
export function portBindings(value: JsonValue): JsonValue | undefined {
  if (!isObject(value)) return undefined
  const bindings: JsonObject = {}
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue
    for (const binding of listOf(inner).filter(isObject))
      if (Object.hasOwn(binding, 'HostIp')) binding['HostIp'] = bareHostIp(binding['HostIp'])
    const port = portKey(key)
    const already = bindings[port]
    setMember(bindings, port, Array.isArray(already) && Array.isArray(inner) ? [...already, ...inner] : inner)
  }
  return bindings
}

const LISTS = ['Cmd', 'Entrypoint', 'Shell'] as const

const refuse = (what: string): never => {
  throw new ProxyError('validation', `invalid JSON: ${what}`)
}

/** api/types/network/port.go:parsePortNumber @docker-v29.0.0 */
function whyNoPort(port: string): string | undefined {
  if (port === '') return 'value is empty'
  if (!/^\d+$/.test(port)) return 'invalid syntax'
  return Number(port) > HIGHEST_PORT ? 'value out of range' : undefined
}

function checkPorts(ports: JsonObject): void {
  for (const key of Object.keys(ports)) {
    const [port = ''] = key.split('/')
    const why = key === '' ? undefined : whyNoPort(port)
    if (why !== undefined) refuse(`invalid port '${port}': ${why}`)
  }
}

function checkAddress(address: JsonValue | undefined): void {
  if (typeof address === 'string' && address !== '' && isIP(address) === 0)
    refuse(`ParseAddr(${JSON.stringify(address)}): unable to parse IP`)
}

/** Throws for a create that engines from 29.0 on refuse; older engines accept it (seen on 28.5 and 29.8). */
export function refuseLoose({ body }: RequestMessage): void {
  if (!isObject(body)) return
  for (const list of LISTS)
    if (typeof body[list] === 'string')
      refuse(`json: cannot unmarshal string into Go struct field CreateRequest.Config.${list} of type []string`)
  const hostConfig = objectOf(body['HostConfig'])
  const bindings = objectOf(hostConfig['PortBindings'])
  checkPorts(objectOf(body['ExposedPorts']))
  checkPorts(bindings)
  for (const binding of Object.values(bindings).flatMap(listOf)) if (isObject(binding)) checkAddress(binding['HostIp'])
  for (const server of listOf(hostConfig['Dns'])) checkAddress(server)
}
