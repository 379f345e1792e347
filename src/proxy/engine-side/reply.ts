import { type ErrorForm, errorText, ProxyError, renderError } from '../../api/errors.ts'
import { asJson, type JsonValue, memberAt, writeJson } from '../../api/json/json.ts'
import type { OperationName } from '../../api/operations.ts'
import type { ClientResponse } from '../../http/client/response.ts'
import { type Headers, HOP_BY_HOP, NOT_SWITCHED, type ReadonlyHeaders, withNamed } from '../../http/headers.ts'
import { REASONS } from '../../http/message/head-text.ts'
import type { Loss, ResponseMessage } from '../../translate/message.ts'
import { runSteps } from '../../translate/run/steps.ts'
import type { Exchange } from '../exchange.ts'

export const returnedHeaders = (headers: ReadonlyHeaders): Headers => headers.without(withNamed(HOP_BY_HOP, headers))

/** For what is parsed: it would be cut or lost without an error. */
export function requireUncompressed(headers: ReadonlyHeaders): void {
  if (headers.has('Content-Encoding'))
    throw new ProxyError('engine-broke-off', 'the engine sent a compressed response that was not requested')
}

/** The engine's reason phrase if the status is the engine's, otherwise the standard one. */
export function reasonFor(status: number, engine: StatusLine | undefined): string {
  const usual = REASONS[status] ?? ''
  if (engine === undefined || status !== engine.status || engine.reason === usual) return usual
  return engine.reason !== '' && isFieldText(engine.reason) ? engine.reason : usual
}

interface StatusLine {
  readonly status: number
  readonly reason: string
}

/** Characters allowed in a status line (RFC 9112, 4). node:http, which reads the heads of websockets, takes others too. */
const isFieldText = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)

/** Reports losses in a header, as the audit record does. */
export function addLossHeader(headers: Headers, exchange: Exchange): void {
  const losses = warned(exchange)
  // Names of lost fields may hold client input.
  const plain = (what: string): string => what.replace(/[^\x20-\x7e]/g, '?')
  if (losses.length > 0) headers.set('Enginebridge-Loss', losses.map(({ what }) => plain(what)).join(', '))
}

/** Runs the head steps over the head of a successful response. */
export function translateHead(exchange: Exchange, status: number, received: ReadonlyHeaders): ResponseMessage {
  const headers = received.without(withNamed(status === 101 ? NOT_SWITCHED : HOP_BY_HOP, received))
  const message: ResponseMessage = { status, headers, body: undefined }
  runSteps(exchange, 'response', exchange.plan.response.head, message, 0)
  addLossHeader(message.headers, exchange)
  return message
}

/** A complete response for the client. */
export interface Finished {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
  /** Progress records. Each is sent as one chunk, because docker-py up to 3 parses chunk by chunk (client.py:_stream_helper). */
  readonly records?: readonly Buffer[]
}

export const withLength = (status: number, headers: Headers, body: Buffer): Finished => {
  headers.delete('Content-Length')
  if (status === 204 || status === 304) return { status, headers, body: Buffer.alloc(0) }
  headers.append('Content-Length', String(body.length))
  return { status, headers, body }
}

/** An error as engines send it, with these headers besides. */
export function errorReply(status: number, headers: Headers, text: string, form: ErrorForm): Finished {
  const rendered = renderError(text, form)
  for (const [name, value] of Object.entries(rendered.headers)) headers.set(name, value)
  return withLength(status, headers, Buffer.from(rendered.body))
}

/** Podman sends some JSON errors (a failed pull or push) without a Content-Type; clients would print the braces. */
function nameJson(headers: Headers, text: string): void {
  if (headers.has('Content-Type') || !text.startsWith('{')) return
  const value = asJson(text)
  if (typeof memberAt(value, 'message') === 'string' || isRecord(value)) headers.set('Content-Type', 'application/json')
}

/** The error of a push on Podman: a record of progress, where clients expect a `message`. */
const isRecord = (value: JsonValue | undefined): boolean =>
  memberAt(value, 'message') === undefined && typeof memberAt(value, 'errorDetail', 'message') === 'string'

