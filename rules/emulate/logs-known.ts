import { ProxyError } from '../../src/api/errors.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'
import { inspectCalled } from './inspect-called.ts'

/** The API of engine 1.7, the only one that answers the logs of an unknown container with 200 and a text. */
const ENGINE_1_7 = 19

/** Inspects the container first, so that the status can report a missing one. */
export async function refuseUnknownContainer(_message: RequestMessage, context: EmulationContext): Promise<void> {
  if (context.engine.highest !== ENGINE_1_7) return
  const { status, error } = await inspectCalled(context)
  if (status === 404) throw new ProxyError('not-found', error)
}
