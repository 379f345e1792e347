import { Refusal } from '../../api/errors.ts'
import type { JsonValue } from '../../api/json/json.ts'
import { type OperationName, operationNamed } from '../../api/operations.ts'
import { formatVersion } from '../../api/version.ts'
import type { BoundChange, Example, ExamplePart, Leg, Op, PlacedStep } from '../change.ts'
import type { OnLoss, RequestMessage, ResponseMessage, StepContext } from '../message.ts'
import { literally, refusalOf } from './sample.ts'

const list = (operations: OperationName | readonly OperationName[]): readonly OperationName[] =>
  typeof operations === 'string' ? [operations] : operations

/** Go's reading of a boolean parameter: anything but these is true (httputils/form.go:BoolValue). */
export const isTrue = (value: string | null): boolean =>
  value !== null && !['', '0', 'no', 'false', 'none'].includes(value.trim().toLowerCase())

export interface QueryAddedOptions {
  readonly onLoss: OnLoss
  /** A value that says something: examples of each leg are made of it. */
  readonly sample?: string
  /** Values that mean the same as leaving it out. */
  readonly neutral?: readonly string[] | ((value: string, context: StepContext) => boolean)
  /** As of members (AddedOptions): `keep` for what confines. */
  readonly request?: 'drop' | 'keep'
}

/** A query parameter that exists from this version on: earlier engines ignored it. */
export function queryAdded(
  operations: OperationName | readonly OperationName[],
  parameter: string,
  options: QueryAddedOptions,
): Op {
  const what = `query parameter ${parameter}`
  const { neutral = [] } = options
  const isNeutral = typeof neutral === 'function' ? neutral : (value: string) => neutral.includes(value)
  const ignore = (change: BoundChange) => (message: RequestMessage, context: StepContext) => {
    if (!message.query.has(parameter)) return
    message.query.delete(parameter)
    context.ignore(what, change.id)
  }
  const lose = (change: BoundChange) => (message: RequestMessage, context: StepContext) => {
    const value = message.query.get(parameter)
    message.query.delete(parameter)
    if (value === null || value === '' || isNeutral(value, context)) return
    context.lose({ what, needs: change.version, change: change.id, onLoss: options.onLoss })
  }
  const steps = (change: BoundChange): PlacedStep[] =>
    list(operations).flatMap((operation): PlacedStep[] => {
      const step = { operation, part: 'head', kind: 'step' } as const
      const up = { ...step, leg: 'requestUp', stripsNewer: true, run: ignore(change) } as const
      const down = { ...step, leg: 'requestDown', run: lose(change) } as const
      return options.request === 'keep' ? [down] : [up, down]
    })
  const loss = { what, onLoss: [options.onLoss] }
  const keeps = options.request === 'keep' ? { keeps: `${list(operations).join(', ')} ${what}` } : {}
  return {
    words: `${list(operations).join(', ')}: query parameter ${parameter} is new`,
    loss,
    ...keeps,
    steps,
    examples: (change, on) => {
      const operation = on ?? list(operations)[0]
      return operation === undefined ? [] : queryExamples(operation, parameter, options, change)
    },
  }
}

/** The parameter is there, neutral, and empty; another stays. */
function queryExamples(
  on: OperationName,
  parameter: string,
  { sample, neutral = [], onLoss }: QueryAddedOptions,
  change: BoundChange,
): Example[] {
  if (sample === undefined) return []
  const what = `query parameter ${parameter}`
  const before = (value: string): ExamplePart => ({ query: `other=1&${new URLSearchParams({ [parameter]: value })}` })
  const after = { query: 'other=1' }
  const silent = ['', ...(typeof neutral === 'function' ? [] : neutral)]
  return [
    { on, leg: 'requestUp', before: before(sample), after },
    onLoss === 'refuse'
      ? { on, leg: 'requestDown', before: before(sample), after: { refused: refusalOf(what, change) } }
      : { on, leg: 'requestDown', before: before(sample), after, losses: [what] },
    ...silent.map((value): Example => ({ on, leg: 'requestDown', before: before(value), after, losses: [] })),
  ]
}

/** A response header whose value differs; null: it is absent. */
export function responseHeader(
  operations: OperationName | readonly OperationName[],
  header: string,
  options: { before?: string | null; after?: string | null },
): Op {
  const put =
    (value: string | null) =>
    ({ headers }: ResponseMessage): void => {
      if (value === null) headers.delete(header)
      else headers.set(header, value)
    }
  const steps = (): PlacedStep[] =>
    list(operations).flatMap((operation): PlacedStep[] => [
      ...(options.before === undefined
        ? []
        : [{ operation, leg: 'responseDown', part: 'head', kind: 'step', run: put(options.before) } as const]),
      ...(options.after === undefined
        ? []
        : [{ operation, leg: 'responseUp', part: 'head', kind: 'step', run: put(options.after) } as const]),
    ])
  const shown = (leg: Leg, value: string | null | undefined, on = list(operations)[0]): Example[] =>
    value === undefined || on === undefined
      ? []
      : [{ on, leg, before: { headers: { [header]: 'other' } }, after: { headers: { [header]: value } } }]
  return {
    words: `${list(operations).join(', ')}: response header ${header} differs`,
    steps,
    examples: (_change, on) => [
      ...shown('responseDown', options.before, on),
      ...shown('responseUp', options.after, on),
    ],
  }
}

