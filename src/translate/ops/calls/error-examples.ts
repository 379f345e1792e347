import type { JsonObject, JsonValue } from '../../../api/json/json.ts'
import type { OperationName } from '../../../api/operations.ts'
import type { Example, ExamplePart, Leg } from '../../change.ts'
import { begun, type ErrorRow, type ErrorText } from './error-table.ts'
import { filled, samplesFor } from './text-pattern.ts'

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
    ...{ on, params: { name: 'web' }, ...(Object.keys(asked).length > 0 ? { asked } : {}) },
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
