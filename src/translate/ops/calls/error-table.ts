import type { JsonObject, JsonValue } from '../../../api/json/json.ts'
import { isOperationName, type OperationName } from '../../../api/operations.ts'
import type { Example, ExamplePart, Leg } from '../../change.ts'
import { expressionOf, filled, samplesFor } from './text-pattern.ts'

/** One text of an error. Without a status or a text that of the other side stays. */
export class ErrorText {
  readonly status: number | undefined
  readonly text: string | undefined
  /** For clients up to this version. */
  readonly upTo: number
  readonly only: string | undefined
  readonly #flags: string
  #expression: RegExp | undefined

  constructor(line: string, flags: string) {
    const [, minor, only = minor && 'down', status, text = ''] =
      /^(?:(?:1\.(\d+)|(up|down))(?: |$))?(?:(\d{3})(?: |$))?(.*)$/s.exec(line.replaceAll('\\n', '\n')) ?? []
    this.status = status === undefined ? undefined : Number(status)
    this.text = text === '' ? undefined : text
    this.upTo = Number(minor ?? Number.POSITIVE_INFINITY)
    this.only = only
    this.#flags = flags
  }

  /** Made when an error needs it: all of them together take 8 ms of a start. */
  get expression(): RegExp {
    this.#expression ??= expressionOf(this.text ?? '', this.#flags)
    return this.#expression
  }
}

export interface ErrorRow {
  readonly on: readonly OperationName[]
  readonly newer: ErrorText[]
  readonly older: ErrorText[]
}

/** Reads the table of `errorTexts`; throws an Error if an operation does not exist. */
export function readRows(table: string, flags: string): ErrorRow[] {
  const lines = table.split('\n').filter((line) => /^ *[^ #]/.test(line))
  const top = lines[0]?.search(/\S/) ?? 0
  const rows: ErrorRow[] = []
  let on: readonly OperationName[] = []
  for (const line of lines) {
    const depth = (line.search(/\S/) - top) / 2
    const last = rows.at(-1)
    if (depth === 0) on = readNames(line.trim())
    else if (depth > 1) last?.older.push(new ErrorText(line.trim(), flags))
    else if (last?.on === on && last.older.length === 0) last.newer.push(new ErrorText(line.trim(), flags))
    else rows.push({ on, newer: [new ErrorText(line.trim(), flags)], older: [] })
  }
  return rows
}

function readNames(line: string): readonly OperationName[] {
  const names = line.split(' ')
  const unknown = names.find((name) => !isOperationName(name))
  if (unknown !== undefined) throw new Error(`no operation is called ${unknown}`)
  return names.filter(isOperationName)
}

/** A stream, or an answer, that ends with the error. */
export function begun(text: string): JsonValue {
  const [error = '', ...before] = text.split('\n').reverse()
  const record = { errorDetail: { message: error }, error }
  if (before.length > 0) return [...before.reverse().map((status) => ({ status })), record]
  return text === '[]' ? [] : record
}

/** A call of which examples are made, with the values of holes that it fills. */
export interface ErrorSample {
  readonly query?: string
  readonly body?: JsonValue
  readonly values?: Readonly<Record<string, string>>
  readonly container?: JsonObject
}

/** Examples of a row, each text with the values of the sample in its holes. */
export function examplesFor(
  { newer, older }: ErrorRow,
  { values = {}, container, ...asked }: ErrorSample,
  on: OperationName | undefined,
): Example[] {
  const [now] = newer
  if (on === undefined || now === undefined) return []
  const some = samplesFor([...newer, ...older].map(({ text = '' }) => text))
  const textOf = ({ text = '{all}' }: ErrorText): string =>
    filled(text, (hole) => values[hole] ?? (hole === 'all' ? textOf(now) : hole === 'name' ? 'web' : some.get(hole))) ??
    ''
  const call = {
    ...{ on, ...(Object.keys(asked).length > 0 ? { asked } : {}) },
    ...(container === undefined ? {} : { calls: { 'GET /containers/web/json': { body: container } } }),
  }
  const newerError = { status: now.status ?? Math.max(400, older[0]?.status ?? 400), text: textOf(now) }
  return older.flatMap((was): Example[] => {
    const { status = newerError.status } = was
    const text = textOf(was)
    const olderError: ExamplePart = { status, ...(status < 400 ? { body: begun(text) } : { text }) }
    const client = was.upTo === Number.POSITIVE_INFINITY ? {} : { client: `1.${was.upTo}` }
    const example = (leg: Leg, before: ExamplePart, after: ExamplePart) => ({ ...call, ...client, leg, before, after })
    return [
      ...(was.only === 'up' ? [] : [example('responseDown', newerError, olderError)]),
      ...(was.only === undefined || was.only === 'up' ? [example('responseUp', olderError, newerError)] : []),
    ]
  })
}
