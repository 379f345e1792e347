import type { OperationName } from '../../src/api/operations.ts'
import type { ApiVersion } from '../../src/api/version.ts'
import type { Change, Example, ExamplePart, Op } from '../../src/translate/change.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'
import type { ByHand } from '../../src/translate/ops/by-hand.ts'
import { list } from '../../src/translate/ops/by-hand.ts'
import { literally } from '../../src/translate/ops/sample.ts'
import { byHand } from '../../src/translate/ops.ts'

/** An error as engines before, or from, a version send it. */
interface Said {
  /** If absent, every status matches and is kept. */
  readonly status?: number
  readonly says: RegExp
  /** `$1` is a group of the other side's `says`. */
  readonly text: string | ((found: RegExpExecArray, context: StepContext) => string)
}

/** The texts of both sides; the call if they depend on it. */
interface Sample {
  readonly before: string
  readonly after: string
  readonly asked?: ExamplePart
  readonly name?: string
}

/** An error whose status or text changed with a version. */
export interface Reworded {
  readonly on: OperationName | readonly OperationName[]
  readonly before: Said
  readonly after: Said
  /** `down`: the older text also belongs to another error. `up`: the newer text lacks a part of the older one. */
  readonly only?: 'down' | 'up'
  /** For clients from this version on. */
  readonly clientsFrom?: ApiVersion
  /** With either profile; by default not with `spec`. */
  readonly everyProfile?: true
  /** Keep the parts of the request that a text names. */
  readonly notes?: Pick<ByHand, 'requestUp' | 'requestDown'>
  readonly samples: readonly Sample[]
}

/** A part that both texts have: a regular expression without groups, and a match of it. */
type Part = readonly [like: string, sample: string]
const ANYTHING: Part = ['.*', 'x']

/** `404 no such image`; without a status it stays. */
function read(words: string): Pick<Said, 'status'> & { readonly text: string } {
  const [, status, text = words] = /^(\d{3}) (.*)$/s.exec(words) ?? []
  return { text, ...(status === undefined ? {} : { status: Number(status) }) }
}

const partsOf = (words: string): readonly string[] => [...words.matchAll(/\$(\d)/g)].map(([, part = '']) => part)

function side(own: string, other: string, partOf: (part: string) => Part): Said {
  const given = partsOf(other)
  const { text, ...status } = read(own)
  const says = literally(text).replaceAll(/\\\$(\d)/g, (_, part: string) => `(${partOf(part)[0]})`)
  return {
    ...status,
    says: new RegExp(`^${says}$`),
    text: (found) => text.replaceAll(/\$(\d)/g, (_, part: string) => found[given.indexOf(part) + 1] ?? ''),
  }
}

/** An error whose texts have the same parts, `$1` and so on: `400 Invalid signal: $1`. By default a part is any text. */
export function inWords(on: Reworded['on'], before: string, after: string, parts: readonly Part[] = []): Reworded {
  const partOf = (part: string): Part => parts[Number(part) - 1] ?? ANYTHING
  const sampleOf = (words: string): string =>
    read(words).text.replaceAll(/\$(\d)/g, (_, part: string) => partOf(part)[1])
  return {
    on,
    before: side(before, after, partOf),
    after: side(after, before, partOf),
    samples: [{ before: sampleOf(before), after: sampleOf(after) }],
  }
}

/** The newer text lacks a part of the older one. */
export const inWordsUp = (...row: Parameters<typeof inWords>): Reworded => ({ ...inWords(...row), only: 'up' })

/** The older text also belongs to another error. */
export const inWordsDown = (...row: Parameters<typeof inWords>): Reworded => ({ ...inWords(...row), only: 'down' })

function reword(message: ResponseMessage, context: StepContext, from: Said, to: Said): void {
  if (message.status !== (from.status ?? message.status)) return
  const found = from.says.exec(message.text ?? '')
  if (found === null) return
  message.status = to.status ?? message.status
  if ((message.text ?? '') === '') message.form = 'json' // a response without a body has no form
  message.text =
    typeof to.text === 'function'
      ? to.text(found, context)
      : to.text.replaceAll(/\$(\d)/g, (_, group: string) => found[Number(group)] ?? '')
}

const opOf = (row: Reworded): Op => {
  const { on, before, after, only, clientsFrom, notes, samples } = row
  const profile = row.everyProfile === true ? {} : { profile: 'engine' as const }
  const words = byHand(on, ['an error is', after.status ?? '', samples[0]?.after].join(' '), {
    part: 'error',
    ...profile,
    ...(only === 'up'
      ? {}
      : {
          responseDown: (message, context) => {
            if (clientsFrom === undefined || context.client >= clientsFrom) reword(message, context, after, before)
          },
        }),
    ...(only === 'down' ? {} : { responseUp: (message, context) => reword(message, context, before, after) }),
  })
  const noting = byHand(on, 'the request is remembered for the text of an error', { ...profile, ...notes })
  return {
    ...words,
    steps: (change) => [...noting.steps(change), ...words.steps(change)],
    examples: (_change, asked) =>
      list(on)
        .filter((name) => asked === undefined || name === asked)
        .flatMap((name) => samples.flatMap((sample) => examplesOf(name, row, sample))),
  }
}

function examplesOf(on: OperationName, { before, after }: Reworded, { name, asked, ...texts }: Sample): Example[] {
  const call = { ...(asked === undefined ? {} : { asked }), ...(name === undefined ? {} : { params: { name } }) }
  const older = { status: before.status ?? 400, text: texts.before }
  const newer = { status: after.status ?? 400, text: texts.after }
  return [
    { on, leg: 'responseDown', ...call, before: newer, after: older },
    { on, leg: 'responseUp', ...call, before: older, after: newer },
  ]
}

export const reworded = (rows: readonly Reworded[]): Op[] => rows.map(opOf)

/** A change that is nothing but other words. */
export const errorWords = (change: Pick<Change, 'summary' | 'see'>, rows: readonly Reworded[]): Change => ({
  ...change,
  ops: reworded(rows),
})
