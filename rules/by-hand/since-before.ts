import { isObject } from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { limitOf } from '../../src/translate/ops/calls/applied-filters.ts'
import { editFilters, readFilters } from '../../src/translate/ops/calls/filter-values.ts'
import { isTrue, parameterAsFilter } from '../../src/translate/ops.ts'
import { LISTS } from './places.ts'

const BOUNDS = ['since', 'before'] as const

/**
 * The parameters since and before as filters, which engines have from 1.10 on; 1.12 dropped the parameters. These also show
 * stopped containers, the filters only with all=1 (daemon/list.go @v1.9.1, @v1.12.6; engine 20.10).
 */
export const sinceBeforeAsFilters = BOUNDS.map((name) => parameterAsFilter(LISTS, name, name, { showsAll: true }))

/** Turns the filters into parameters, for engines up to 1.9. */
export function sinceBeforeAsParameters({ query }: RequestMessage): void {
  editFilters(
    query,
    (filters) => {
      for (const name of BOUNDS) {
        const value = filters.get(name)?.[0]
        filters.delete(name)
        if (value !== undefined) query.set(name, value)
      }
    },
    'list',
  )
}

/** Removes stopped containers, which the parameters show and the filters do not. */
export function withoutStopped(message: ResponseMessage, context: StepContext): void {
  const { query } = context.call
  const filters = readFilters(query)
  const showsStopped = isTrue(query.get('all')) || limitOf(query, context) !== undefined || filters.has('status')
  const isBounded = BOUNDS.some((name) => filters.get(name)?.[0] !== undefined)
  if (showsStopped || !isBounded || !Array.isArray(message.body)) return
  message.body = message.body.filter((item) => isObject(item) && String(item['Status']).startsWith('Up'))
}
