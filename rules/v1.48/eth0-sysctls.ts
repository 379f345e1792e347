import { isObject, memberAt, objectOf } from '../../src/api/json/json.ts'
import type { RequestMessage } from '../../src/translate/message.ts'
import { ENDPOINT_SYSCTLS, primaryEndpoint } from '../by-hand/endpoints.ts'

const ETH0 = /^net\.([^.]+)\.([^.]+)\.eth0\.(.+)$/

/**
 * As engines 27 and 28 do for clients up to 1.47 (container_routes.go:handleSysctlBC): sets sysctls of eth0 on the endpoint
 * of NetworkMode, with the interface called IFNAME; those of the endpoint come last and win.
 */
export function moveEth0Sysctls({ body: create }: RequestMessage): void {
  const sysctls = memberAt(create, 'HostConfig', 'Sysctls')
  if (!isObject(create) || !isObject(sysctls)) return
  const found = Object.keys(sysctls).flatMap((name) => {
    const [, family, group, rest] = ETH0.exec(name) ?? []
    return family === undefined
      ? []
      : [{ name, option: `net.${family}.${group}.IFNAME.${rest}=${String(sysctls[name])}` }]
  })
  if (found.length === 0) return
  const endpoint = primaryEndpoint(create)
  if (endpoint === undefined) return
  for (const { name } of found) delete sysctls[name]
  const options = objectOf(endpoint['DriverOpts'])
  const already = options[ENDPOINT_SYSCTLS]
  const moved = found.map(({ option }) => option)
  options[ENDPOINT_SYSCTLS] = [...moved, ...(typeof already === 'string' ? [already] : [])].join()
  endpoint['DriverOpts'] = options
}
