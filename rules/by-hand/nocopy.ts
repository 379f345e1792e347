import { isObject } from '../../src/api/json/json.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'

/** `src:dst:mode`, the mode a list of words; a Windows drive's colon does no harm, the mode is the last part of three. */
const saysNocopy = (bind: string): boolean => {
  const parts = bind.split(':')
  return parts.length > 2 && (parts.at(-1) ?? '').split(',').includes('nocopy')
}

/** An engine without the word refuses it as an invalid mode (1.7 on) or mounts with the copy (1.6). */
export function refuseNocopy({ body }: RequestMessage, context: StepContext, { id, version }: BoundChange): void {
  const host = isObject(body) ? body['HostConfig'] : undefined
  const binds = isObject(host) ? host['Binds'] : undefined
  if (Array.isArray(binds) && binds.some((bind) => typeof bind === 'string' && saysNocopy(bind)))
    context.lose({ what: 'HostConfig.Binds nocopy', needs: version, change: id, onLoss: 'refuse' })
}