/** Translates an error response: status, text, and the form of the client's version. */
export async function finishError(
  exchange: Exchange,
  status: number,
  received: ReadonlyHeaders,
  body: Buffer,
): Promise<Finished> {
  const { plan } = exchange
  const headers = returnedHeaders(received)
  nameJson(headers, body.toString())
  const type = headers.get('Content-Type')
  const receivedText = errorText(body.toString(), type)
  const receivedForm = type?.startsWith('application/json') ? 'json' : 'text'
  // Attach sends errors as a raw stream (since 1.12), which is neither form, so both count as a change.
  const known = type === undefined || receivedForm === 'json' || type.startsWith('text/plain')
  const message: ResponseMessage = { status, headers, body: undefined, text: receivedText }
  if (known) message.form = receivedForm
  await runSteps(exchange, 'response', plan.response.errors, message, body.length)
  addLossHeader(headers, exchange)
  if (message.status < 400) return success(exchange, message)
  const keepsForm = receivedForm === 'text' || !isRecord(asJson(body.toString()))
  if (keepsForm && message.text === receivedText && message.form === (known ? receivedForm : undefined)) {
    // The engine closes the connection here, and the client library of Docker up to 17 waits for that.
    if (!known) exchange.clientResponse.closeAfter()
    return withLength(message.status, headers, body)
  }
  if (message.text === undefined) {
    headers.delete('Content-Type') // an error with an empty body (an unknown container of /copy)
    return withLength(message.status, headers, Buffer.alloc(0))
  }
  headers.delete('X-Content-Type-Options')
  return errorReply(message.status, headers, message.text, message.form ?? receivedForm)
}

/** Build, pull and push: records end as the engines' formatters end them (pkg/streamformatter); most stay unchanged. */
export const isProgress = ({ call }: Exchange): boolean => call.match?.operation.response === 'progress'

/** Engines of the client's version report this error as a success: as one value, or in a stream of progress records. */
function success(exchange: Exchange, { status, headers, body }: ResponseMessage): Finished {
  headers.delete('Content-Type')
  if (body === undefined) return withLength(status, headers, Buffer.alloc(0))
  headers.set('Content-Type', 'application/json')
  if (!isProgress(exchange)) return withLength(status, headers, Buffer.from(`${writeJson(body)}\n`))
  headers.delete('Content-Length')
  const records = [body].flat().map((record) => Buffer.from(`${writeJson(record)}\r\n`))
  return { status, headers, body: Buffer.concat(records), records }
}

/** Operations whose responses have a field for warnings. */
const WITH_WARNINGS: ReadonlySet<string> = new Set<OperationName>(['ContainerCreate', 'ContainerUpdate'])

export const warned = ({ entry }: Exchange): readonly Loss[] =>
  entry.losses.filter(({ outcome }) => outcome === 'warned')

/** Something was lost or emulated that the response itself can report. */
export const answersWithWarnings = (exchange: Exchange): boolean =>
  warned(exchange).length + exchange.entry.notes.length > 0 && WITH_WARNINGS.has(exchange.context.operation)

/** Sends the head of a streamed response. */
export function sendHead(
  { clientResponse, entry, observer }: Pick<Exchange, 'clientResponse' | 'entry' | 'observer'>,
  { status, headers }: Pick<ResponseMessage, 'status' | 'headers'>,
  engine?: StatusLine,
): void {
  entry.recordOpen(status)
  observer?.response('clientResponse', { status, headers })
  clientResponse.head(status, reasonFor(status, engine), headers)
}

/** Shows a complete response to the observer before it is sent. */
export function showFinished({ observer, entry }: Pick<Exchange, 'observer' | 'entry'>, finished: Finished): void {
  entry.setStatus(finished.status)
  entry.bytesOut += finished.body.length
  if (observer === undefined) return
  observer.response('clientResponse', { status: finished.status, headers: finished.headers })
  if (finished.body.length > 0) observer.body('clientResponse', finished.body)
}

/** Sends a complete response. `engine`: the status line of the engine's, if it has one. */
export function send(response: ClientResponse, finished: Finished, engine?: StatusLine): void {
  const { status, headers, body, records = [body] } = finished
  response.head(status, reasonFor(status, engine), headers)
  for (const record of records) response.write(record)
  response.end()
}
