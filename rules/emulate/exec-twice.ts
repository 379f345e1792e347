import { ProxyError } from '../../src/api/errors.ts'
import { isObject } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'

/** Execs that were started through this process; the oldest are dropped first. */
const started = new Set<string>()
const REMEMBERED = 10_000

function remember(id: string): void {
  started.delete(id)
  started.add(id)
  for (const oldest of started) {
    if (started.size <= REMEMBERED) return
    started.delete(oldest)
  }
}

/**
 * Refuses a second start, which would kill engine 1.9. Engine 1.10 shows `ExitCode: null` until an exec has run; older
 * engines show 0, so the bridge has to remember the execs that it started.
 */
export async function refuseSecondStart(_message: RequestMessage, context: EmulationContext): Promise<void> {
  const id = context.call.params['id'] ?? ''
  const { status, body } = await context.engineCall('GET', `/exec/${encodeURIComponent(id)}/json`)
  if (status !== 200 || !isObject(body)) return // the start will report it
  const full = typeof body['ID'] === 'string' ? body['ID'] : id
  const code = body['ExitCode']
  const ran = context.engine.highest < 22 ? code !== 0 || started.has(full) : code !== null
  if (body['Running'] === true) throw new ProxyError('conflict', `Error: Exec command ${full} is already running`)
  if (ran) throw new ProxyError('conflict', `Error: Exec command ${full} has already run`)
  remember(full)
}
