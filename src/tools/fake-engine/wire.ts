import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ErrorForm, renderError } from '../../api/errors.ts'
import { type JsonValue, parseJson, writeJson } from '../../api/json/json.ts'
import { type ApiVersion, apiVersion, formatVersion } from '../../api/version.ts'

/** The versions that Engine 29 serves (29.0 to 29.2; 29.3 went back to 1.40). */
export const LOWEST_SERVED: ApiVersion = apiVersion(44)
export const HIGHEST_SERVED: ApiVersion = apiVersion(53)

/** An engine error with status and text. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export const RAW_STREAM = 'application/vnd.docker.raw-stream'
export const MULTIPLEXED_STREAM = 'application/vnd.docker.multiplexed-stream'

const SERVER = 'Docker/29.1.0-dev (linux)'

/** The headers that an engine's middleware adds to every versioned response, in Go's (alphabetical) order. */
export const engineHeaders = (): Record<string, string> => ({
  'Api-Version': formatVersion(HIGHEST_SERVED),
  'Docker-Experimental': 'false',
  Ostype: 'linux',
  Server: SERVER,
})

/** Responses to a refused version are sent before the middleware that adds `Docker-Experimental`. */
const refusalHeaders = (): Record<string, string> => ({
  'Api-Version': formatVersion(HIGHEST_SERVED),
  Ostype: 'linux',
  Server: SERVER,
})

function write(res: ServerResponse, status: number, headers: Record<string, string>, body: Buffer): void {
  const sorted = Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1))
  // Go sends no keep-alive header; Node would.
  res.removeHeader('Connection')
  res.writeHead(status, Object.fromEntries(sorted))
  res.end(body)
}

export function sendJson(res: ServerResponse, status: number, value: JsonValue): void {
  const body = Buffer.from(`${writeJson(value)}\n`)
  const headers = { ...engineHeaders(), 'Content-Type': 'application/json', 'Content-Length': String(body.length) }
  write(res, status, headers, body)
}

export function sendEmpty(res: ServerResponse, status: number): void {
  const length = status === 204 || status === 304 ? {} : { 'Content-Length': '0' }
  write(res, status, { ...engineHeaders(), ...length }, Buffer.alloc(0))
}

export function sendText(res: ServerResponse, headers: Record<string, string>, text: string): void {
  const body = Buffer.from(text)
  const type = { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': String(body.length) }
  write(res, 200, { ...engineHeaders(), ...headers, ...type }, body)
}

export function sendError(res: ServerResponse, error: EngineError): void {
  sendRendered(res, error, 'json', engineHeaders())
}

/** `client version … is too old`: as text to versions below 1.24. */
export function sendVersionRefusal(res: ServerResponse, error: EngineError, form: ErrorForm): void {
  sendRendered(res, error, form, refusalHeaders())
}

/** The router's 404 is sent before all middleware and has only these headers. */
export function sendPageNotFound(res: ServerResponse): void {
  sendRendered(res, new EngineError(404, 'page not found'), 'json', {})
}

function sendRendered(res: ServerResponse, error: EngineError, form: ErrorForm, base: Record<string, string>): void {
  const rendered = renderError(error.message, form)
  const body = Buffer.from(rendered.body)
  write(res, error.status, { ...base, ...rendered.headers, 'Content-Length': String(body.length) }, body)
}

/** An endless chunked response; sends the head at once, as engines do. */
export function openStream(res: ServerResponse, contentType: string | undefined): void {
  const type = contentType === undefined ? {} : { 'Content-Type': contentType }
  res.removeHeader('Connection')
  res.writeHead(200, { ...engineHeaders(), ...type })
  res.flushHeaders()
}

/** A head on a hijacked connection. */
export function rawHead(status: number, reason: string, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n`
}

export function rawError(socket: Duplex, error: EngineError): void {
  const { body, headers } = renderError(error.message, 'json')
  const length = { 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' }
  const reason = STATUS_CODES[error.status] ?? ''
  socket.end(rawHead(error.status, reason, { ...engineHeaders(), ...headers, ...length }) + body)
}

/** One frame of a multiplexed stream: stream number, length, bytes (pkg/stdcopy). */
export function frame(stream: 1 | 2, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt8(stream, 0)
  head.writeUInt32BE(data.length, 4)
  return Buffer.concat([head, data])
}

const BODY_LIMIT_BYTES = 4 << 20

export async function readAll(from: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of from) {
    size += chunk.length
    if (size > BODY_LIMIT_BYTES) throw new EngineError(400, 'http: request body too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reads a JSON body like httputils.ReadJSON: one value, the right media type, nothing after it. */
export function readJsonBody(req: IncomingMessage, body: Buffer): JsonValue {
  const type = req.headers['content-type'] ?? ''
  if (type === '') throw new EngineError(400, 'malformed Content-Type header (): mime: no media type')
  const media = type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (media !== 'application/json') {
    throw new EngineError(400, `unsupported Content-Type header (${type}): must be 'application/json'`)
  }
  const text = body.toString()
  if (text.trim() === '') throw new EngineError(400, 'invalid JSON: EOF')
  try {
    return parseJson(text)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    if (/after JSON/.test(cause.message)) throw new EngineError(400, 'unexpected content after JSON')
    throw new EngineError(400, `invalid JSON: ${cause.message}`)
  }
}

/** Go's strconv.ParseBool with the engine's leniency (httputils.BoolValue). */
export function flag(query: URLSearchParams, name: string): boolean {
  const value = (query.get(name) ?? '').trim().toLowerCase()
  return !['', '0', 'no', 'false', 'none'].includes(value)
}

/** `filters` in either form: `{"status":["running"]}` or `{"status":{"running":true}}`. Rejects unknown names. */
export function readFilters(query: URLSearchParams, known: readonly string[]): Map<string, string[]> {
  const filters = new Map<string, string[]>()
  const text = query.get('filters')
  if (text === null || text === '') return filters
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new EngineError(400, 'invalid filter')
  }
  if (typeof parsed !== 'object' || parsed === null) return filters
  for (const [name, values] of Object.entries(parsed)) {
    if (!known.includes(name)) throw new EngineError(400, `invalid filter '${name}'`)
    filters.set(name, Array.isArray(values) ? values.map(String) : Object.keys(Object(values)))
  }
  return filters
}
