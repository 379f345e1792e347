import { isObject, type JsonObject, type JsonValue } from '../../../api/json/json.ts'
import type { OperationName } from '../../../api/operations.ts'
import type { BoundChange, Op } from '../../change.ts'
import type { ExampleRow } from '../../example.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../message.ts'
import { byHand, type Operations } from '../by-hand.ts'
import { type Filters, readFilters, takeFilter } from './filter-values.ts'

type Fits = (element: JsonObject) => boolean
type FitsByKey = Readonly<Record<string, (value: string, element: JsonObject) => boolean>>

export interface FilterAppliedOptions {
  /** Whether an element has a value, by filter; or a function, called once per call, for all filters together. */
  readonly keeps: FitsByKey | ((filters: Filters) => Fits)
  /** The member that holds the list; by default the body is one. */
  readonly member?: string
  /** Refuses filters that engines refuse, or that cannot be applied here. */
  readonly checks?: (filters: Filters, context: StepContext, change: BoundChange) => void
  /** Which filters are refused, in words. */
  readonly refuses?: string
  /** The answer is a stream of records. */
  readonly records?: true
  /** Whose filters: those of older clients, where newer engines read them otherwise; by default of newer ones. */
  readonly of?: 'older' | 'newer'
  /** A filter without values selects nothing; by default it is ignored. */
  readonly evenEmpty?: true
  readonly samples: readonly { readonly asks: string; readonly keeps: JsonObject; readonly drops: JsonObject }[]
}

/** Number of filters still to be applied to the response before the limit counts. */
const PENDING = 'filters.pending'

/**
 * Filters that older engines do not have: they are removed from a newer client's request and applied to the response. A limit
 * counts the remaining elements (and shows stopped containers as well), so it is removed and applied, too.
 */
export function filterApplied(operations: Operations, keys: readonly string[], options: FilterAppliedOptions): Op {
  const { member, checks, refuses, records, of = 'newer', evenEmpty = false, samples } = options
  const keeps = typeof options.keeps === 'function' ? options.keeps : hasEach(options.keeps)
  const [asks, answers] =
    of === 'newer' ? (['requestDown', 'responseUp'] as const) : (['requestUp', 'responseDown'] as const)
  const wanted = (query: URLSearchParams): Filters | undefined => {
    const filters = new Map([...readFilters(query)].filter(([, values]) => evenEmpty || values.length > 0))
    return keys.some((key) => filters.has(key)) ? filters : undefined
  }
  const ask = ({ query }: RequestMessage, context: StepContext, change: BoundChange): void => {
    const filters = wanted(query)
    for (const key of keys) takeFilter(query, key)
    if (filters === undefined) return
    checks?.(filters, context, change)
    context.memory.set(PENDING, pending(context) + 1)
    if (limitOf(query, context) === undefined) return
    query.delete('limit')
    query.set('all', '1')
  }
  /** The records of a stream share what its call asks for. */
  const fitting = new WeakMap<object, { readonly fits: Fits | undefined }>()
  const fitsIn = ({ call }: StepContext): Fits | undefined => {
    let known = fitting.get(call)
    if (known === undefined) {
      const filters = wanted(call.query)
      known = { fits: filters && keeps(filters) }
      fitting.set(call, known)
    }
    return known.fits
  }
  const answer = (message: ResponseMessage, context: StepContext): 'drop' | undefined => {
    const fits = fitsIn(context)
    const { body } = message
    if (fits === undefined) return undefined
    if (records) return isObject(body) && !fits(body) ? 'drop' : undefined
    const left = pending(context) - 1
    context.memory.set(PENDING, left)
    const limit = left > 0 ? undefined : limitOf(context.call.query, context)
    const kept = (value: JsonValue | undefined): JsonValue | undefined =>
      Array.isArray(value) ? value.filter((one) => isObject(one) && fits(one)).slice(0, limit) : value
    if (member === undefined) message.body = kept(body)
    else if (isObject(body)) body[member] = kept(body[member])
    return undefined
  }
  const list = (...elements: JsonObject[]) => ({ body: member === undefined ? elements : { [member]: elements } })
  const rowsOf = ({ asks, drops, keeps }: FilterAppliedOptions['samples'][number]): ExampleRow[] => {
    const asked = { asked: `filters=${asks}` }
    return records
      ? [
          [{ body: drops }, 'dropped', asked],
          [{ body: keeps }, { body: keeps }, asked],
        ]
      : [[list(drops, keeps), list(keeps), asked]]
  }
  const others = '"other":["x"]'
  return byHand(
    operations,
    `${keys.map((key) => `filter ${key}`).join(', ')} applied here`,
    {
      part: { [asks]: 'head', [answers]: 'body' },
      ...(refuses === undefined ? {} : { onLoss: 'refuse', loses: refuses, losesOn: 'requestDown' }),
      ...{ [asks]: ask, [answers]: answer },
    },
    () => ({
      [asks]: samples.map(({ asks }): ExampleRow => [`filters={${others},${asks.slice(1)}`, `filters={${others}}`]),
      [answers]: samples.flatMap(rowsOf),
    }),
  )
}

/** Filters of which an element must have all values. */
const ALL_OF = ['label', 'annotation']

/** Whether an element has what each filter asks for. */
const hasEach =
  (fits: FitsByKey) =>
  (filters: Filters): Fits =>
  (element) =>
    Object.entries(fits).every(([key, has]) => {
      const values = filters.get(key)
      const fit = (value: string): boolean => has(value, element)
      return values === undefined || (ALL_OF.includes(key) ? values.every(fit) : values.some(fit))
    })

const pending = ({ memory }: StepContext): number => Number(memory.get(PENDING) ?? 0)

const LIMITED: readonly OperationName[] = ['ContainerList', 'ContainerListPs']

/** The limit of a list of containers; 0 and negative numbers mean none. */
export function limitOf(query: URLSearchParams, { operation }: StepContext): number | undefined {
  const limit = LIMITED.includes(operation) ? Number(query.get('limit') ?? 0) : 0
  return limit > 0 ? limit : undefined
}

/** `key` or `key=value`, as labels are asked for. */
export function hasLabel(labels: JsonValue | undefined, wanted: string): boolean {
  const [key = '', ...value] = wanted.split('=')
  if (!isObject(labels) || !Object.hasOwn(labels, key)) return false
  return value.length === 0 || labels[key] === value.join('=')
}
