import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import net from 'node:net'
import type { Duplex } from 'node:stream'
import { type Address, connectOptions } from '../../http/address.ts'
import { listen } from '../../http/listen/listen.ts'

/** One call as sent over the wire. */
export interface Exchange {
  readonly method: string
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly sent: Buffer
  readonly status: number
  readonly reason: string
  readonly answerHeaders: Readonly<Record<string, string | string[] | undefined>>
  readonly got: Buffer
}

export interface Relay {
  readonly address: Address
  /** The calls since the last `take`, oldest first. */
  take(): Exchange[]
  close(): Promise<void>
}

/** Options for `node:http`, whose `path` is the request's. */
export const httpOptions = (address: Address): { socketPath: string } | { host: string; port: number } =>
  address.kind === 'unix' ? { socketPath: address.path } : { host: address.host, port: address.port }

/** A recording relay between bridge and engine. Only for the demo: it keeps whole bodies in memory. */
export async function startRelay(engine: Address, path: string): Promise<Relay> {
  const exchanges: Exchange[] = []
  const sockets = new Set<Duplex>()
  const record = (exchange: Exchange): void => {
    exchanges.push(exchange)
  }
  const server = http.createServer({ keepAliveTimeout: 0, requestTimeout: 0 })
  server.on('connection', (socket: Duplex) => sockets.add(socket))
  server.on('request', (req, res) => void relayCall(engine, req, res, record).catch(() => res.destroy()))
  server.on('upgrade', (req, socket, head) => {
    void relayTunnel(engine, req, socket, head, record).catch(() => socket.destroy())
  })
  const address = await listen(server, { kind: 'unix', path })
  return {
    address,
    take: () => exchanges.splice(0),
    close: async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
      await promise
    },
  }
}

async function relayCall(
  engine: Address,
  req: IncomingMessage,
  res: ServerResponse,
  record: (exchange: Exchange) => void,
): Promise<void> {
  const sent = await readAll(req)
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const out = http.request(
    { ...httpOptions(engine), method: req.method, path: req.url, headers: req.headers, agent: false },
    resolve,
  )
  out.on('error', reject)
  res.on('close', () => out.destroy())
  out.end(sent)
  const answer = await promise
  res.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', answer.rawHeaders)
  res.flushHeaders()
  const chunks: Buffer[] = []
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    res.write(chunk)
  }
  record({ ...requestOf(req), sent, ...answerOf(answer), got: Buffer.concat(chunks) })
  res.end()
}

/** Relays a tunnel as bytes and parses the response's head from them. */
async function relayTunnel(
  engine: Address,
  req: IncomingMessage,
  client: Duplex,
  head: Buffer,
  record: (exchange: Exchange) => void,
): Promise<void> {
  const upstream = net.connect({ ...connectOptions(engine), allowHalfOpen: true })
  const pairs = req.rawHeaders.flatMap((name, i, all) => (i % 2 === 0 ? [`${name}: ${all[i + 1]}\r\n`] : []))
  upstream.write(`${req.method} ${req.url} HTTP/1.1\r\n${pairs.join('')}\r\n`)
  // Up to Node 25 the body of an upgrade request is in `head` and on the socket, from 26 on in `req`.
  const body = await readAll(req)
  const sent = [body, head]
  const got: Buffer[] = []
  upstream.write(Buffer.concat(sent))
  client.on('data', (chunk: Buffer) => sent.push(chunk))
  upstream.on('data', (chunk: Buffer) => got.push(chunk))
  client.pipe(upstream)
  upstream.pipe(client)
  client.on('error', () => upstream.destroy())
  upstream.on('error', () => client.destroy())
  upstream.on('end', () => {
    const all = Buffer.concat(got)
    record({ ...requestOf(req), sent: Buffer.concat(sent), ...splitAnswer(all) })
  })
}

/** Splits the bytes of a response into status, headers and body. */
export function splitAnswer(all: Buffer): Pick<Exchange, 'status' | 'reason' | 'answerHeaders' | 'got'> {
  const end = all.indexOf('\r\n\r\n')
  const [first = '', ...lines] = all
    .subarray(0, end === -1 ? all.length : end)
    .toString('latin1')
    .split('\r\n')
  const [, status = '0', reason = ''] = /^HTTP\/1\.[01] (\d{3}) ?(.*)$/.exec(first) ?? []
  const answerHeaders = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { status: Number(status), reason, answerHeaders, got: end === -1 ? Buffer.alloc(0) : all.subarray(end + 4) }
}

export async function readAll(from: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of from) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const requestOf = (req: IncomingMessage): Pick<Exchange, 'method' | 'url' | 'headers'> => ({
  method: req.method ?? 'GET',
  url: req.url ?? '/',
  headers: req.headers,
})

export const answerOf = (answer: IncomingMessage): Pick<Exchange, 'status' | 'reason' | 'answerHeaders'> => ({
  status: answer.statusCode ?? 0,
  reason: answer.statusMessage ?? '',
  answerHeaders: answer.headers,
})
