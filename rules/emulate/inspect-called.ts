import type { EmulationContext, EngineAnswer } from '../../src/translate/message.ts'

/** Inspects the container that the path of the call names. */
export const inspectCalled = (context: EmulationContext): Promise<EngineAnswer> =>
  context.engineCall('GET', `/containers/${encodeURIComponent(context.call.params['name'] ?? '')}/json`)
