import { isIP } from 'node:net'
import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from '../../src/api/json/json.ts'
import type { RequestMessage } from '../../src/translate/message.ts'

const LISTS = ['Cmd', 'Entrypoint', 'Shell'] as const
const HIGHEST_PORT = 65535

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
