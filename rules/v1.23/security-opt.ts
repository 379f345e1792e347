import { type JsonObject, type JsonValue, listOf } from '../../src/api/json/json.ts'
import type { StepContext } from '../../src/translate/message.ts'

const each = (value: JsonValue, spell: (option: string) => string): JsonValue | undefined =>
  Array.isArray(value) ? value.map((option) => (typeof option === 'string' ? spell(option) : option)) : undefined

/** `label:user:u` becomes `label=user:u`: only the first colon, and only after a known name. */
export const equalsSeparated = (value: JsonValue): JsonValue | undefined =>
  each(value, (option) => option.replace(/^(label|apparmor|seccomp):/, '$1='))

export const colonSeparated = (value: JsonValue): JsonValue | undefined =>
  each(value, (option) =>
    option === 'disable' ? 'label:disable' : option.replace(/^(label|apparmor|seccomp)=/, '$1:'),
  )

/** Engines up to 1.10 would refuse these options as invalid, without the reason; seccomp came with 1.10. */
export function newSecurityOption({ SecurityOpt: options }: JsonObject, { engine }: StepContext): string | undefined {
  const names = listOf(options).map((option) => String(option).split(/[=:]/)[0] ?? '')
  const found = names.find((name) => name === 'no-new-privileges' || (name === 'seccomp' && engine.highest < 22))
  return found === undefined ? undefined : `HostConfig.SecurityOpt ${found}`
}
