import { ProxyError } from '../../api/errors.ts'
import { writeJson } from '../../api/json/json.ts'
import { readAsGo } from '../../api/json/read.ts'
import { formatVersion, withPrefix } from '../../api/version.ts'
import { TO_ENGINE } from '../../engine/ask.ts'
import { expectsContinue, takeBody } from '../../http/client/read-body.ts'
import type { ClientRequest } from '../../http/client/request.ts'
import type { EngineRequest, StreamedBody } from '../../http/engine/request.ts'
import { type Headers, HOP_BY_HOP, type ReadonlyHeaders, withNamed } from '../../http/headers.ts'
import { searchWith } from '../../translate/query.ts'
import { runSteps } from '../../translate/run/steps.ts'
import type { Exchange } from '../exchange.ts'

/** Nor what the engine's side sets itself: clients 1.6–1.9 put a socket path into `Host`, which engines refuse. */
const NOT_FORWARDED = HOP_BY_HOP.and(['expect', 'host', 'content-length'])
/** Nor this if the response is parsed: it must not be compressed. */
const NOT_FORWARDED_TO_PARSE = NOT_FORWARDED.and(['accept-encoding'])

/** The client's headers for the engine, preceded by a plain `Host`. */
export const forwardedHeaders = (headers: ReadonlyHeaders, leftOut = NOT_FORWARDED): Headers =>
  headers.without(withNamed(leftOut, headers), ENGINE_HOST)

const ENGINE_HOST = TO_ENGINE.lines

/** Reads the client's whole body. */
export async function takeRequestBody(exchange: Exchange): Promise<Buffer> {
  const { clientRequest, clientResponse, entry, observer, core } = exchange
  const body = await takeBody(clientRequest, clientResponse, core.limits, entry)
  observer?.body('clientRequest', body)
  return body
}

/** Plan, validation or access policy needs the body: it is read once, so that they and the engine see the same. */
const needsBody = ({ plan, checkBody, policyReadsBody }: Exchange): boolean =>
  plan.request.needsBody || plan.request.rest !== 'passed' || checkBody !== undefined || policyReadsBody

/** Text after a value that Go's Decoder.More reports as a further one. */
const IS_MORE = /^\s*[^\s\]}]/

/** Parses a body into the message, for the checks and the record. Gives the bytes to send if no step changes them. */
function readJson({ plan: { request }, message, checkBody, entry }: Exchange, raw: Buffer): [Buffer, trailing: string] {
  const text = raw.toString()
  const { value, ambiguous, rest } = readAsGo(text)
  const respelled = request.respell?.(value) === true
  entry.secrets.parsed(value)
  checkBody?.({ text, value, more: rest !== '' })
  const trailing = request.rest === 'dropped' ? '' : rest
  if (typeof request.rest === 'object' && IS_MORE.test(rest)) throw new ProxyError('validation', request.rest.refused)
  // An invalid JSON body stays unchanged: the engine refuses it with its own error.
  if (request.needsBody && value === undefined) message.text = text
  else if (request.needsBody) message.body = value
  else if (value !== undefined && (ambiguous || respelled || rest !== trailing))
    return [Buffer.from(writeJson(value) + trailing), trailing]
  return [raw, trailing]
}

/** Runs the request's steps over the message, with the body in it if something needs to know it. */
export async function translateRequest(exchange: Exchange, raw: Buffer | undefined): Promise<Buffer | undefined> {
  const { plan, message } = exchange
  const isRead = raw !== undefined && raw.length > 0 && needsBody(exchange)
  const [bytes, trailing] = isRead ? readJson(exchange, raw) : [raw, '']
  if (plan.request.steps.length === 0) return bytes
  const held = message.body !== undefined || message.text !== undefined
  const size = bytes?.length ?? 0
  await runSteps(exchange, 'request', plan.request.steps, message, size)
  if (message.body !== undefined) {
    // The engine refuses client bodies without Content-Type; bodies that the bridge adds need one.
    if (size === 0 && !message.headers.has('Content-Type')) message.headers.set('Content-Type', 'application/json')
    return Buffer.from(writeJson(message.body) + trailing)
  }
  const isRemoved = held && message.text === undefined
  return isRemoved ? Buffer.alloc(0) : bytes
}

/** The path and query for the engine, from the message in its current state. */
export function enginePath({ call, message, plan }: Exchange): string {
  const search = plan.request.steps.length === 0 ? call.search : searchWith(call.search, message.query)
  const version = call.prefix.kind === 'libpod' ? call.prefix.text : formatVersion(plan.target)
  return `${withPrefix(version, message.path)}${search}`
}

/** Builds the engine's request as planned, with the client's body streamed if the plan leaves it untouched. */
export function buildRequest(exchange: Exchange): EngineRequest | Promise<EngineRequest> {
  if (exchange.hasBody || exchange.plan.request.steps.length > 0) return translatedRequest(exchange)
  return requestOf(exchange, undefined, undefined)
}

async function translatedRequest(exchange: Exchange): Promise<EngineRequest> {
  const { hasBody } = exchange
  const reads = needsBody(exchange)
  const raw = reads && hasBody ? await takeRequestBody(exchange) : undefined
  const translated = await translateRequest(exchange, raw)
  const streams = translated === undefined && hasBody && !reads
  return requestOf(exchange, translated, streams ? watchedBody(exchange) : undefined)
}

/** `whole`: the body, translated. `streamed`: the client's, unread. */
function requestOf(exchange: Exchange, whole: Buffer | undefined, streamed: StreamedBody | undefined): EngineRequest {
  const { plan, message, clientRequest } = exchange
  const parses = plan.response.needsBody || plan.response.recordsOnceReplaced !== undefined
  const headers = forwardedHeaders(message.headers, parses ? NOT_FORWARDED_TO_PARSE : NOT_FORWARDED)
  const body = whole !== undefined && whole.length > 0 ? whole : null
  if (streamed !== undefined && expectsContinue(clientRequest)) headers.append('Expect', '100-continue')
  // Engines distinguish an empty body from a missing one (start and exec start of 1.10).
  if (body === null && streamed === undefined && saysEmpty(clientRequest, whole)) headers.append('Content-Length', '0')
  return { method: message.method, path: enginePath(exchange), headers, body, streamed }
}

/** The client announced an empty body, or a step removed the body. */
export const saysEmpty = (request: ClientRequest, translated: Buffer | undefined): boolean =>
  translated !== undefined || request.hasBody || request.headers.has('Content-Length')

/** Streams the client's body to the engine, counts it and shows it to the observer. */
const watchedBody = ({ clientRequest, entry, observer }: Exchange): StreamedBody => ({
  framing: clientRequest.framing,
  stream: (target) =>
    clientRequest.stream({
      data: (piece, begins) => {
        entry.bytesIn += piece.length
        observer?.body('clientRequest', piece)
        observer?.body('engineRequest', piece)
        target.data(piece, begins)
      },
      flush: () => target.flush?.(),
      end: () => target.end(),
      failed: (cause) => target.failed(cause),
    }),
  pause: () => clientRequest.pause(),
  resume: () => clientRequest.resume(),
})
