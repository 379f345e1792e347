import { createServer, type IncomingMessage } from 'node:http'
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

type Page = readonly [status: number, text: string, type?: string]

export interface Admin {
  readonly address: Address
  close(): Promise<void>
}

/** Serves `--admin`; undefined without it. */
export async function openAdmin(
  { admin, 'allowed-hosts': allowed }: Pick<Config, 'admin' | 'allowed-hosts'>,
  exposition: Exposition,
  engine: Ready,
): Promise<Admin | undefined> {
  if (admin === undefined) return undefined
  // Browsers cannot reach a unix socket.
  const hosts = admin.kind === 'tcp' ? { allowed, checksHost: true, origin: undefined } : undefined
  const server = createServer((req, res) => {
    pageFor(req, exposition, engine, hosts)
      .catch(problem)
      .then(([status, text, type = 'text/plain; charset=utf-8']) => {
        res.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) })
        res.end(text)
      })
  })
  return { address: await listen(server, admin), close: () => closed(server) }
}

/** `/livez`: the process is running. `/readyz`: the engine responds. `/metrics`: Prometheus text. */
async function pageFor(
  { url = '/', rawHeaders }: IncomingMessage,
  exposition: Exposition,
  engine: Ready,
  hosts: HostRules | undefined,
): Promise<Page> {
  if (hosts !== undefined) checkOrigin(hosts, Headers.fromRaw(rawHeaders), url)
  switch (url.split('?', 1)[0]) {
    case '/livez':
      return [200, 'ok\n']
    case '/readyz':
      return engine.ask().then(
        ({ release }): Page => [200, `ok: engine ${release}\n`],
        (cause: Error): Page => [503, `${cause.message}\n`],
      )
    case '/metrics':
      return [200, await exposition.metrics(), exposition.contentType]
    default:
      return [404, 'there are /livez, /readyz and /metrics\n']
  }
}

const problem = (cause: unknown): Page =>
  cause instanceof ProxyError ? [cause.status, `${cause.message}\n`] : [500, `${String(cause)}\n`]
