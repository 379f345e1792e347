import { isObject, type JsonObject } from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { editFilters, readFilters } from '../../src/translate/ops/calls/filter-values.ts'

export function takeDriverAndLabel({ query }: RequestMessage): void {
  editFilters(query, (filters) => {
    filters.delete('driver')
    filters.delete('label')
  })
}

/** `key` or `key=value`; networks of engines up to 1.10 have no labels and match none. */
function isLabelled(network: JsonObject, label: string): boolean {
  const labels = isObject(network['Labels']) ? network['Labels'] : {}
  const [key = '', ...value] = label.split('=')
  if (!Object.hasOwn(labels, key)) return false
  return value.length === 0 || labels[key] === value.join('=')
}

export function byDriverAndLabel(message: ResponseMessage, { call }: StepContext): void {
  const filters = readFilters(call.query)
  const drivers = filters.get('driver')
  const labels = filters.get('label') ?? []
  if (!Array.isArray(message.body)) return
  message.body = message.body.filter((network) => {
    if (!isObject(network)) return true
    const driven = drivers === undefined || drivers.includes(String(network['Driver']))
    return driven && labels.every((label) => isLabelled(network, label))
  })
}
