import { isUnset } from '../../src/api/json/json.ts'
import { type BoundChange, neighbour } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { hostConfigOf } from '../by-hand/host-config.ts'

/**
 * LxcConf had an effect with the lxc driver only; engines with the native driver refused it (recorded on 1.6.2 … 1.9.1,
 * create-lxcconf). Engine 20.10, which serves these versions, silently ignores it, limits included: so it is dropped with a
 * warning, and refused only if the loss policy is strict. Clients send it empty, as a list of {Key, Value} or as a map.
 */
export function reportLxcConf(message: RequestMessage, context: StepContext, change: BoundChange): void {
  if (isUnset(hostConfigOf(message, context)?.['LxcConf'])) return
  const what = 'HostConfig.LxcConf'
  context.lose({ what, needs: neighbour(change.version), change: change.id, onLoss: 'warn' })
}
