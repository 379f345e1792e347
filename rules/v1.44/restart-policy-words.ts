import { isObject, type JsonValue } from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { hostConfigOf } from '../by-hand/host-config.ts'

/** Errors of restart policies: daemon/container.go up to 24.0, api/types/container/hostconfig.go from 25.0 on. */
const UNKNOWN = "; use one of 'no', 'always', 'on-failure', or 'unless-stopped'"
const NEGATIVE = 'maximum retry count cannot be negative'
const ONLY_ON_FAILURE = "maximum retry count can only be used with 'on-failure'"
const NEWER = /^invalid restart policy: (?:unknown policy '(.*)'; use one of '.*|(maximum retry count .*))$/s
const OLDER =
  /^(?:invalid restart policy '(.*)'|maximum retry count cannot be used with restart policy '(?:.*)'|(maximum retry count cannot be negative))$/s

const NOTE = 'restart-policy'

/** The older text names the requested policy, the newer one does not. */
export function rememberPolicy(message: RequestMessage, context: StepContext): void {
  const policy: JsonValue | undefined = hostConfigOf(message, context)?.['RestartPolicy']
  if (isObject(policy)) context.memory.set(NOTE, policy['Name'] ?? '')
}

export function policyInOlderWords(message: ResponseMessage, { memory }: StepContext): void {
  const [, unknown, count] = NEWER.exec(message.text ?? '') ?? []
  if (unknown !== undefined) message.text = `invalid restart policy '${unknown}'`
  else if (count === NEGATIVE) message.text = NEGATIVE
  else if (count !== undefined)
    message.text = `maximum retry count cannot be used with restart policy '${String(memory.get(NOTE) ?? '')}'`
}

export function policyInNewerWords(message: ResponseMessage): void {
  const found = OLDER.exec(message.text ?? '')
  if (found === null) return
  const [, unknown, negative] = found
  const words = unknown === undefined ? (negative ?? ONLY_ON_FAILURE) : `unknown policy '${unknown}'${UNKNOWN}`
  message.text = `invalid restart policy: ${words}`
}
