import type { JsonValue } from '../api/json/json.ts'
import type { OperationName } from '../api/operations.ts'

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

/** `dropped`: the record is removed. `refused`: the call fails with such a message. `answered`: without the engine. */
export type ExampleOutcome = ExamplePart | 'dropped' | { readonly refused: RegExp } | { readonly answered: number }

interface Circumstances {
  /** The client's version; default: adjacent to the change's version. */
  readonly client?: string
  /** The engine's highest version; default: adjacent to the change's version. */
  readonly engine?: string
  /** Path parameters of the call; default: those of its path, and `web`. */
  readonly params?: Readonly<Record<string, string>>
  /** Responses to the calls of an emulation, all of which an example by hand makes: `GET /containers/x/json` → status and body. */
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

type Outcomes = Exclude<ExampleOutcome, ExamplePart> | RegExp
type Asked = Omit<Circumstances, 'asked'> & { readonly asked?: Part }

/** Before and after; alone: it stays. A RegExp: the call is refused in such words. */
export type Row<T> = readonly [before: T, after?: T | Outcomes, circumstances?: Asked | undefined]

/** A part of a message; text is a query. */
type Part = ExamplePart | string
export type ExampleRow = Row<Part>

type Place = `${OperationName} ${Leg}`

/**
 * `{ 'SystemInfo responseUp': [[{ body: {} }, { body: { Debug: true } }]] }`. With a path, the values at it, in a body that
 * has nothing else: `'ImageList responseDown body.[].Labels': [[null, {}]]`. With `error`, status and text: `'404 no such image'`.
 */
export type ExampleTable = { readonly [place in Place]?: readonly ExampleRow[] } & {
  readonly [place in `${Place} body${string}`]?: readonly Row<JsonValue>[]
} & { readonly [place in `${Place} error`]?: readonly Row<string>[] }

export function listed(examples: ExampleTable = {}): readonly Example[] {
  return Object.entries(examples as Readonly<Record<string, readonly Row<JsonValue>[]>>).flatMap(([place, rows]) => {
    const [on, leg, path] = place.split(' ') as [OperationName, Leg, string?]
    return examplesAt(on, leg, path, rows)
  })
}

/** Examples of one leg; `path`: as in the keys of a table. */
export function examplesAt(
  on: OperationName,
  leg: Leg,
  path: string | undefined,
  rows: readonly Row<JsonValue>[] | readonly ExampleRow[],
): Example[] {
  const part = partAt(path)
  return (rows as readonly Row<JsonValue>[]).map(([before, after = before, { asked, ...rest } = {}]) => ({
    on,
    leg,
    before: part(before),
    after: isOutcome(after) ? outcomeOf(after) : part(after),
    ...rest,
    ...(asked === undefined ? {} : { asked: partOf(asked) }),
  }))
}

const partOf = (part: Part): ExamplePart => (typeof part === 'string' ? { query: part } : part)

/** How the values of a table are read: as parts, as the value at a path of the body, or as errors. */
function partAt(path: string | undefined): (value: JsonValue) => ExamplePart {
  if (path === undefined) return (value) => partOf(value as Part)
  if (path !== 'error') return (value) => ({ body: bodyWith(path.slice('body.'.length), value) })
  return (value) => ({ status: Number.parseInt(String(value), 10), text: String(value).slice('404 '.length) })
}

/** The legs that an example covers. */
export const legsShown = ({ leg, asked }: Example): readonly Leg[] =>
  asked === undefined ? [leg] : [leg === 'responseDown' ? 'requestUp' : 'requestDown', leg]

/** A body with nothing but a value at a path. */
export const bodyWith = (path: string, value: JsonValue): JsonValue =>
  (path === '' ? [] : path.split('.')).reduceRight<JsonValue>((inner, step) => {
    if (step === '[]') return [inner]
    return { [step === '{}' ? 'key' : step]: inner }
  }, value)

const isOutcome = (after: JsonValue | Outcomes): after is Outcomes =>
  after === 'dropped' ||
  after instanceof RegExp ||
  (typeof after === 'object' && after !== null && ('answered' in after || 'refused' in after))

const outcomeOf = (after: Outcomes): ExampleOutcome => (after instanceof RegExp ? { refused: after } : after)
