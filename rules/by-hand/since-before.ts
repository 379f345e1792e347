import { isObject } from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { limitOf } from '../../src/translate/ops/calls/applied-filters.ts'
import { editFilters } from '../../src/translate/ops/calls/filter-values.ts'
import { isTrue, parameterAsFilter } from '../../src/translate/ops.ts'
import { LISTS } from './places.ts'

const BOUNDS = ['since', 'before'] as const

/**
 * The parameters since and before as filters, which engines have from 1.10 on; 1.12 dropped the parameters. These also show
 * stopped containers, the filters only with all=1 (daemon/list.go @v1.9.1, @v1.12.6; engine 20.10).
 */
export const sinceBeforeAsFilters = BOUNDS.map((name) => parameterAsFilter(LISTS, name, name, { showsAll: true }))

const ONLY_RUNNING = '1.22/filters-before-since'

/** Turns the filters into parameters, for engines up to 1.9. */
export function sinceBeforeAsParameters({ query }: RequestMessage, context: StepContext): void {
  editFilters(
    query,
    (filters) => {
      const showsStopped = isTrue(query.get('all')) || limitOf(query, context) !== undefined || filters.has('status')
      for (const name of BOUNDS) {
        const value = filters.get(name)?.[0]
        filters.delete(name)
        if (value === undefined) continue
        query.set(name, value)
        if (!showsStopped) context.memory.set(ONLY_RUNNING, true)
      }
    },
    'list',
  )
}

/** Removes stopped containers, which the parameters show and the filters do not. */
export function withoutStopped(message: ResponseMessage, { memory }: StepContext): void {
  if (memory.get(ONLY_RUNNING) !== true || !Array.isArray(message.body)) return
  message.body = message.body.filter((item) => isObject(item) && String(item['Status']).startsWith('Up'))
}
