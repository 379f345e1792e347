import { ProxyError } from '../../../api/errors.ts'
import { type OperationName, operationNamed } from '../../../api/operations.ts'
import { formatVersion } from '../../../api/version.ts'
import type { BoundChange, Example, ExamplePart, Op, PlacedStep } from '../../change.ts'
import type { OnLoss, RequestMessage, StepContext } from '../../message.ts'
import { list } from '../everywhere.ts'
import { literally, refusalOf } from '../sample.ts'

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

export interface SetOptions {
  /** What an older client's request gets; null: it is taken out. */
  readonly before?: string | null
  /** What a newer client's request gets. */
  readonly after?: string | null
  /** Only where the request has none, or an empty one. */
  readonly ifMissing?: true
}

/** A query parameter that every request gets: its default differs, or the bridge decides it. */
export const querySet = (operation: OperationName, parameter: string, options: SetOptions): Op =>
  setInHead(operation, 'query', parameter, options)

/** A header that every request gets. */
export const requestHeader = (operation: OperationName, header: string, options: SetOptions): Op =>
  setInHead(operation, 'headers', header, options)

function setInHead(on: OperationName, part: 'query' | 'headers', name: string, options: SetOptions): Op {
  const { before, after, ifMissing = false } = options
  const legs = (
    [
      ['requestUp', before],
      ['requestDown', after],
    ] as const
  ).flatMap(([leg, value]) => (value === undefined ? [] : [{ leg, value }]))
  const put = (value: string | null) => (message: RequestMessage) => {
    const there = message[part]
    if (value === null) there.delete(name)
    else if (!ifMissing || (there.get(name) ?? '') === '') there.set(name, value)
  }
  const shown = (value: string | null): ExamplePart =>
    part === 'headers' ? { headers: { [name]: value } } : { query: value === null ? '' : `${name}=${value}` }
  return {
    words: `${on}: ${part === 'query' ? 'query parameter' : 'request header'} ${name} is set`,
    steps: () => legs.map(({ leg, value }) => ({ operation: on, leg, part: 'head', kind: 'step', run: put(value) })),
    examples: () =>
      legs.flatMap(({ leg, value }): Example[] => [
        { on, leg, before: ifMissing ? {} : shown('other'), after: shown(value) },
        ...(ifMissing ? [{ on, leg, before: shown('other'), after: shown('other') }] : []),
      ]),
  }
}

/**
 * An endpoint that exists from this version on. A newer client on an older engine is told the versions, with the status
 * `missing`: 404 where clients look for the one that the older engine itself would give. An older client passes through, as
 * on every real engine.
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
        const { method, path } = operationNamed(operation)
        throw new ProxyError(
          options.missing === 404 ? 'not-found' : 'endpoint-missing',
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
          return { on, leg: 'requestDown', before: {}, after: { refused: new RegExp(`^${literally(needs)}`) } }
        }),
  }
}
