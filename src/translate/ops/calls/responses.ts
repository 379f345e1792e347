import { type OperationName, operationNames } from '../../../api/operations.ts'
import type { Example, ExamplePart, Leg, Op, PlacedStep } from '../../change.ts'
import type { ResponseMessage } from '../../message.ts'
import { list } from '../everywhere.ts'

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

const TYPES = { text: 'text/plain; charset=utf-8', json: 'application/json' } as const

/** How errors are written before and from this version on. */
export function errorForm(
  operations: readonly OperationName[],
  { before, after }: { before?: 'text' | 'json'; after?: 'text' | 'json' },
): Op {
  const put =
    (form: 'text' | 'json') =>
    (message: ResponseMessage): void => {
      message.form = form
    }
  const sides = [
    ['responseDown', before],
    ['responseUp', after],
  ] as const
  return {
    words: `${operations === operationNames ? 'every operation' : operations.join(', ')}: form of errors`,
    steps: () =>
      operations.flatMap((operation) =>
        sides.flatMap(([leg, form]): PlacedStep[] =>
          form === undefined ? [] : [{ operation, leg, part: 'error', kind: 'step', run: put(form) }],
        ),
      ),
    examples: (_change, on = operations[0]) =>
      sides.flatMap(([leg, form]): Example[] => {
        if (form === undefined || on === undefined) return []
        const error = { status: 404, text: 'No such container: x' }
        return [{ on, leg, before: error, after: { ...error, headers: { 'Content-Type': TYPES[form] } } }]
      }),
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
    if (from < 400 || to >= 400) return
    delete message.text
    message.headers.delete('X-Content-Type-Options') // Go's http.Error sets it
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
