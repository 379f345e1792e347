import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ErrorForm, renderError } from '../../api/errors.ts'
import { asJson, type JsonValue, writeJson } from '../../api/json/json.ts'
import { type ApiVersion, apiVersion, formatVersion } from '../../api/version.ts'
import { Headers as HeaderLines } from '../../http/headers.ts'
import { headText } from '../../http/message/head-text.ts'
import { readFilters } from '../../translate/ops/calls/filter-values.ts'

/** The versions that Engine 29 serves (29.0 to 29.2; 29.3 went back to 1.40). */
export const LOWEST_SERVED: ApiVersion = apiVersion(44)
export const HIGHEST_SERVED: ApiVersion = apiVersion(53)

type Headers = Readonly<Record<string, string>>

/** Responses to a refused version are sent before the middleware that adds `Docker-Experimental`. */
export const REFUSAL_HEADERS: Headers = {
  'Api-Version': formatVersion(HIGHEST_SERVED),
  Ostype: 'linux',
  Server: 'Docker/29.1.0-dev (linux)',
}

/** The headers that an engine's middleware adds to every versioned response. */
export const ENGINE_HEADERS: Headers = { ...REFUSAL_HEADERS, 'Docker-Experimental': 'false' }

/** An engine error with status, text, and how it is sent. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly status: number
  readonly headers: Headers
  readonly body: string

  constructor(status: number, message: string, base = ENGINE_HEADERS, form: ErrorForm = 'json') {
    super(message)
    const { headers, body } = renderError(message, form)
    this.status = status
    this.headers = { ...base, ...headers, 'Content-Length': String(Buffer.byteLength(body)) }
    this.body = body
  }
}

/** Media type of output with or without a terminal. */
export const streamType = (tty: boolean): string => `application/vnd.docker.${tty ? 'raw' : 'multiplexed'}-stream`

function writeHead(res: ServerResponse, status: number, headers: Headers): void {
  // Go sends no keep-alive header; Node would.
  res.removeHeader('Connection')
  res.writeHead(status, headers)
}

export function send(res: ServerResponse, status: number, headers: Headers = {}, body = ''): void {
  const length = status === 204 || status === 304 ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  writeHead(res, status, { ...ENGINE_HEADERS, ...headers, ...length })
  res.end(body)
}

export const sendJson = (res: ServerResponse, status: number, value: JsonValue): void =>
  send(res, status, { 'Content-Type': 'application/json' }, `${writeJson(value)}\n`)

export function sendError(res: ServerResponse, { status, headers, body }: EngineError): void {
  writeHead(res, status, headers)
  res.end(body)
}

/** An endless chunked response; sends the head at once, as engines do. */
export function openStream(res: ServerResponse, contentType: string): void {
  writeHead(res, 200, { ...ENGINE_HEADERS, 'Content-Type': contentType })
  res.flushHeaders()
}

/** A head on a hijacked connection. */
export const rawHead = (status: number, reason: string, headers: Headers): string =>
  headText(1, status, reason, new HeaderLines(Object.entries(headers)))

export const sendRawError = (socket: Duplex, { status, headers, body }: EngineError): void =>
  void socket.end(rawHead(status, STATUS_CODES[status] ?? '', { ...headers, Connection: 'close' }) + body)

/** One frame of a multiplexed stream: stream number, length, bytes (pkg/stdcopy). */
export function frame(stream: 1 | 2, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt8(stream, 0)
  head.writeUInt32BE(data.length, 4)
  return Buffer.concat([head, data])
}

export const readAll = async (from: AsyncIterable<Buffer>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(from))

/** Reads a JSON body of the right media type, as httputils.ReadJSON does. */
export async function readJson(req: IncomingMessage): Promise<JsonValue> {
  const type = req.headers['content-type'] ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new EngineError(400, `unsupported Content-Type header (${type}): must be 'application/json'`)
  const value = asJson((await readAll(req)).toString())
  if (value === undefined) throw new EngineError(400, 'invalid JSON')
  return value
}

type Tests<Item> = Readonly<Record<string, (item: Item, value: string) => boolean>>

/** Whether one value of each filter of a query passes its test. Rejects filters without a test. */
export function filterOf<Item>(query: URLSearchParams, tests: Tests<Item>): (item: Item) => boolean {
  const wanted = [...readFilters(query)].map(([name, values]) => {
    const test = tests[name]
    if (test === undefined) throw new EngineError(400, `invalid filter '${name}'`)
    return { test, values }
  })
  return (item) => wanted.every(({ test, values }) => values.length === 0 || values.some((value) => test(item, value)))
}
