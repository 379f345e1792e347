import { Refusal } from '../../src/errors.ts'
import { type BoundChange, neighbour } from '../../src/translate/change.ts'
import { isObject, isUnset, type JsonValue } from '../../src/translate/json.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { hostConfigOf } from './host-config.ts'

/** Limits, capabilities and confinement, said in lxc's words: a container must not start without them. */
const PROTECTS = /^lxc\.(cgroup|cap|aa_profile|se_context|seccomp)\b/

/**
 * LxcConf had an effect with the lxc driver only; a native engine refused it in the words used here for a setting that
 * protects (recorded on 1.6.2 … 1.9.1, create-lxcconf). Clients send it empty, as a list of {Key, Value} or as a map.
 */
export function reportLxcConf(message: RequestMessage, context: StepContext, change: BoundChange): void {
  const settings = hostConfigOf(message, context)?.['LxcConf']
  if (isUnset(settings)) return
  if (keysOf(settings).some((key) => PROTECTS.test(key))) {
    throw new Refusal('loss', 'Cannot use --lxc-conf with execdriver: native-0.2', { status: 500 })
  }
  const what = 'HostConfig.LxcConf'
  context.lose({ what, needs: neighbour(change.version), change: change.id, onLoss: 'warn' })
}

function keysOf(settings: JsonValue | undefined): string[] {
  if (Array.isArray(settings)) return settings.map((entry) => (isObject(entry) ? String(entry['Key']) : ''))
  return isObject(settings) ? Object.keys(settings) : []
}
