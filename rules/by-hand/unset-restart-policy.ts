import { isObject, isUnset, memberAt } from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/**
 * From 25.0 on engines keep an unset restart policy as "no". One that an older client left out is told from it by
 * DeviceCgroupRules, an empty list instead of null: both mean the same, and engines keep them as they got them (seen on 26.1, 28.5
 * and 29.8). Below 1.40 a HostConfig, where there is none, would change the default of IpcMode.
 */
export function markUnsetPolicy({ body }: RequestMessage, { client }: StepContext): void {
  if (!isObject(body)) return
  if (client >= 40) body['HostConfig'] ??= {}
  const host = body['HostConfig']
  if (!isObject(host)) return
  if (isUnset(memberAt(host, 'RestartPolicy', 'Name'))) host['DeviceCgroupRules'] ??= []
  else if (isEmptyList(host['DeviceCgroupRules'])) host['DeviceCgroupRules'] = null
}

/** Shows the policy of such a container as it was requested, and the mark as null. */
export function showUnsetPolicy({ body }: ResponseMessage): void {
  const host = memberAt(body, 'HostConfig')
  if (!isObject(host) || !isEmptyList(host['DeviceCgroupRules'])) return
  host['DeviceCgroupRules'] = null
  const policy = host['RestartPolicy']
  if (isObject(policy) && policy['Name'] === 'no') policy['Name'] = ''
}
