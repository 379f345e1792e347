import { isObject } from '../../src/api/json/json.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { EmulationContext, ResponseMessage } from '../../src/translate/message.ts'
import { inspectCalled } from './looked-up.ts'

/** Engines 1.11 to 24 name the container by its full id, earlier ones not at all. */
const ID_FROM = apiVersion(23)
/** Engines 25 to 28.1 name it by its own name, newer ones as in the request. */
const OWN_NAME_FROM = apiVersion(44)
const ASKED_NAME_FROM = apiVersion(50)

const NEWER = /^cannot remove container "[^"]*": (container is (\w+)\b.*)$/
const OLDER = /^You cannot remove a (\w+) container \w+\. (?:Unpause and then s|S)top the container before/

const askedName = ({ call }: EmulationContext): string => call.params['name'] ?? ''

async function lookUp(context: EmulationContext, member: 'Id' | 'Name'): Promise<string | undefined> {
  const { body } = await inspectCalled(context)
  const found = isObject(body) ? body[member] : undefined
  return typeof found === 'string' ? found : undefined
}

const byName = (name: string, state: string): string => `cannot remove container "${name}": ${state}`

export async function byId(message: ResponseMessage, context: EmulationContext): Promise<void> {
  const state = NEWER.exec(message.text ?? '')?.[2]
  if (context.client < ID_FROM || state === undefined) return
  const id = await lookUp(context, 'Id')
  if (id === undefined) return
  const stop = state === 'paused' ? 'Unpause and then stop' : 'Stop'
  message.text = `You cannot remove a ${state} container ${id}. ${stop} the container before attempting removal or force remove`
}

export async function byOwnName(message: ResponseMessage, context: EmulationContext): Promise<void> {
  const state = NEWER.exec(message.text ?? '')?.[1]
  if (context.client < OWN_NAME_FROM || state === undefined) return
  message.text = byName((await lookUp(context, 'Name')) ?? askedName(context), state)
}

/** Rewrites the older error with an id into the newer one with a name. */
export async function byNameInsteadOfId(message: ResponseMessage, context: EmulationContext): Promise<void> {
  const state = OLDER.exec(message.text ?? '')?.[1]
  if (state === undefined) return
  const own = context.client < ASKED_NAME_FROM ? await lookUp(context, 'Name') : undefined
  const remedy =
    state === 'paused' ? ' and must be unpaused first' : ': stop the container before removing or force remove'
  message.text = byName(own ?? askedName(context), `container is ${state}${remedy}`)
}

export async function byAskedName(message: ResponseMessage, context: EmulationContext): Promise<void> {
  const state = NEWER.exec(message.text ?? '')?.[1]
  if (state !== undefined) message.text = byName(askedName(context), state)
}
