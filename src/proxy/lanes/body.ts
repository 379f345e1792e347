import { asJson, isObject, writeJson } from '../../api/json/json.ts'
import { formatVersion } from '../../api/version.ts'
import type { ResponseMessage } from '../../translate/message.ts'
import { LARGE, translateList } from '../../translate/run/list.ts'
import type { ResponseKey } from '../../translate/run/response-cache.ts'
import { runSteps } from '../../translate/run/steps.ts'
import { carryTranslated } from '../engine-side/engine-response.ts'
import { collect, type EngineHead, type Receiver } from '../engine-side/receiver.ts'
import {
  addLossHeader,
  answersWithWarnings,
  errorReply,
  type Finished,
  requireUncompressed,
  returnedHeaders,
  warned,
  withLength,
} from '../engine-side/reply.ts'
import type { Exchange } from '../exchange.ts'
import { PassedThrough } from './pass.ts'

/** Reads the bodies that the plan touches, within limits, translates and rewrites them. Other bodies stream through. */
export const bodyLane = (exchange: Exchange): Promise<void> =>
  carryTranslated(exchange, (head) =>
    exchange.plan.response.needsBody || answersWithWarnings(exchange)
      ? wholeBody(exchange, head)
      : new PassedThrough(exchange, head),
  )

/** Translates a response when it is complete. */
export const wholeBody = (exchange: Exchange, head: EngineHead): Receiver =>
  collect(exchange, head, exchange.core.limits['max-response-body'], (body) => finishBody(exchange, head, body))

/** Translates a complete successful response, synchronously on a cache hit. `gone`: the client has left. */
function finishBody(exchange: Exchange, head: EngineHead, body: Buffer): Finished | Promise<Finished | 'gone'> {
  const { plan, context, core } = exchange
  const message: ResponseMessage = { status: head.status, headers: returnedHeaders(head.headers), body: undefined }
  requireUncompressed(message.headers)
  const key = mayBeCached(exchange) ? { plan, engine: context.engine, url: exchange.call.url } : undefined
  const done = key && core.responseCache.find(key, body)
  return done === undefined ? translateBody(exchange, key, message, body) : finishHead(exchange, message, body, done)
}

/** Completes a response whose body is translated. */
function finishHead(exchange: Exchange, message: ResponseMessage, received: Buffer, written: Buffer): Finished {
  runSteps(exchange, 'response', exchange.plan.response.head, message, received.length)
  addLossHeader(message.headers, exchange)
  return withLength(message.status, message.headers, written)
}

/** Translates a large list in parts if possible, otherwise the whole body. */
async function translateBody(
  exchange: Exchange,
  key: ResponseKey | undefined,
  message: ResponseMessage,
  body: Buffer,
): Promise<Finished | 'gone'> {
  const { plan, context, core } = exchange
  const { responseCache } = core
  const { status } = message
  const list = plan.response.elementwise && body.length > LARGE ? await inParts(exchange, message, body) : undefined
  if (list === 'gone') return list
  if (list !== undefined) {
    if (key !== undefined && context.uncacheable === false) responseCache.keep(key, { received: body, written: list })
    return finishHead(exchange, message, body, list)
  }
  const text = body.toString()
  if (text !== '') message.body = asJson(text)
  const parsed = message.body !== undefined
  if (!parsed && text !== '') message.text = text // not a single JSON value (records of an image load, plain text)
  runSteps(exchange, 'response', plan.response.head, message, body.length)
  const head = message.headers.lines
  await runSteps(exchange, 'response', plan.response.body, message, body.length)
  addLossHeader(message.headers, exchange)
  if (answersWithWarnings(exchange)) addWarnings(message, exchange)
  // A step turned a success into an error (the error record of an image load).
  if (message.status >= 400)
    return errorReply(message.status, message.headers, message.text ?? '', message.form ?? 'text')
  const written = writtenBody(message, parsed, text, body)
  const bodyAlone = message.status === status && message.headers.lines === head
  if (key !== undefined && bodyAlone && context.uncacheable === false)
    responseCache.keep(key, { received: body, written })
  return withLength(message.status, message.headers, written)
}

const inParts = (
  exchange: Exchange,
  { status, headers }: ResponseMessage,
  body: Buffer,
): Promise<Buffer | 'gone' | undefined> =>
  translateList(
    body,
    (elements) => {
      const part: ResponseMessage = { status, headers, body: elements }
      runSteps(exchange, 'response', exchange.plan.response.body, part, body.length)
      return part.body
    },
    exchange.core.timeSlicer,
    () => exchange.clientResponse.gone,
  )

/** So far the translation depends only on the request and the engine, and the audit does not measure its changes. */
const mayBeCached = ({ call, plan, context, entry }: Exchange): boolean =>
  call.method === 'GET' &&
  !entry.changes.measures('response') &&
  !plan.request.callsEngine &&
  context.uncacheable === false

function asLine(json: string): Buffer {
  const size = Buffer.byteLength(json)
  const line = Buffer.allocUnsafe(size + 1)
  line.write(json)
  line[size] = NEWLINE
  return line
}

const NEWLINE = 0x0a

/** `text` and `body`: the response as received, kept if no step changed it. */
function writtenBody(message: ResponseMessage, parsed: boolean, text: string, body: Buffer): Buffer {
  if (message.body !== undefined) return asLine(writeJson(message.body))
  if (message.text === undefined) return parsed ? Buffer.alloc(0) : body
  return message.text === text ? body : Buffer.from(message.text)
}

/** Uses the engines' wording for a limit that the kernel lacks (daemon/daemon_unix.go). */
function addWarnings({ body }: ResponseMessage, exchange: Exchange): void {
  if (!isObject(body)) return
  const engine = formatVersion(exchange.context.engine.highest)
  const own = warned(exchange).map(
    ({ what }) => `Your engine does not support ${what} (API ${engine}). ${what} discarded.`,
  )
  body['Warnings'] = [...(Array.isArray(body['Warnings']) ? body['Warnings'] : []), ...own, ...exchange.entry.notes]
}
