import type { BoundChange } from '../../src/translate/change.ts'
import { isObject, type JsonValue, parseJson } from '../../src/translate/json.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'

function decoded(header: string): JsonValue | undefined {
  try {
    return parseJson(Buffer.from(header, 'base64').toString()) // Node reads the URL-safe alphabet as well
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined // the engine's to say
    throw cause
  }
}

export function refuseIdentityToken(
  { headers }: RequestMessage,
  context: StepContext,
  { id, version }: BoundChange,
): void {
  const auth = decoded(headers.get('X-Registry-Auth') ?? '')
  if (isObject(auth) && typeof auth['identitytoken'] === 'string' && auth['identitytoken'] !== '')
    context.lose({ what: 'X-Registry-Auth identitytoken', needs: version, change: id, onLoss: 'refuse' })
}
