import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { OperationName } from '../api/operations.ts'
import { formatVersion } from '../api/version.ts'
import { errorText, Refusal, renderError } from '../errors.ts'
import { HeaderNames, Headers } from '../translate/headers.ts'
import { isObject, parseJson, writeJson } from '../translate/json.ts'
import type { Loss, ResponseMessage } from '../translate/message.ts'
import type { Carriage, PlainCarriage } from './carriage.ts'
import { finishInParts } from './list-answer.ts'
import type { Asked } from './remembered.ts'
import { bodySteps, runEmulations, runSteps } from './steps.ts'

/** Response headers that belong to the engine's connection (RFC 9110, 7.6.1). */
const NOT_RETURNED = new HeaderNames([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export const returnedHeaders = (raw: readonly string[]): Headers => Headers.fromRaw(raw, NOT_RETURNED)

/** The reason phrase: the engine's own where the status is the engine's own. */
export function reasonFor(status: number, engineStatus: number, engineReason: string): string {
  const usual = STATUS_CODES[status] ?? ''
  const own = status === engineStatus && engineReason !== usual && engineReason !== '' && isFieldText(engineReason)
  return own ? engineReason : usual
}

/** What may stand in a head line (RFC 9112, 4; RFC 9110, 5.5): node refuses anything else, when the engine has acted. */
const isFieldText = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)

/** Says in a header what was lost on the way; the audit record says it too. */
export function addLossHeader(headers: Headers, carriage: Carriage): void {
  if (carriage.entry.losses.length === 0) return
  const losses = warned(carriage)
  // Names of what was lost may hold what the client wrote.
  const plain = (what: string): string => what.replace(/[^\x20-\x7e]/g, '?')
  if (losses.length > 0) headers.set('Enginebridge-Loss', losses.map(({ what }) => plain(what)).join(', '))
}

/** Runs the head steps over the head of a successful answer. */
export function translateHead(carriage: Carriage, status: number, raw: readonly string[]): ResponseMessage {
  const message: ResponseMessage = { status, headers: returnedHeaders(raw), body: undefined }
  runSteps(carriage, 'response', carriage.plan.response.head, message, 0)
  addLossHeader(message.headers, carriage)
  return message
}

/** A finished answer: what goes to the client. */
export interface Finished {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
}

const withLength = (status: number, headers: Headers, body: Buffer): Finished => {
  headers.delete('Content-Length')
  if (status === 204 || status === 304) return { status, headers, body: Buffer.alloc(0) }
  headers.append('Content-Length', String(body.length))
  return { status, headers, body }
}

/** Podman does not say of some errors (a failed pull) that they are JSON, and clients would show the braces. */
function nameJson(headers: Headers, text: string): void {
  if (headers.has('Content-Type') || !text.startsWith('{')) return
  try {
    const value = parseJson(text)
    if (isObject(value) && typeof value['message'] === 'string') headers.set('Content-Type', 'application/json')
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause // no JSON: left as it is
  }
}

/** Translates an error answer: status, text, and the form that the client's version has. */
export async function finishError(
  carriage: Carriage,
  status: number,
  raw: readonly string[],
  body: Buffer,
): Promise<Finished> {
  const { plan } = carriage
  const headers = returnedHeaders(raw)
  nameJson(headers, body.toString())
  const type = headers.get('Content-Type')
  const came = errorText(body.toString(), type)
  const cameAs = type?.startsWith('application/json') ? 'json' : 'text'
  // Attach answers errors as a raw stream (1.12 on): neither form, so that either one is a change.
  const known = type === undefined || cameAs === 'json' || type.startsWith('text/plain')
  const message: ResponseMessage = { status, headers, body: undefined, text: came }
  if (known) message.form = cameAs
  await runEmulations(carriage, 'response', plan.response.errorEmulations, message, body.length)
  runSteps(carriage, 'response', plan.response.errors, message, body.length)
  addLossHeader(headers, carriage)
  if (message.status < 400) {
    headers.delete('Content-Type')
    const success = message.body === undefined ? '' : `${writeJson(message.body)}\n`
    if (success !== '') headers.set('Content-Type', 'application/json')
    return withLength(message.status, headers, Buffer.from(success))
  }
  if (message.text === came && message.form === (known ? cameAs : undefined))
    return withLength(message.status, headers, body)
  if (message.text === undefined) {
    headers.delete('Content-Type') // an error without a word (an unknown container of /copy)
    return withLength(message.status, headers, Buffer.alloc(0))
  }
  const rendered = renderError(message.text, message.form ?? cameAs)
  headers.delete('X-Content-Type-Options')
  for (const [name, value] of Object.entries(rendered.headers)) headers.set(name, value)
  return withLength(message.status, headers, Buffer.from(rendered.body))
}

/** Translates a whole successful answer, at once where it is the one that was translated before. `gone`: nobody waits any more. */
export function finishBody(
  carriage: Carriage,
  status: number,
  raw: readonly string[],
  body: Buffer,
): Finished | Promise<Finished | 'gone'> {
  const { plan, context, answers } = carriage
  const message: ResponseMessage = { status, headers: returnedHeaders(raw), body: undefined }
  if (message.headers.has('Content-Encoding'))
    throw new Refusal('engine-broke-off', 'the engine compressed an answer without being asked')
  const asked = isPlain(carriage) ? { plan, engine: context.engine, url: carriage.call.url } : undefined
  const known = asked === undefined ? undefined : answers.find(asked, body)
  return known === undefined
    ? translateBody(carriage, asked, message, body)
    : finishHead(carriage, message, body, known)
}

/** Of an answer whose body is translated; `came`: as what. */
function finishHead(carriage: Carriage, message: ResponseMessage, came: Buffer, written: Buffer): Finished {
  runSteps(carriage, 'response', carriage.plan.response.head, message, came.length)
  addLossHeader(message.headers, carriage)
  return withLength(message.status, message.headers, written)
}

/** In parts where that can be; else the whole: emulations first, then the steps. */
async function translateBody(
  carriage: Carriage,
  asked: Asked | undefined,
  message: ResponseMessage,
  body: Buffer,
): Promise<Finished | 'gone'> {
  const { plan, context, answers } = carriage
  const { status } = message
  const done = await finishInParts(carriage, asked, message, body)
  if (done === 'gone') return done
  if (done !== undefined) return finishHead(carriage, message, body, done)
  const text = body.toString()
  readInto(message, text)
  const parsed = message.body !== undefined
  await runEmulations(carriage, 'response', plan.response.emulations, message, body.length)
  runSteps(carriage, 'response', plan.response.head, message, body.length)
  const head = message.headers.raw()
  runSteps(carriage, 'response', bodySteps(carriage, body.length), message, body.length)
  addLossHeader(message.headers, carriage)
  if (answersWithWarnings(carriage)) addWarnings(message, carriage)
  if (message.status >= 400) return refuseInBody(message)
  const written = writtenBody(message, parsed, text, body)
  const bodyAlone = message.status === status && same(message.headers.raw(), head)
  if (asked !== undefined && bodyAlone && context.personal === false) answers.keep(asked, { came: body, written })
  return withLength(message.status, message.headers, written)
}

const same = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((text, i) => text === others[i])

/** Whether the translation of the answer can depend on nothing but the question and the engine, and nobody watches it. */
const isPlain = ({ call, plan, context, entry }: Carriage): boolean =>
  call.method === 'GET' &&
  !entry.measures('response') &&
  plan.response.emulations.length === 0 &&
  plan.request.emulations.length === 0 &&
  context.personal === false

function readInto(message: ResponseMessage, text: string): void {
  try {
    if (text !== '') message.body = parseJson(text)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    message.text = text // no single JSON value (the records of an image load, plain text): steps see the text
  }
}

/** `text` and `body`: as it came, and what stays when no step made anything of it. */
function writtenBody(message: ResponseMessage, parsed: boolean, text: string, body: Buffer): Buffer {
  if (message.body !== undefined) return Buffer.from(`${writeJson(message.body)}\n`)
  if (parsed) return Buffer.alloc(0)
  return message.text === undefined || message.text === text ? body : Buffer.from(message.text)
}

/** Operations whose answers have a place for warnings. */
const WITH_WARNINGS: ReadonlySet<string> = new Set<OperationName>(['ContainerCreate', 'ContainerUpdate'])

const warned = ({ entry }: Carriage): readonly Loss[] => entry.losses.filter(({ outcome }) => outcome === 'warned')

/** Whether something was lost that the answer itself can tell the client. */
export const answersWithWarnings = (carriage: Carriage): boolean =>
  carriage.entry.losses.length > 0 && WITH_WARNINGS.has(carriage.context.operation) && warned(carriage).length > 0

/** In the engines' own words for a limit that the kernel lacks (daemon/daemon_unix.go). */
function addWarnings({ body }: ResponseMessage, carriage: Carriage): void {
  if (!isObject(body)) return
  const engine = formatVersion(carriage.context.engine.highest)
  const own = warned(carriage).map(
    ({ what }) => `Your engine does not support ${what} (API ${engine}). ${what} discarded.`,
  )
  body['Warnings'] = [...(Array.isArray(body['Warnings']) ? body['Warnings'] : []), ...own]
}

/** A step turned a success into an error (the error record of an image load). */
function refuseInBody(message: ResponseMessage): Finished {
  const rendered = renderError(message.text ?? '', message.form ?? 'text')
  for (const [name, value] of Object.entries(rendered.headers)) message.headers.set(name, value)
  return withLength(message.status, message.headers, Buffer.from(rendered.body))
}

function flushHead(res: ServerResponse): void {
  if (!res.destroyed && !res.writableEnded) res.flushHeaders()
}

/** Writes the head of an answer that streams, at once. */
export function sendHead(
  { res, entry, tap }: PlainCarriage,
  message: ResponseMessage,
  engine: { readonly status: number; readonly reason: string },
): void {
  const headers = message.headers.flat
  entry.opened(message.status)
  tap?.answer('given', { status: message.status, headers })
  res.writeHead(message.status, reasonFor(message.status, engine.status, engine.reason), headers as string[])
  // At once, but for what came in the same packet: a small answer leaves in one write (measured: a fifth of its cost). Where a
  // length is said the body is on its way: Go's server says one of itself when it has all of it (net/http, cw.writeHeader).
  if (!message.headers.has('Content-Length')) process.nextTick(flushHead, res)
}

/** Shows a whole answer that is about to go to the client. */
export function showFinished({ tap, entry }: Pick<Carriage, 'tap' | 'entry'>, finished: Finished): void {
  entry.answered(finished.status)
  entry.sent(finished.body.length)
  if (tap === undefined) return
  tap.answer('given', { status: finished.status, headers: finished.headers.raw() })
  if (finished.body.length > 0) tap.body('given', finished.body)
}

/** Writes a finished answer over HTTP. */
export function sendFinished(carriage: PlainCarriage, finished: Finished, engineStatus: number, reason: string): void {
  const { res } = carriage
  showFinished(carriage, finished)
  res.writeHead(finished.status, reasonFor(finished.status, engineStatus, reason), finished.headers.raw())
  res.end(finished.body)
}
