import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import type { EngineFacts } from '../api/engine-facts.ts'
import { ProxyError } from '../api/errors.ts'
import type { Address } from '../http/address.ts'
import { Headers } from '../http/headers.ts'
import { listen } from '../http/listen/listen.ts'
import { checkOrigin, type HostRules } from './hosts.ts'
import { closed } from './load/drain.ts'
import type { Config } from './settings/settings.ts'

/** Writes the metrics page. */
export type Exposition = Pick<Registry, 'contentType' | 'metrics'>

interface Ready {
  ask(): Promise<Pick<EngineFacts, 'release'>>
}

type AdminConfig = Pick<Config, 'admin' | 'allowed-hosts'>

export interface Admin {
  readonly address: Address
  close(): Promise<void>
}

/** Serves `--admin`; undefined without it. */
export async function openAdmin(
  config: AdminConfig,
  exposition: Exposition,
  engine: Ready,
): Promise<Admin | undefined> {
  const { admin, 'allowed-hosts': allowed } = config
  if (admin === undefined) return undefined
  // Browsers cannot reach a unix socket.
  const hosts = admin.kind === 'tcp' ? { allowed, checksHost: true, origin: undefined } : undefined
  const server = createServer(adminHandler(exposition, engine, hosts))
  return { address: await listen(server, admin), close: () => closed(server) }
}

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
