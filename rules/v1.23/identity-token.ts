import { asJson, isObject, type JsonValue } from '../../src/api/json/json.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'

/** Node reads the URL-safe alphabet as well. */
const decoded = (header: string): JsonValue | undefined => asJson(Buffer.from(header, 'base64').toString())

export function refuseIdentityToken(
  { headers }: RequestMessage,
  context: StepContext,
  { id, version }: BoundChange,
): void {
  const auth = decoded(headers.get('X-Registry-Auth') ?? '')
  if (isObject(auth) && typeof auth['identitytoken'] === 'string' && auth['identitytoken'] !== '')
    context.lose({ what: 'X-Registry-Auth identitytoken', needs: version, change: id, onLoss: 'refuse' })
}
