import { isObject, type JsonObject, type JsonValue } from '../../../api/json/json.ts'
import type { OperationName } from '../../../api/operations.ts'
import type { BoundChange, Example, Op } from '../../change.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../message.ts'
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
  /** The answer is a stream of records. */
  readonly records?: true
  /** Whose filters: those of older clients, where newer engines read them otherwise; by default of newer ones. */
  readonly of?: 'older' | 'newer'
  /** A filter without values selects nothing; by default it is ignored. */
  readonly evenEmpty?: true
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
  { keeps, member, checks, refuses, records, of = 'newer', evenEmpty, samples }: FilterAppliedOptions,
): Op {
  const [asks, answers] =
    of === 'newer' ? (['requestDown', 'responseUp'] as const) : (['requestUp', 'responseDown'] as const)
  const wanted = (query: URLSearchParams): Filters | undefined => {
    const filters = evenEmpty === true ? readFilters(query) : saying(readFilters(query))
    return keys.some((key) => filters.has(key)) ? filters : undefined
  }
  /** Of a stream the filters are read once, not for each record. */
  const fitting = new WeakMap<object, (element: JsonObject) => boolean>()
  const fitsIn = (
    call: StepContext['call'],
    filters: () => Filters | undefined,
  ): ((element: JsonObject) => boolean) => {
    const known = fitting.get(call)
    if (known !== undefined) return known
    const found = filters()
    const fits = found === undefined ? () => true : keeps(found)
    fitting.set(call, fits)
    return fits
  }
  const op = byHand(operations, `${keys.map((key) => `filter ${key}`).join(', ')} applied here`, {
    part: { [asks]: 'head', [answers]: 'body' },
    ...(refuses === undefined ? {} : { onLoss: 'refuse', loses: refuses, losesOn: 'requestDown' }),
    [asks]: ({ query }: RequestMessage, context: StepContext, change: BoundChange) => {
      const filters = wanted(query)
      for (const key of keys) takeFilter(query, key)
      if (filters === undefined) return
      checks?.(filters, context, change)
      context.memory.set(PENDING, pending(context) + 1)
      if (limitOf(query, context) === undefined) return
      query.delete('limit')
      query.set('all', '1')
    },
    [answers]: (message: ResponseMessage, context: StepContext) => {
      if (records) {
        const { body } = message
        const fits = fitsIn(context.call, () => wanted(context.call.query))
        return !isObject(body) || fits(body) ? undefined : 'drop'
      }
      const filters = wanted(context.call.query)
      if (filters === undefined) return undefined
      const left = pending(context) - 1
      context.memory.set(PENDING, left)
      const limit = left > 0 ? undefined : limitOf(context.call.query, context)
      const fits = keeps(filters)
      const kept = (value: JsonValue | undefined): JsonValue | undefined =>
        Array.isArray(value) ? value.filter((one) => isObject(one) && fits(one)).slice(0, limit) : value
      if (member === undefined) message.body = kept(message.body)
      else if (isObject(message.body)) message.body[member] = kept(message.body[member])
      return undefined
    },
  })
  const body = (elements: JsonObject[]): JsonValue => (member === undefined ? elements : { [member]: elements })
  const others = '"other":["x"]'
  return {
    ...op,
    examples: examplesIn(operations, () => ({
      [asks]: samples.map((sample) => ({
        before: { query: `filters={${others},${sample.asks.slice(1)}` },
        after: { query: `filters={${others}}` },
      })),
      [answers]: samples.flatMap(({ asks, drops, keeps }): Omit<Example, 'on' | 'leg'>[] => {
        const asked = { query: `filters=${asks}` }
        if (records) {
          return [
            { asked, before: { body: drops }, after: 'dropped' as const },
            { asked, before: { body: keeps }, after: { body: keeps } },
          ]
        }
        return [{ asked, before: { body: body([drops, keeps]) }, after: { body: body([keeps]) } }]
      }),
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
