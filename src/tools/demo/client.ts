import net from 'node:net'
import { type Address, connectOptions } from '../../http/address.ts'
import { ask } from '../ask.ts'

/** A request of a legacy client. */
export interface Asking {
  readonly method: string
  readonly url: string
  readonly body?: object
  /** Input sent after the hijack, followed by a half-close. */
  readonly input?: string
  /** Send `Upgrade: tcp`, as clients from 2016 on do; older ones hijack without it. */
  readonly upgrade?: boolean
}

const HEADERS = { 'User-Agent': 'enginebridge-demo' }
const TIMEOUT_MS = 10_000

/** Makes one call over a new connection. */
export async function call(address: Address, asking: Asking): Promise<{ status: number; body: Buffer }> {
  const { method, url, input, upgrade = false } = asking
  const body = asking.body === undefined ? undefined : JSON.stringify(asking.body)
  const headers = { ...HEADERS, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) }
  if (input === undefined) return ask(address, { method, path: url, headers, body, timeoutMs: TIMEOUT_MS })
  const lines = Object.entries({
    Host: 'docker',
    ...headers,
    ...(upgrade ? { Connection: 'Upgrade', Upgrade: 'tcp' } : {}),
    'Content-Length': String(body?.length ?? 0),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const socket = net.connect({ ...connectOptions(address), allowHalfOpen: true, signal })
  socket.end(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}${input}`)
  const got = Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>))
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(got.toString('latin1'))?.[1] ?? 0), body: got }
}
