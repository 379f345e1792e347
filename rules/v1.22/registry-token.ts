import { isObject, isUnset } from '../../src/api/json/json.ts'
import { memberNamed } from '../../src/api/json/names.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { fromBase64 } from '../by-hand/registry-config.ts'

/** Refuses a token in X-Registry-Auth; the engine reports an invalid header. */
export function refuseToken({ headers }: RequestMessage, context: StepContext, change: BoundChange): void {
  const auth = fromBase64(headers.get('X-Registry-Auth') ?? '')
  if (!isObject(auth)) return
  const name = memberNamed(auth, 'registrytoken')
  if (name === undefined || isUnset(auth[name])) return
  const what = 'registrytoken of X-Registry-Auth'
  context.lose({ what, needs: change.version, change: change.id, onLoss: 'refuse' })
}
