import { ProxyError } from '../../src/api/errors.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'

/**
 * Engines up to 1.8 answer the attached start of an unknown exec with 200 and an empty stream, so the exec is inspected
 * first. The start will report other errors.
 */
export async function refuseUnknownExec(_message: RequestMessage, context: EmulationContext): Promise<void> {
  const id = context.call.params['id'] ?? ''
  const { status, error } = await context.engineCall('GET', `/exec/${encodeURIComponent(id)}/json`)
  if (status === 404 && /no such exec/i.test(error)) throw new ProxyError('not-found', error)
}
