import { asJson, isObject, isUnset, type JsonValue } from '../../src/api/json/json.ts'
import { memberNamed } from '../../src/api/json/names.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'

/** Refuses a token in X-Registry-Auth; a header that cannot be read is for the engine to judge. */
export function refuseToken({ headers }: RequestMessage, context: StepContext, change: BoundChange): void {
  const auth = decoded(headers.get('X-Registry-Auth') ?? '')
  if (!isObject(auth)) return
  const name = memberNamed(auth, 'registrytoken')
  if (name === undefined || isUnset(auth[name])) return
  const what = 'registrytoken of X-Registry-Auth'
  context.lose({ what, needs: change.version, change: change.id, onLoss: 'refuse' })
}

/** Either alphabet. */
const decoded = (header: string): JsonValue | undefined => asJson(Buffer.from(header, 'base64').toString())
