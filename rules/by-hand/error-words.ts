import { isObject, type JsonValue, objectOf, stringOf } from '../../src/api/json/json.ts'
import type { OperationName } from '../../src/api/operations.ts'
import { apiVersion } from '../../src/api/version.ts'
import { Headers } from '../../src/http/headers.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { builds } from './error-words/builds.ts'
import { containers } from './error-words/containers.ts'
import { create } from './error-words/create.ts'
import { images } from './error-words/images.ts'
import { limits } from './error-words/limits.ts'
import { mounts } from './error-words/mounts.ts'
import { networkModes } from './error-words/network-modes.ts'
import { others } from './error-words/others.ts'
import { volumesNetworks } from './error-words/volumes-networks.ts'
import type { Asked, Worded, Words } from './error-words/words.ts'

/** The first row that matches an error applies. */
export const rows: readonly Words[] = [
  ...limits,
  ...networkModes,
  ...mounts,
  ...create,
  ...containers,
  ...builds,
  ...images,
  ...others,
  ...volumesNetworks,
]

const byOperation = new Map<OperationName, Words[]>()
for (const row of rows)
  for (const operation of typeof row.on === 'string' ? [row.on] : row.on)
    byOperation.set(operation, [...(byOperation.get(operation) ?? []), row])

/** API version of engine 1.13, the first with today's error texts. */
const WORDS_OF_TODAY_FROM = apiVersion(25)

const NOTE = 'errors.asked'

/** Keeps the parts of the request that error texts of older engines name and newer ones do not. */
export function rememberAsked({ body, text }: RequestMessage, { memory }: StepContext): void {
  const asked = objectOf(body)
  const hostConfig = isObject(asked['HostConfig']) ? asked['HostConfig'] : asked
  const bodiless = body === undefined && text === undefined
  const { Binds: binds = null, Memory: limit = null, KernelMemory: kernel = null } = hostConfig
  const { Image: image = null } = asked
  memory.set(NOTE, { Image: image, Binds: binds, Memory: limit, KernelMemory: kernel, bodiless })
}

/** Rewrites an error of a newer engine into that of the client's version. */
export function inOlderWords(message: ResponseMessage, context: StepContext): void {
  for (const { says, when, was, begun } of byOperation.get(context.operation) ?? []) {
    const found = says.exec(message.text ?? '')
    if (found === null || when?.(asked(context), found) === false) continue
    const worded = was.findLast(([upTo]) => upTo >= context.client)
    if (worded !== undefined) reword(message, found, worded, context)
    if (begun !== undefined && message.status < 400 && isObject(message.body))
      message.body = [{ status: begun(asked(context), context.client) }, message.body]
    return
  }
  // A response to HEAD has no text.
  const { status, text = '' } = message
  if (status === 400 && text !== '') message.status = statusByWords(text, context.client)
}

/** Like `inOlderWords`, for an error record of a stream. */
export function streamInOlderWords(message: ResponseMessage, context: StepContext): void {
  const { body, headers } = message
  if (!isObject(body) || typeof body['error'] !== 'string') return
  const error: ResponseMessage = { status: 500, headers, body: undefined, text: body['error'] }
  inOlderWords(error, context)
  const said = isObject(error.body) ? error.body['error'] : error.text
  if (typeof said !== 'string' || said === body['error']) return
  const detail = objectOf(body['errorDetail'])
  message.body = { ...body, errorDetail: { ...detail, message: said }, error: said }
}

/** Like `inOlderWords`, for an error that the bridge sends itself in an engine's words. */
export function olderWords(status: number, text: string, context: StepContext): { status: number; text: string } {
  const message: ResponseMessage = { status, headers: Headers.fromRaw([]), body: undefined, text }
  if (context.client < WORDS_OF_TODAY_FROM) inOlderWords(message, context)
  return { status: message.status, text: message.text ?? text }
}

/**
 * Engines up to 1.12 derive the status from the text (api/server/server.go:httpError @v1.6.2; api/server/httputils:WriteError
 * @v1.9.1, @v1.10.3, errors.go @v1.11.2, @v1.12.6); a row applies from its version on. Other bad requests were server errors.
 */
const STATUS_BY_WORDS: readonly (readonly [RegExp, number, from: number])[] = [
  [/not found/i, 404, 19],
  [/no such/i, 404, 12],
  [/bad parameter/i, 400, 12],
  [/no command/i, 400, 24],
  [/conflict/i, 409, 12],
  [/impossible/i, 406, 12],
  [/wrong login\/password/i, 401, 12],
  [/unauthorized/i, 401, 23],
  [/hasn't been activated/i, 403, 12],
  [/this node/i, 406, 24],
]
const statusByWords = (text: string, client: number): number =>
  STATUS_BY_WORDS.find(([words, , from]) => client >= from && words.test(text))?.[1] ?? 500

function reword(message: ResponseMessage, found: RegExpExecArray, worded: Worded, context: StepContext): void {
  const [, status, text] = worded
  if (status !== undefined) message.status = status
  if (text === undefined) return
  if (Array.isArray(text)) message.body = [...text]
  else message.text = inWords(text, found, context)
  if (message.status >= 400) return
  message.body ??= { errorDetail: { message: message.text ?? '' }, error: message.text ?? '' }
  delete message.text
}

function inWords(text: Exclude<Worded[2], [] | undefined>, found: RegExpExecArray, context: StepContext): string {
  const about = asked(context)
  if (typeof text !== 'string') return text(found, about)
  return text.replaceAll(/\$(\d)|\{name\}/g, (_, group?: string) =>
    group === undefined ? about.name : (found[Number(group)] ?? ''),
  )
}

function asked({ call, memory }: StepContext): Asked {
  const note: JsonValue | undefined = memory.get(NOTE)
  const noted = objectOf(note)
  const binds = Array.isArray(noted['Binds']) ? noted['Binds'].filter((bind) => typeof bind === 'string') : []
  const image = stringOf(noted['Image'])
  const name = call.params['name'] ?? call.params['id'] ?? ''
  const limit = { Memory: numberOf(noted['Memory']), KernelMemory: numberOf(noted['KernelMemory']) }
  return { query: call.query, image, binds, limit, name, bodiless: noted['bodiless'] === true }
}

const numberOf = (limit: JsonValue | undefined): number =>
  typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY
