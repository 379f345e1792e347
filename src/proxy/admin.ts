import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import type { EngineFacts } from '../api/engine-facts.ts'
import { ProxyError } from '../api/errors.ts'
import type { Address } from '../http/address.ts'
import { Headers } from '../http/headers.ts'
import { listen } from '../http/listen/listen.ts'
import { checkOrigin, type HostRules } from './hosts.ts'
import type { Config } from './settings/settings.ts'

/** Writes the metrics page. */
export type Exposition = Pick<Registry, 'contentType' | 'metrics'>

interface Ready {
  ask(): Promise<Pick<EngineFacts, 'release'>>
}

type AdminConfig = Pick<Config, 'admin' | 'allowed-hosts'>

/** The server of `--admin`; undefined without it. Not listening yet. */
export const adminServer = (config: AdminConfig, exposition: Exposition, discovery: Ready): Server | undefined =>
  config.admin === undefined ? undefined : createServer(adminHandler(exposition, discovery, adminHosts(config)))

export const openAdmin = async (server: Server | undefined, { admin }: AdminConfig): Promise<Address | undefined> =>
  server === undefined || admin === undefined ? undefined : listen(server, admin)

/** Hosts that `--admin` accepts; undefined on a unix socket, which browsers cannot reach. */
const adminHosts = (config: AdminConfig): HostRules | undefined =>
  config.admin?.kind === 'tcp' ? { allowed: config['allowed-hosts'], checksHost: true, origin: undefined } : undefined

/** `/livez`: the process is running. `/readyz`: the engine responds. `/metrics`: Prometheus text. */
function adminHandler(
  exposition: Exposition,
  discovery: Ready,
  hosts: HostRules | undefined,
): (req: IncomingMessage, res: ServerResponse) => void {
  const say = (res: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void => {
    res.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) })
    res.end(text)
  }
  return (req, res) => {
    const answer = async (): Promise<void> => {
      if (hosts !== undefined) checkOrigin(hosts, Headers.fromRaw(req.rawHeaders), req.url ?? '/')
      switch (req.url?.split('?', 1)[0]) {
        case '/livez':
          return say(res, 200, 'ok\n')
        case '/readyz':
          return discovery.ask().then(
            (facts) => say(res, 200, `ok: engine ${facts.release}\n`),
            (cause: Error) => say(res, 503, `${cause.message}\n`),
          )
        case '/metrics':
          return say(res, 200, await exposition.metrics(), exposition.contentType)
        default:
          return say(res, 404, 'there are /livez, /readyz and /metrics\n')
      }
    }
    answer().catch((cause: unknown) =>
      cause instanceof ProxyError ? say(res, cause.status, `${cause.message}\n`) : say(res, 500, `${String(cause)}\n`),
    )
  }
}
