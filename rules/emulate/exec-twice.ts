import { ProxyError } from '../../src/api/errors.ts'
import { isObject } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'

/** Execs that were started through this process, the oldest forgotten first. */
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
 * Engine 1.10 shows `ExitCode: null` until an exec has run; before it 0 stands for "not yet" as well, so that there our
 * own memory has to tell a second start, which would kill engine 1.9.
 */
export async function refuseSecondStart(_message: RequestMessage, context: EmulationContext): Promise<void> {
  const id = context.call.params['id'] ?? ''
  const { status, body } = await context.engineCall('GET', `/exec/${encodeURIComponent(id)}/json`)
  if (status !== 200 || !isObject(body)) return // the start's own to report
  const full = typeof body['ID'] === 'string' ? body['ID'] : id
  const code = body['ExitCode']
  const ran = context.engine.highest < 22 ? code !== 0 || started.has(full) : code !== null
  if (body['Running'] === true) throw new ProxyError('conflict', `Error: Exec command ${full} is already running`)
  if (ran) throw new ProxyError('conflict', `Error: Exec command ${full} has already run`)
  remember(full)
}
