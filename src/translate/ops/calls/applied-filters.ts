import { isObject, type JsonObject, type JsonValue } from '../../../api/json/json.ts'
import type { OperationName } from '../../../api/operations.ts'
import type { BoundChange, Op } from '../../change.ts'
import type { StepContext } from '../../message.ts'
import { byHand, examplesIn } from '../by-hand.ts'
import { type Filters, readFilters, takeFilter } from './filter-values.ts'

interface Sample {
  readonly asks: string
  readonly keeps: JsonObject
  readonly drops: JsonObject
}

export interface FilterAppliedOptions {
  /** Made once a list: whether an element has what the filters ask for. */
  readonly keeps: (filters: Filters) => (element: JsonObject) => boolean
  /** The member that holds the list; by default the body is one. */
  readonly member?: string
  /** Refuses what engines refuse, and what cannot be applied here. */
  readonly checks?: (filters: Filters, context: StepContext, change: BoundChange) => void
  /** Which filters are refused, in words. */
  readonly refuses?: string
  readonly samples: readonly Sample[]
}

/** Number of filters still to be applied to the response before the limit counts. */
const PENDING = 'filters.pending'

/**
 * Filters that older engines do not have: they are kept back from a newer client's request and applied to the answer. A limit
 * counts what they leave (and shows stopped containers as well): it is kept back with them.
 */
export function filterApplied(
  operations: OperationName | readonly OperationName[],
  keys: readonly string[],
  { keeps, member, checks, refuses, samples }: FilterAppliedOptions,
): Op {
  const wanted = (query: URLSearchParams): Filters | undefined => {
    const filters = saying(readFilters(query))
    return keys.some((key) => filters.has(key)) ? filters : undefined
  }
  const op = byHand(operations, `${keys.map((key) => `filter ${key}`).join(', ')} applied here`, {
    part: { requestDown: 'head', responseUp: 'body' },
    ...(refuses === undefined ? {} : { onLoss: 'refuse', loses: refuses, losesOn: 'requestDown' }),
    requestDown: ({ query }, context, change) => {
      const filters = wanted(query)
      for (const key of keys) takeFilter(query, key)
      if (filters === undefined) return
      checks?.(filters, context, change)
      context.memory.set(PENDING, pending(context) + 1)
      if (limitOf(query, context) === undefined) return
      query.delete('limit')
      query.set('all', '1')
    },
    responseUp: (message, context) => {
      const filters = wanted(context.call.query)
      if (filters === undefined) return
      const left = pending(context) - 1
      context.memory.set(PENDING, left)
      const limit = left > 0 ? undefined : limitOf(context.call.query, context)
      const fits = keeps(filters)
      const kept = (value: JsonValue | undefined): JsonValue | undefined =>
        Array.isArray(value) ? value.filter((one) => isObject(one) && fits(one)).slice(0, limit) : value
      if (member === undefined) message.body = kept(message.body)
      else if (isObject(message.body)) message.body[member] = kept(message.body[member])
    },
  })
  const body = (elements: JsonObject[]): JsonValue => (member === undefined ? elements : { [member]: elements })
  const others = '"other":["x"]'
  return {
    ...op,
    examples: examplesIn(operations, () => ({
      requestDown: samples.map(({ asks }) => ({
        before: { query: `filters={${others},${asks.slice(1)}` },
        after: { query: `filters={${others}}` },
      })),
      responseUp: samples.map((sample) => ({
        asked: { query: `filters=${sample.asks}` },
        before: { body: body([sample.drops, sample.keeps]) },
        after: { body: body([sample.keeps]) },
      })),
    })),
  }
}

const pending = ({ memory }: StepContext): number => Number(memory.get(PENDING) ?? 0)

/** A filter without values selects nothing and is ignored. */
const saying = (filters: Filters): Filters => new Map([...filters].filter(([, values]) => values.length > 0))

const LIMITED: readonly OperationName[] = ['ContainerList', 'ContainerListPs']

function limitOf(query: URLSearchParams, { operation }: StepContext): number | undefined {
  const limit = LIMITED.includes(operation) ? Number(query.get('limit') ?? 0) : 0
  return limit > 0 ? limit : undefined
}

/** `key` or `key=value`, as labels are asked for. */
export function hasLabel(labels: JsonValue | undefined, wanted: string): boolean {
  const [key = '', ...value] = wanted.split('=')
  if (!isObject(labels) || !Object.hasOwn(labels, key)) return false
  return value.length === 0 || labels[key] === value.join('=')
}
