import http, { type IncomingMessage } from 'node:http'
import net from 'node:net'
import { type Address, connectOptions } from '../../http/address.ts'
import { answerOf, type Exchange, httpOptions, readAll, splitAnswer } from './relay.ts'

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

const HEADERS = { Host: 'docker', 'User-Agent': 'enginebridge-demo' }

/** Makes one call over a new connection. */
export function call(address: Address, asking: Asking): Promise<Exchange> {
  return asking.input === undefined ? plainCall(address, asking) : hijackingCall(address, asking, asking.input)
}

async function plainCall(address: Address, { method, url, body }: Asking): Promise<Exchange> {
  const sent = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body))
  const headers: Record<string, string> = {
    ...HEADERS,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(sent.length) }),
  }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = http.request({ ...httpOptions(address), method, path: url, headers, agent: false }, resolve)
  request.on('error', reject)
  request.end(sent)
  const answer = await promise
  return { method, url, headers, sent, ...answerOf(answer), got: await readAll(answer) }
}

async function hijackingCall(address: Address, asking: Asking, input: string): Promise<Exchange> {
  const { method, url } = asking
  const body = JSON.stringify(asking.body ?? {})
  const headers: Record<string, string> = {
    ...HEADERS,
    ...(asking.upgrade === true ? { Connection: 'Upgrade', Upgrade: 'tcp' } : {}),
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = net.connect({ ...connectOptions(address), allowHalfOpen: true })
  socket.write(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  socket.end(input)
  return { method, url, headers, sent: Buffer.from(body + input), ...splitAnswer(await readAll(socket)) }
}
