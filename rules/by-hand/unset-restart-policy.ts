import { isObject, isUnset, memberAt } from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/**
 * From 25.0 on engines keep an unset restart policy as "no". The bridge marks one that an older client did not set: with an
 * empty list of DeviceCgroupRules instead of null. Both mean the same, and engines keep them as they got them (seen on 26.1, 28.5
 * and 29.8). Below 1.40 no HostConfig is added for it: that would change the default of IpcMode.
 */
export function markUnsetPolicy({ body }: RequestMessage, { client }: StepContext): void {
  if (!isObject(body)) return
  if (client >= 40) body['HostConfig'] ??= {}
  const host = body['HostConfig']
  if (!isObject(host)) return
  if (isUnset(memberAt(host, 'RestartPolicy', 'Name'))) host['DeviceCgroupRules'] ??= []
  else if (isEmptyList(host['DeviceCgroupRules'])) host['DeviceCgroupRules'] = null
}

/** Shows the policy of a marked container as unset, and the mark as null. */
export function showUnsetPolicy({ body }: ResponseMessage): void {
  const host = memberAt(body, 'HostConfig')
  if (!isObject(host) || !isEmptyList(host['DeviceCgroupRules'])) return
  host['DeviceCgroupRules'] = null
  const policy = host['RestartPolicy']
  if (isObject(policy) && policy['Name'] === 'no') policy['Name'] = ''
}
