import { ProxyError } from '../../src/api/errors.ts'
import { isObject } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage, ResponseMessage } from '../../src/translate/message.ts'
import { inspectCalled } from './looked-up.ts'

/** Engine 1.10 answers 204 and loses the name: the container can then be reached only by its id. */
const LOSES_THE_NAME = 22

/** The error of engines up to 1.9: 409 up to 1.8, 500 with another text on 1.9 (recorded on 1.6.2 … 1.9.1, rename-same). */
function conflict(name: string, id: string, context: EmulationContext): { status: number; text: string } {
  const [status, verb] = context.client < 21 ? [409, 'delete'] : [500, 'remove']
  const taken = `The name "${name}" is already in use by container ${id.slice(0, 12)}.`
  const advice = `You have to ${verb} (or rename) that container to be able to reuse that name.`
  return { status, text: `Error when allocating new name: Conflict. ${taken} ${advice}` }
}

async function holderOf(context: EmulationContext): Promise<{ id: string; name: string } | undefined> {
  const { body } = await inspectCalled(context)
  return isObject(body) ? { id: String(body['Id']), name: String(body['Name']).replace(/^\//, '') } : undefined
}

const wantedName = (context: EmulationContext): string => (context.call.query.get('name') ?? '').replace(/^\//, '')

/** Keeps engine 1.10 from losing the name. */
export async function refuseSameName(_message: RequestMessage, context: EmulationContext): Promise<void> {
  const name = wantedName(context)
  if (context.engine.highest !== LOSES_THE_NAME || name === '') return
  const holder = await holderOf(context)
  if (holder?.name !== name) return
  const { status, text } = conflict(name, holder.id, context)
  throw new ProxyError('conflict', text, { status })
}

/** Rewrites the refusal of engines from 1.12 on. */
export async function sayConflict(message: ResponseMessage, context: EmulationContext): Promise<void> {
  if (!message.text?.startsWith('Renaming a container with the same name')) return
  const holder = await holderOf(context)
  if (holder === undefined) return
  const { status, text } = conflict(wantedName(context), holder.id, context)
  message.status = status
  message.text = text
}
