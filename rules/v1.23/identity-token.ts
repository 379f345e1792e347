import { isObject } from '../../src/api/json/json.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { fromBase64 } from '../by-hand/registry-config.ts'

export function refuseIdentityToken(
  { headers }: RequestMessage,
  context: StepContext,
  { id, version }: BoundChange,
): void {
  const auth = fromBase64(headers.get('X-Registry-Auth') ?? '')
  if (isObject(auth) && typeof auth['identitytoken'] === 'string' && auth['identitytoken'] !== '')
    context.lose({ what: 'X-Registry-Auth identitytoken', needs: version, change: id, onLoss: 'refuse' })
}