/** A status that differs for the same outcome. `when` looks at an error's text; success statuses have none. */
export function statusChanged(
  operations: OperationName | readonly OperationName[],
  options: {
    before: number
    after: number
    when?: RegExp
    legs?: 'down' | 'up' | 'both'
    /** An error's text that `when` matches. */
    sample?: string
  },
): Op {
  const { before, after, when, legs = 'both', sample } = options
  const swap = (from: number, to: number) => (message: ResponseMessage) => {
    if (message.status !== from || (when !== undefined && !when.test(message.text ?? ''))) return
    message.status = to
    if (from >= 400 && to < 400) delete message.text
  }
  const steps = (): PlacedStep[] =>
    list(operations).flatMap((operation): PlacedStep[] => {
      const down = { operation, leg: 'responseDown', kind: 'step', part: after >= 400 ? 'error' : 'head' } as const
      const up = { operation, leg: 'responseUp', kind: 'step', part: before >= 400 ? 'error' : 'head' } as const
      return [
        ...(legs === 'up' ? [] : [{ ...down, run: swap(after, before) }]),
        ...(legs === 'down' ? [] : [{ ...up, run: swap(before, after) }]),
      ]
    })
  const part = (status: number): ExamplePart => ({ status, ...(status < 400 ? {} : { text: sample ?? 'in words' }) })
  const shown = (leg: Leg, from: number, to: number, on = list(operations)[0]): Example[] => {
    if (on === undefined || (when !== undefined && sample === undefined)) return []
    const other: Example[] = when === undefined ? [] : [unmatched(on, leg, from)]
    return [{ on, leg, before: part(from), after: from < 400 ? { status: to } : part(to) }, ...other]
  }
  return {
    words: `${list(operations).join(', ')}: status ${before} is ${after}`,
    steps,
    examples: (_change, on) => [...shown('responseDown', after, before, on), ...shown('responseUp', before, after, on)],
  }
}

const unmatched = (on: OperationName, leg: Leg, status: number): Example => {
  const part = { status, ...(status < 400 ? {} : { text: 'another error' }) }
  return { on, leg, before: part, after: part }
}

/**
 * An endpoint that exists from this version on. A newer client on an older engine gets `missing`: 501 naming versions, or
 * 404 as the older engine itself would answer. An older client passes through, as on every real engine.
 */
export function endpointAdded(
  operations: OperationName | readonly OperationName[],
  options: { missing: 501 | 404 },
): Op {
  const steps = (change: BoundChange): PlacedStep[] =>
    list(operations).map((operation) => ({
      operation,
      leg: 'requestDown',
      part: 'head',
      kind: 'step',
      run: (_message, context: StepContext) => {
        if (options.missing === 404) throw new Refusal('not-found', 'page not found')
        const { method, path } = operationNamed(operation)
        throw new Refusal(
          'endpoint-missing',
          `${method} ${path} needs API ${formatVersion(change.version)}; this engine has API ${formatVersion(context.engine.highest)}`,
        )
      },
    }))
  const what = list(operations)
    .map((operation) => `${operationNamed(operation).method} ${operationNamed(operation).path}`)
    .join(', ')
  return {
    words: `${list(operations).join(', ')}: new`,
    loss: { what, onLoss: ['refuse'] },
    steps,
    examples: ({ version }, only) =>
      list(operations)
        .filter((on) => only === undefined || on === only)
        .map((on) => {
          const { method, path } = operationNamed(on)
          const needs = `${method} ${path} needs API ${formatVersion(version)};`
          const refused = options.missing === 404 ? /^page not found$/ : new RegExp(`^${literally(needs)}`)
          return { on, leg: 'requestDown', before: {}, after: { refused } }
        }),
  }
}

/** Records that earlier versions did not have: `isNew` decides, an older client does not see them. */
export function recordDropped(
  operation: OperationName,
  words: string,
  isNew: (record: ResponseMessage['body'], context: StepContext) => boolean,
  { drops = [], keeps = [] }: { drops?: readonly JsonValue[]; keeps?: readonly JsonValue[] } = {},
): Op {
  const steps = (): PlacedStep[] => [
    {
      operation,
      leg: 'responseDown',
      part: 'body',
      kind: 'step',
      run: (message, context) => (isNew(message.body, context) ? 'drop' : undefined),
    },
  ]
  const shown = (body: JsonValue, after: Example['after']): Example => ({
    on: operation,
    leg: 'responseDown',
    before: { body },
    after,
  })
  return {
    words: `${operation}: ${words}`,
    steps,
    examples: () => [
      ...drops.map((record) => shown(record, 'dropped')),
      ...keeps.map((record) => shown(record, { body: record })),
    ],
  }
}
