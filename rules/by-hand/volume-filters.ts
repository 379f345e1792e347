import { isObject, type JsonObject } from '../../src/api/json/json.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { editFilters, readFilters } from '../../src/translate/ops/calls/filter-values.ts'

/**
 * Engines read the filter `name` as a regular expression. Here only its two anchors are known and a dot is a dot: a
 * client's own expression, run with backtracking, could stop the bridge.
 */
const PATTERN = /^(\^?)([^$^()[\]{}*+?|\\]*)(\$?)$/

function matches(pattern: string, name: string): boolean {
  const [, start, text = '', end] = PATTERN.exec(pattern) ?? []
  if (start === '^') return end === '$' ? name === text : name.startsWith(text)
  return end === '$' ? name.endsWith(text) : name.includes(text)
}

export function takeVolumeFilters({ query }: RequestMessage, context: StepContext, change: BoundChange): void {
  const names = readFilters(query).get('name') ?? []
  if (!names.every((pattern) => PATTERN.test(pattern)))
    context.lose({
      what: 'filter name with an expression',
      needs: change.from,
      change: change.id,
      onLoss: 'refuse',
    })
  editFilters(query, (filters) => {
    filters.delete('name')
    filters.delete('driver')
  })
}

/** `query` is the client's own. */
export function filterVolumes(body: JsonObject, query: URLSearchParams): void {
  const filters = readFilters(query)
  const names = filters.get('name')
  const drivers = filters.get('driver')
  if (!Array.isArray(body['Volumes'])) return
  body['Volumes'] = body['Volumes'].filter((volume) => {
    if (!isObject(volume)) return true
    const named = names === undefined || names.some((pattern) => matches(pattern, String(volume['Name'])))
    return named && (drivers === undefined || drivers.includes(String(volume['Driver'])))
  })
}
