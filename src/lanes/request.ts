import { formatVersion } from '../api/version.ts'
import type { EngineRequest } from '../engine/connection.ts'
import { readAsGo } from '../translate/go-read.ts'
import { HeaderNames, type Headers } from '../translate/headers.ts'
import { writeJson } from '../translate/json.ts'
import type { Carriage, Outgoing, PlainCarriage } from './carriage.ts'
import { readBody } from './read-body.ts'
import { runEmulations, runSteps } from './steps.ts'
import { watchBody } from './tap.ts'

/**
 * Headers that belong to one connection and are never passed on (RFC 9110, 7.6.1), and those that the engine's side
 * sets itself: `Host` may be a socket path (clients 1.6–1.9), which engines refuse.
 */
const NOT_FORWARDED = new HeaderNames([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'content-length',
])

/** Headers named by `Connection` are hop-by-hop as well; mostly it names none that is not known as one. */
function namedByConnection(headers: Headers): string[] {
  if (!headers.has('Connection')) return NONE
  const tokens = headers.list('Connection').split(',')
  return tokens.map((token) => token.trim()).filter((token) => !NOT_FORWARDED.has(token))
}

const NONE: string[] = []

/** The client's headers that go on to the engine, a plain `Host` first. */
export function forwardedHeaders(headers: Headers): Headers {
  const named = namedByConnection(headers)
  return headers.without(named.length === 0 ? NOT_FORWARDED : NOT_FORWARDED.and(named), ENGINE_HOST)
}

const ENGINE_HOST = ['Host', 'docker'] as const

/** Reads the client's body whole. */
export async function takeRequestBody({ req, entry, tap, limits }: Carriage): Promise<Buffer> {
  const body = await readBody(req, limits.requestBody, limits.bodyMs)
  entry.received(body.length)
  tap?.body('asked', body)
  return body
}

/** Runs the request's steps and emulations over the message, the raw body parsed where the plan asks for it. */
export async function translateRequest(carriage: Carriage, raw: Buffer | undefined): Promise<Buffer | undefined> {
  const { plan, message, checkBody, entry } = carriage
  // What follows the body's value: gone where engines of the client's age look no further, theirs to refuse where they do.
  let behind = ''
  if (raw !== undefined && raw.length > 0 && (plan.request.needsBody || checkBody !== undefined)) {
    const text = raw.toString()
    const { value, ambiguous, rest } = readAsGo(text)
    const respelled = plan.request.respell?.(value) === true
    entry.parsed(value)
    checkBody?.({ text, value, more: rest !== '' })
    if (plan.request.refusesRest) behind = rest
    // A body that is no JSON stays as it is: the engine refuses it in its own words.
    if (plan.request.needsBody && value === undefined) message.text = text
    else if (plan.request.needsBody) message.body = value
    else if (value !== undefined && (ambiguous || respelled || rest !== behind))
      raw = Buffer.from(writeJson(value) + behind)
  }
  if (plan.request.steps.length === 0 && plan.request.emulations.length === 0) return raw
  const held = message.body !== undefined || message.text !== undefined
  const size = raw?.length ?? 0
  runSteps(carriage, 'request', plan.request.steps, message, size)
  await runEmulations(carriage, 'request', plan.request.emulations, message, size)
  if (message.body !== undefined) {
    // A body that came without its type is the engine's to refuse; the bridge's own has one.
    if (size === 0 && !message.headers.has('Content-Type')) message.headers.set('Content-Type', 'application/json')
    return Buffer.from(writeJson(message.body) + behind)
  }
  return held && message.text === undefined ? Buffer.alloc(0) : raw
}

/** The target's path and query for the message as it stands now. */
export function enginePath(carriage: Carriage): string {
  const { call, message, plan } = carriage
  const untouched = plan.request.steps.length === 0 && plan.request.emulations.length === 0
  const query = untouched ? '' : message.query.toString()
  const search = untouched ? call.search : query === '' ? '' : `?${query}`
  return `/v${formatVersion(plan.target)}${message.path}${search}`
}

/** What is about to be sent, for the access policy. */
export const outgoing = (carriage: Carriage, body: Outgoing['body']): Outgoing => ({
  method: carriage.message.method,
  path: enginePath(carriage),
  contentType: carriage.message.headers.get('Content-Type'),
  body,
})

/** Whether the client announced a body. */
export const announcesBody = (headers: Headers): boolean =>
  headers.has('Transfer-Encoding') || Number(headers.get('Content-Length') ?? 0) > 0

/** The engine's request: translated where the plan says so, the client's body streamed through where it does not. */
export function buildRequest(carriage: PlainCarriage): EngineRequest | Promise<EngineRequest> {
  const { steps, emulations } = carriage.plan.request
  const hasBody = announcesBody(carriage.message.headers)
  if (hasBody || steps.length > 0 || emulations.length > 0) return translatedRequest(carriage, hasBody)
  return requestOf(carriage, undefined, undefined)
}

async function translatedRequest(carriage: PlainCarriage, hasBody: boolean): Promise<EngineRequest> {
  const { res, call, plan, message, checkBody, guard } = carriage
  // undici cannot ask the engine first (it refuses Expect), and a body that nobody invites may not come at all.
  if (hasBody && message.headers.has('Expect')) res.writeContinue()
  const length = message.headers.get('Content-Length')
  const reads =
    plan.request.needsBody || checkBody !== undefined || guard?.readsBody(call.match?.operation.name) === true
  const raw = reads && hasBody ? await takeRequestBody(carriage) : undefined
  const translated = await translateRequest(carriage, raw)
  const streams = translated === undefined && hasBody && !reads
  return requestOf(carriage, translated, streams ? { length } : undefined)
}

/** `streams`: the client's body, as it comes; its length, where it said one. */
function requestOf(
  carriage: PlainCarriage,
  translated: Buffer | undefined,
  streams: { readonly length: string | undefined } | undefined,
): EngineRequest {
  const { req, plan, message, guard } = carriage
  const headers = forwardedHeaders(message.headers)
  if (plan.response.needsBody) headers.delete('Accept-Encoding') // what is parsed must come as it is
  if (streams?.length !== undefined) headers.set('Content-Length', streams.length)
  guard?.check(outgoing(carriage, streams === undefined ? translated : 'streamed'))
  const whole = translated !== undefined && translated.length > 0 ? translated : null
  if (streams !== undefined) watchBody(carriage)
  const body = streams === undefined ? whole : req
  return { method: message.method, path: enginePath(carriage), headers: headers.flat, body }
}
