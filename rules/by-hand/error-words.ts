import { isObject, type JsonValue } from '../../src/api/json/json.ts'
import type { OperationName } from '../../src/api/operations.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { archives } from './error-words/archives.ts'
import { containers } from './error-words/containers.ts'
import { create } from './error-words/create.ts'
import { images } from './error-words/images.ts'
import { volumesNetworks } from './error-words/volumes-networks.ts'
import type { Asked, Worded, Words } from './error-words/words.ts'

const rows: readonly Words[] = [...create, ...containers, ...images, ...archives, ...volumesNetworks]

const byOperation = new Map<OperationName, Words[]>()
for (const row of rows)
  for (const operation of typeof row.on === 'string' ? [row.on] : row.on)
    byOperation.set(operation, [...(byOperation.get(operation) ?? []), row])

/** The operations whose errors engines up to 1.12 put in other words, or under another status. */
export const REWORDED: readonly OperationName[] = [...byOperation.keys()]

const NOTE = 'errors.asked'

/** What a text of older engines names, and newer ones do not. */
export function rememberAsked({ body, text }: RequestMessage, { memory }: StepContext): void {
  const binds = isObject(body) && isObject(body['HostConfig']) ? body['HostConfig']['Binds'] : undefined
  const bodiless = body === undefined && text === undefined
  memory.set(NOTE, { Image: (isObject(body) ? body['Image'] : undefined) ?? null, Binds: binds ?? null, bodiless })
}

/** An error of a newer engine as the engine of the client's version answered it. */
export function inOlderWords(message: ResponseMessage, context: StepContext): void {
  for (const { says, when, was } of byOperation.get(context.operation) ?? []) {
    const found = says.exec(message.text ?? '')
    if (found === null || when?.(asked(context), found) === false) continue
    const worded = was.findLast(([upTo]) => upTo >= context.client)
    if (worded !== undefined) reword(message, found, worded, context)
    return
  }
}

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
  const noted = isObject(note) ? note : {}
  const binds = Array.isArray(noted['Binds']) ? noted['Binds'].filter((bind) => typeof bind === 'string') : []
  const image = typeof noted['Image'] === 'string' ? noted['Image'] : ''
  const name = call.params['name'] ?? call.params['id'] ?? ''
  return { query: call.query, image, binds, name, bodiless: noted['bodiless'] === true }
}
