import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EngineFacts } from '../api/engine-facts.ts'
import { ProxyError } from '../api/errors.ts'
import { Headers } from '../http/headers.ts'
import { checkOrigin, type HostRules } from './hosts.ts'
import type { Config } from './settings/settings.ts'

/** Writes the metrics page. */
export interface Exposition {
  readonly contentType: string
  metrics(): Promise<string>
}

/** Hosts that `--admin` accepts; undefined on a unix socket, which browsers cannot reach. */
export const adminHosts = (config: Pick<Config, 'admin' | 'allowed-hosts'>): HostRules | undefined =>
  config.admin?.kind === 'tcp' ? { allowed: config['allowed-hosts'], checksHost: true, origin: undefined } : undefined

/** `/livez`: the process is running. `/readyz`: the engine responds. `/metrics`: Prometheus text. */
export function adminHandler(
  exposition: Exposition,
  discovery: { ask(): Promise<Pick<EngineFacts, 'release'>> },
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
