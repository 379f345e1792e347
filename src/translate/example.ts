import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '../api/json/json.ts'
import { type OperationName, operationNamed } from '../api/operations.ts'

/** `Up`: from the older version to the newer. */
export type Leg = 'requestUp' | 'responseDown' | 'requestDown' | 'responseUp'

/** The parts of a message that an example shows; only those given are compared. */
export interface ExamplePart {
  readonly body?: JsonValue
  readonly query?: string
  readonly path?: string
  readonly method?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | null>>
  /** The text of an error. */
  readonly text?: string
}

/**
 * `dropped`: the record is removed. `refused`: the call fails with a matching message. `answered`: the engine is not
 * called.
 */
export type ExampleOutcome = ExamplePart | 'dropped' | { readonly refused: RegExp } | { readonly answered: number }

interface Circumstances {
  /** The client's version; default: adjacent to the change's version. */
  readonly client?: string
  /** The engine's highest version; default: adjacent to the change's version. */
  readonly engine?: string
  /** Path parameters of the call. */
  readonly params?: Readonly<Record<string, string>>
  /** Responses to the calls of an emulation: `GET /containers/x/json` → status and body. */
  readonly calls?: Readonly<Record<string, { readonly status?: number; readonly body?: JsonValue }>>
  /** Names of the expected losses. */
  readonly losses?: readonly string[]
  readonly profile?: 'engine' | 'spec'
  /** For a response: the request that caused it. Its own leg runs first and is then covered by the example too. */
  readonly asked?: ExamplePart
  /** Names of the members expected to be ignored. */
  readonly ignored?: readonly string[]
}

export interface Example extends Circumstances {
  readonly on: OperationName
  readonly leg: Leg
  readonly before: ExamplePart
  readonly after: ExampleOutcome
  /** The op whose sample generated it; the example covers only that op. */
  readonly of?: object
}

/** A part of a message; text is a query. */
type Part = ExamplePart | string

/** Before and after; a RegExp: the call is refused in such words. */
export type ExampleRow = readonly [
  before: Part,
  after: Part | Exclude<ExampleOutcome, ExamplePart> | RegExp,
  circumstances?: Omit<Circumstances, 'asked'> & { readonly asked?: Part },
]

/** `{ 'SystemInfo responseUp': [[{ body: {} }, { body: { Debug: true } }]] }` */
export type ExampleTable = { readonly [place in `${OperationName} ${Leg}`]?: readonly ExampleRow[] }

export type Examples = ExampleTable | readonly Example[]

export function listed(examples: Examples = []): readonly Example[] {
  if (isList(examples)) return examples
  return Object.entries(examples).flatMap(([place, rows]) => {
    const [on, leg] = place.split(' ') as [OperationName, Leg]
    return rows.map(([before, after, { asked, ...rest } = {}]) => ({
      on,
      leg,
      before: partOf(before),
      after: outcomeOf(after),
      ...rest,
      ...(asked === undefined ? {} : { asked: partOf(asked) }),
    }))
  })
}

const isList = (examples: Examples): examples is readonly Example[] => Array.isArray(examples)

const partOf = (part: Part): ExamplePart => (typeof part === 'string' ? { query: part } : part)

const outcomeOf = (after: ExampleRow[1]): ExampleOutcome => {
  if (after instanceof RegExp) return { refused: after }
  return after === 'dropped' || typeof after !== 'string' ? after : { query: after }
}

/** The legs that an example covers. */
export const legsShown = ({ leg, asked }: Example): readonly Leg[] =>
  asked === undefined ? [leg] : [leg === 'responseDown' ? 'requestUp' : 'requestDown', leg]

/** The example also passes without the change, so it proves nothing. */
export function provesNothing({ on, before, after, losses = [], ignored = [] }: Example): boolean {
  if (typeof after === 'string' || 'refused' in after || 'answered' in after) return false
  if (losses.length + ignored.length > 0) return false
  const { path, method } = operationNamed(on)
  const untouched: ExamplePart = { path, method, status: 200, ...before }
  return Object.entries(after).every(([part, value]) => {
    if (part === 'query') return isDeepStrictEqual(parameters(value), parameters(before.query))
    if (part !== 'headers') return isDeepStrictEqual(value, untouched[part as keyof ExamplePart])
    return Object.entries(after.headers ?? {}).every(([name, header]) => (before.headers?.[name] ?? null) === header)
  })
}

const parameters = (query: unknown): string[][] => [...new URLSearchParams(String(query ?? ''))].sort()
