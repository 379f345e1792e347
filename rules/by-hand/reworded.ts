import type { OperationName } from '../../src/api/operations.ts'
import type { Example, Op } from '../../src/translate/change.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { literally } from '../../src/translate/ops/sample.ts'
import { byHand } from '../../src/translate/ops.ts'

/** An error as engines before, or from, a version send it. */
interface Said {
  readonly status: number
  readonly says: RegExp
  /** `$1` is a group of the other side's `says`. */
  readonly text: string | ((found: RegExpExecArray, context: StepContext) => string)
}

/** An error whose status or text changed with a version. */
export interface Reworded {
  readonly on: OperationName | readonly OperationName[]
  readonly before: Said
  readonly after: Said
  /** `down`: the older text also belongs to another error. `up`: the newer text lacks a part of the older one. */
  readonly only?: 'down' | 'up'
  /** The texts of both sides; `query` and `name` of the call if the texts depend on them. */
  readonly sample: { readonly before: string; readonly after: string; readonly query?: string; readonly name?: string }
}

/** A part that both texts have: a regular expression without groups, and a match of it. */
type Part = readonly [like: string, sample: string]

const textOf = (words: string): string => words.slice('404 '.length)
const partsOf = (words: string): readonly string[] => [...words.matchAll(/\$(\d)/g)].map(([, part = '']) => part)

function side(own: string, other: string, parts: readonly Part[]): Said {
  const likeOf = (part: string): string => `(${parts[Number(part) - 1]?.[0]})`
  const given = partsOf(other)
  return {
    status: Number.parseInt(own, 10),
    says: new RegExp(`^${literally(textOf(own)).replaceAll(/\\\$(\d)/g, (_, part: string) => likeOf(part))}$`),
    text: (found) => textOf(own).replaceAll(/\$(\d)/g, (_, part: string) => found[given.indexOf(part) + 1] ?? ''),
  }
}

/** An error whose texts have the same parts, `$1` and so on: `400 Invalid signal: $1`. */
export function inWords(on: Reworded['on'], before: string, after: string, parts: readonly Part[] = []): Reworded {
  const sampleOf = (words: string): string =>
    textOf(words).replaceAll(/\$(\d)/g, (_, part: string) => parts[Number(part) - 1]?.[1] ?? '')
  return {
    on,
    before: side(before, after, parts),
    after: side(after, before, parts),
    sample: { before: sampleOf(before), after: sampleOf(after) },
  }
}

function reword(message: ResponseMessage, context: StepContext, from: Said, to: Said): void {
  if (message.status !== from.status) return
  const found = from.says.exec(message.text ?? '')
  if (found === null) return
  message.status = to.status
  if ((message.text ?? '') === '') message.form = 'json' // a response without a body has no form
  message.text =
    typeof to.text === 'function'
      ? to.text(found, context)
      : to.text.replaceAll(/\$(\d)/g, (_, group: string) => found[Number(group)] ?? '')
}

const operationsOf = ({ on }: Reworded): readonly OperationName[] => (typeof on === 'string' ? [on] : on)

export const reworded = (rows: readonly Reworded[]): Op[] =>
  rows.map((row) =>
    byHand(row.on, `an error is ${row.after.status}: ${row.sample.after}`, {
      part: 'error',
      profile: 'engine',
      ...(row.only === 'up'
        ? {}
        : { responseDown: (message, context) => reword(message, context, row.after, row.before) }),
      ...(row.only === 'down'
        ? {}
        : { responseUp: (message, context) => reword(message, context, row.before, row.after) }),
    }),
  )

export const rewordedExamples = (rows: readonly Reworded[]): Example[] =>
  rows.flatMap((row) => {
    const { query, name } = row.sample
    const asked = {
      ...(query === undefined ? {} : { asked: { query } }),
      ...(name === undefined ? {} : { params: { name } }),
    }
    const older = { status: row.before.status, text: row.sample.before }
    const newer = { status: row.after.status, text: row.sample.after }
    return operationsOf(row).flatMap((on): Example[] => [
      ...(row.only === 'up' ? [] : [{ on, leg: 'responseDown', ...asked, before: newer, after: older } as const]),
      ...(row.only === 'down' ? [] : [{ on, leg: 'responseUp', ...asked, before: older, after: newer } as const]),
    ])
  })
