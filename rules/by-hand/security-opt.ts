import { isObject, type JsonValue } from '../../src/api/json/json.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'

const each = (value: JsonValue, spell: (option: string) => string): JsonValue | undefined =>
  Array.isArray(value) ? value.map((option) => (typeof option === 'string' ? spell(option) : option)) : undefined

/** `label:user:u` as `label=user:u`: only the first colon, and only after a name that engines know. */
export const equalsSeparated = (value: JsonValue): JsonValue | undefined =>
  each(value, (option) => option.replace(/^(label|apparmor|seccomp):/, '$1='))

export const colonSeparated = (value: JsonValue): JsonValue | undefined =>
  each(value, (option) =>
    option === 'disable' ? 'label:disable' : option.replace(/^(label|apparmor|seccomp)=/, '$1:'),
  )

/** An engine up to 1.10 would refuse these words as invalid, without saying what it lacks; seccomp came with 1.10. */
export function refuseNewSecurityOptions(
  { body }: RequestMessage,
  context: StepContext,
  { id, version }: BoundChange,
): void {
  const host = isObject(body) ? body['HostConfig'] : undefined
  const options = isObject(host) ? host['SecurityOpt'] : undefined
  for (const option of Array.isArray(options) ? options : []) {
    const name = typeof option === 'string' ? (option.split(/[=:]/)[0] ?? '') : ''
    if (name === 'no-new-privileges' || (name === 'seccomp' && context.engine.highest < 22))
      context.lose({ what: `HostConfig.SecurityOpt ${name}`, needs: version, change: id, onLoss: 'refuse' })
  }
}
