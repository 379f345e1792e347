import { isIP } from 'node:net'
import { ProxyError } from '../../src/api/errors.ts'
import { isObject } from '../../src/api/json/json.ts'
import type { RequestMessage } from '../../src/translate/message.ts'

const LISTS = ['Cmd', 'Entrypoint', 'Shell'] as const

const refuse = (what: string): never => {
  throw new ProxyError('validation', `invalid JSON: ${what}`)
}

/** Throws for a create that engines from 29.0 on refuse; older engines accept it (both asked: 28.5 and 29.8). */
export function refuseLoose({ body }: RequestMessage): void {
  if (!isObject(body)) return
  for (const list of LISTS)
    if (typeof body[list] === 'string')
      refuse(`json: cannot unmarshal string into Go struct field CreateRequest.Config.${list} of type []string`)
  for (const key of Object.keys(isObject(body['ExposedPorts']) ? body['ExposedPorts'] : {})) {
    const [port = ''] = key.split('/')
    if (!/^\d/.test(port)) refuse(`invalid port '${port}': invalid syntax`)
  }
  const dns = isObject(body['HostConfig']) ? body['HostConfig']['Dns'] : undefined
  for (const entry of Array.isArray(dns) ? dns : [])
    if (typeof entry === 'string' && entry !== '' && isIP(entry) === 0)
      refuse(`ParseAddr(${JSON.stringify(entry)}): unable to parse IP`)
}
