import { isObject, type JsonObject, type JsonValue } from '../../../api/json/json.ts'
import type { OperationName } from '../../../api/operations.ts'
import type { BoundChange, Example, Op, PlacedStep } from '../../change.ts'
import type { OnLoss, RequestMessage, ResponseMessage, StepContext } from '../../message.ts'
import { list } from '../everywhere.ts'
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
  const keepBack = (change: BoundChange) => (message: RequestMessage, context: StepContext) => {
    const filters = saying(readFilters(message.query))
    for (const key of keys) takeFilter(message.query, key)
    if (!keys.some((key) => filters.has(key))) return
    checks?.(filters, context, change)
    context.memory.set(PENDING, pending(context) + 1)
    if (limitOf(message.query, context) === undefined) return
    message.query.delete('limit')
    message.query.set('all', '1')
  }
  const apply = (message: ResponseMessage, context: StepContext) => {
    const filters = saying(readFilters(context.call.query))
    if (!keys.some((key) => filters.has(key))) return
    const left = pending(context) - 1
    context.memory.set(PENDING, left)
    const limit = left > 0 ? undefined : limitOf(context.call.query, context)
    const wanted = keeps(filters)
    const kept = (value: JsonValue | undefined): JsonValue | undefined =>
      Array.isArray(value) ? value.filter((one) => isObject(one) && wanted(one)).slice(0, limit) : value
    if (member === undefined) message.body = kept(message.body)
    else if (isObject(message.body)) message.body[member] = kept(message.body[member])
  }
  const steps = (change: BoundChange): PlacedStep[] =>
    list(operations).flatMap((operation): PlacedStep[] => [
      { operation, part: 'head', kind: 'step', leg: 'requestDown', run: keepBack(change) },
      { operation, part: 'body', kind: 'step', leg: 'responseUp', run: apply },
    ])
  const onLoss: readonly OnLoss[] = ['refuse']
  return {
    words: `${list(operations).join(', ')}: ${keys.map((key) => `filter ${key}`).join(', ')} applied here`,
    ...(refuses === undefined ? {} : { loss: { what: refuses, onLoss, on: 'requestDown' } }),
    steps,
    examples: (_change, on = list(operations)[0]) =>
      on === undefined ? [] : samples.flatMap((sample) => examplesOf(sample, member, on)),
  }
}

function examplesOf({ asks, keeps, drops }: Sample, member: string | undefined, on: OperationName): Example[] {
  const body = (elements: JsonObject[]): JsonValue => (member === undefined ? elements : { [member]: elements })
  const others = `filters={"other":["x"],${asks.slice(1)}`
  const [before, after] = [{ body: body([drops, keeps]) }, { body: body([keeps]) }]
  return [
    { on, leg: 'requestDown', before: { query: others }, after: { query: 'filters={"other":["x"]}' } },
    { on, leg: 'responseUp', asked: { query: `filters=${asks}` }, before, after },
  ]
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
