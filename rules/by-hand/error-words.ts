import type { OperationName } from '../../src/api/operations.ts'
import { isObject, type JsonValue } from '../../src/translate/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { archives } from './error-words/archives.ts'
import { containers } from './error-words/containers.ts'
import { create } from './error-words/create.ts'
import { images } from './error-words/images.ts'
import { volumesNetworks } from './error-words/volumes-networks.ts'
import type { Worded, Words } from './error-words/words.ts'

const rows: readonly Words[] = [...create, ...containers, ...images, ...archives, ...volumesNetworks]

const byOperation = new Map<OperationName, Words[]>()
for (const row of rows)
  for (const operation of typeof row.on === 'string' ? [row.on] : row.on)
    byOperation.set(operation, [...(byOperation.get(operation) ?? []), row])

/** The operations whose errors engines up to 1.12 put in other words, or under another status. */
export const REWORDED: readonly OperationName[] = [...byOperation.keys()]

const NOTE = 'errors.asked'

/** What a text of older engines names, and newer ones do not. */
export function rememberAsked({ body }: RequestMessage, { memory }: StepContext): void {
  const binds = isObject(body) && isObject(body['HostConfig']) ? body['HostConfig']['Binds'] : undefined
  memory.set(NOTE, { Image: (isObject(body) ? body['Image'] : undefined) ?? null, Binds: binds ?? null })
}

/** An error of a newer engine as the engine of the client's version answered it. */
export function inOlderWords(message: ResponseMessage, context: StepContext): void {
  for (const { says, was } of byOperation.get(context.operation) ?? []) {
    const found = says.exec(message.text ?? '')
    if (found === null) continue
    const worded = was.findLast(([upTo]) => upTo >= context.client)
    if (worded !== undefined) reword(message, found, worded, context)
    return
  }
}

function reword(message: ResponseMessage, found: RegExpExecArray, worded: Worded, context: StepContext): void {
  const [, status, text] = worded
  if (status !== undefined) message.status = status
  if (text === undefined) return
  const { params } = context.call
  message.text =
    typeof text === 'string'
      ? text.replaceAll(/\$(\d)|\{name\}/g, (_, group?: string) =>
          group === undefined ? (params['name'] ?? params['id'] ?? '') : (found[Number(group)] ?? ''),
        )
      : text(found, asked(context))
}

function asked({ call, memory }: StepContext): Parameters<Extract<Worded[2], (...args: never) => string>>[1] {
  const note: JsonValue | undefined = memory.get(NOTE)
  const noted = isObject(note) ? note : {}
  const binds = Array.isArray(noted['Binds']) ? noted['Binds'].filter((bind) => typeof bind === 'string') : []
  return { query: call.query, image: typeof noted['Image'] === 'string' ? noted['Image'] : '', binds }
}
