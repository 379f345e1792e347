import { type ErrorCode, ProxyError } from '../../api/errors.ts'
import type { JsonObject } from '../../api/json/json.ts'
import { type OperationName, operationNamed } from '../../api/operations.ts'
import type { Shape } from '../../api/shapes/shape.ts'
import { type ApiVersion, formatVersion } from '../../api/version.ts'
import { escaped } from '../../config/text.ts'
import type { BoundChange, Example, ExamplePart, Op, RequestLeg } from '../change.ts'
import { examplesAt } from '../example.ts'
import type { OnLoss, RequestMessage, StepContext } from '../message.ts'
import { byHand, list, type Operations } from './by-hand.ts'
import { named, shapeOp } from './everywhere.ts'
import { type Case, exactly, lost } from './sample.ts'

export interface RefusedOptions<Subject, Sample> {
  /** `requestUp`: an older client's requests, which newer engines ignore or read in another way. */
  readonly leg?: RequestLeg
  /** Names the value that the engine cannot honour, or the error; undefined: the call passes. */
  readonly finds: (subject: Subject, context: StepContext) => string | undefined
  /** The finding is the error of engines of the client's version, with this code. By default it names a loss. */
  readonly says?: ErrorCode
  /** The text of the error; default: the finding, with a status if it is not the code's: `500 no such id`. */
  readonly words?: (found: string) => string
  /** By default the loss is refused. */
  readonly onLoss?: OnLoss
  /** The refused value, with its loss or the text of the error. */
  readonly samples: readonly (readonly [
    sample: Sample,
    found: string,
    circumstances?: Pick<Example, 'client' | 'engine' | 'params'>,
  ])[]
  /** A value that passes. */
  readonly stay?: readonly Sample[]
}

/** Objects of a shape that the engine cannot honour, or would not check, as engines of the client's version do. */
export function refusedWhere(shape: Shape, description: string, options: RefusedOptions<JsonObject, JsonObject>): Op {
  const { leg = 'requestDown', says, onLoss = 'refuse' } = options
  const loss = says === undefined || says === 'loss' ? { loss: { what: description, onLoss: [onLoss] } } : {}
  return shapeOp(
    shape,
    { description: `${shape.name}: ${description}`, ...loss },
    (change) => ({ [leg]: refusing(options, change) }),
    (change) => ({ [leg]: rowsOf(options, change) }),
  )
}

/** Calls that engines of the client's version refuse, or the engine would read in another way; samples: queries, or parts of calls. */
export function callRefused(
  operations: Operations,
  description: string,
  { part = 'head', ...options }: RefusedOptions<RequestMessage, ExamplePart | string> & { part?: 'head' | 'body' },
): Op {
  const { leg = 'requestDown', says, onLoss = 'refuse' } = options
  const refuse = (message: RequestMessage, context: StepContext, change: BoundChange): void =>
    refusing(options, change)(message, context)
  const loss = says === undefined || says === 'loss' ? { onLoss } : {}
  return byHand(operations, description, { part, ...loss, [leg]: refuse }, (change) => ({
    [leg]: rowsOf(options, change),
  }))
}

const refusing =
  <Subject>(
    { finds, says, words = String, onLoss = 'refuse' }: RefusedOptions<Subject, unknown>,
    { id, from }: BoundChange,
  ) =>
  (subject: Subject, context: StepContext): void => {
    const found = finds(subject, context)
    if (found === undefined) return
    if (says === undefined) {
      context.lose({ what: found, needs: from, change: id, onLoss })
      return
    }
    throw saying(says, found, words)
  }

/** An error whose text begins with its status if that is not the code's. */
export function saying(code: ErrorCode, found: string, words: (text: string) => string = String): ProxyError {
  const [, status, text = found] = /^(\d{3}) (.*)$/s.exec(found) ?? []
  return new ProxyError(code, words(text), status === undefined ? {} : { status: Number(status) })
}

const rowsOf = <Sample>(
  { says, words = String, onLoss = 'refuse', samples, stay = [] }: RefusedOptions<never, Sample>,
  { from }: BoundChange,
): Case<Sample>[] => [
  ...samples.map(([sample, found, circumstances = {}]): Case<Sample> => {
    if (says !== undefined) return [sample, exactly(words(found)), circumstances]
    return lost(sample, sample, found, onLoss, { version: from }, circumstances)
  }),
  ...stay.map((sample): Case<Sample> => [sample]),
]

/**
 * Values of a member that exist from this version on; `container:…` is every value that begins so. A newer client's request
 * with one is refused on an older engine, in the `words` of that engine where they are given.
 */
export function valueAdded(
  shape: Shape,
  member: string,
  values: readonly string[],
  { words }: { readonly words?: (value: string) => string } = {},
): Op {
  const nameOf = (value: string): string => `${named(shape, member)} ${value}`
  const foundIn = (value: string): string => (words === undefined ? nameOf(value) : value)
  const isOf = (value: string, wanted: string): boolean =>
    wanted.endsWith('…') ? value.startsWith(wanted.slice(0, -1)) : value === wanted
  const what = values.map(nameOf).join(', ')
  const op = refusedWhere(shape, what, {
    ...(words === undefined ? {} : { says: 'loss', words }),
    finds: ({ [member]: value }) => {
      const found = typeof value === 'string' ? values.find((wanted) => isOf(value, wanted)) : undefined
      return found && foundIn(found)
    },
    samples: values.map((value) => [{ [member]: value.replace('…', 'x') }, foundIn(value)]),
    stay: [{ [member]: 'other' }],
  })
  return { ...op, description: `${what}: new` }
}

/**
 * An endpoint that exists from this version on. A newer client on an older engine is told the versions, with the status
 * `missing`: 404 where clients look for the one that the older engine itself would give. An older client passes through, as
 * on every real engine.
 */
export function endpointAdded(operations: Operations, { missing }: { missing: 501 | 404 }): Op {
  const called = (operation: OperationName): string => {
    const { method, path } = operationNamed(operation)
    return `${method} ${path}`
  }
  const names = list(operations)
  const refusal = (operation: OperationName, version: ApiVersion): string =>
    `${called(operation)} needs API ${formatVersion(version)};`
  return {
    ...byHand(names, 'new', {
      ...{ part: 'head', onLoss: 'refuse', loses: names.map(called).join(', ') },
      requestDown: (_message, { operation, engine }, { version }) => {
        const text = `${refusal(operation, version)} this engine has API ${formatVersion(engine.highest)}`
        throw new ProxyError(missing === 404 ? 'not-found' : 'endpoint-missing', text)
      },
    }),
    examples: ({ version }, only) =>
      names
        .filter((on) => only === undefined || on === only)
        .flatMap((on) => {
          const refused = new RegExp(`^${escaped(refusal(on, version))}`)
          return examplesAt(on, 'requestDown', undefined, [[{}, refused]])
        }),
  }
}
