import { isOperationName } from '../api/operations.ts'
import type { ApiVersion } from '../api/version.ts'
import { type BoundChange, bindChange, type Changes, examplesOf, type Leg, type PlacedStep, stepsOf } from './change.ts'
import { legsShown, listed, provesNothing } from './example.ts'

/** Invalid rules. Lists every problem with its place. */
export class BadRules extends Error {
  override readonly name = 'BadRules'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`the rules are not sound:\n${problems.map((problem) => `- ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** Set by the bundler for rules that it has proven (packaging/rules.ts): a start of the built program does without. */
declare const RULES_ARE_PROVEN: true | undefined
const areProven = typeof RULES_ARE_PROVEN !== 'undefined'

export interface RulesFile {
  readonly version: ApiVersion
  readonly changes: Changes | readonly Changes[]
}

/**
 * Binds the rules in the order of their versions. Rejects unknown operations, duplicate ids, ids of another version,
 * changes with a leg without an example, examples for a missing leg, and changes without effect.
 */
export function bindRules(files: readonly RulesFile[]): readonly BoundChange[] {
  const inOrder = files.toSorted((a, b) => a.version - b.version)
  const said = inOrder.flatMap(({ version, changes }) =>
    [changes].flat().flatMap((some) => Object.entries(some).map(([id, change]) => ({ id, change, version }))),
  )
  return bindAll(
    said,
    ({ id, change }) => bindChange(id, change),
    (bound, { id, version }) => [
      ...(id.startsWith(`1.${version}/`) ? [] : [`${id}: stands in the file of 1.${version}`]),
      ...stepProblems(bound, stepsOf(bound)),
    ],
  )
}

/** Binds what rules files say. Rejects ids that stand twice, and all problems of what is not proven. */
export function bindAll<Said extends { readonly id: string }, Bound>(
  all: readonly Said[],
  bind: (one: Said) => Bound,
  problemsOf: (bound: Bound, one: Said) => readonly string[],
): readonly Bound[] {
  const problems: string[] = []
  const seen = new Set<string>()
  const bound = all.map((said) => {
    if (seen.has(said.id)) problems.push(`${said.id}: the id stands twice`)
    seen.add(said.id)
    const one = bind(said)
    if (!areProven) problems.push(...problemsOf(one, said))
    return one
  })
  if (problems.length > 0) throw new BadRules(problems)
  return bound
}

/** Problems of a change's steps and examples. */
export function stepProblems(bound: BoundChange, steps: readonly PlacedStep[]): string[] {
  const { id, change } = bound
  const problems: string[] = []
  if (steps.length === 0) problems.push(`${id}: no plan ever uses it; its shape has no place, or its ops no leg`)
  for (const { operation } of steps) {
    if (!isOperationName(operation)) problems.push(`${id}: no operation is called ${operation}`)
  }
  for (const { on, leg } of listed(change.examples)) {
    const has = steps.some((step) => step.operation === on && step.leg === leg)
    if (!has) problems.push(`${id}: an example for ${on} ${leg}, where it does nothing`)
  }
  if (problems.length > 0) return problems
  const unproven = new Set<Leg>(steps.filter(({ holdsHead }) => holdsHead !== true).map(({ leg }) => leg))
  for (const example of examplesOf(bound, { steps })) {
    if (!provesNothing(example)) for (const leg of legsShown(example)) unproven.delete(leg)
  }
  return [...unproven].map((leg) => `${id}: no example of its leg ${leg} that would fail without it`)
}
