import { isDeepStrictEqual } from 'node:util'
import { operationNamed } from '../api/operations.ts'
import { type BoundChange, examplesOf, type Leg, stepsOf } from './change.ts'
import { type Example, type ExamplePart, legsShown } from './example.ts'

/** Invalid rules. Lists every problem with its place. */
export class BadRules extends Error {
  override readonly name = 'BadRules'

  constructor(problems: readonly string[]) {
    super(`invalid rules:\n${problems.map((problem) => `- ${problem}`).join('\n')}`)
  }
}

/** Set by the bundler, which has proven the rules (packaging/rules.ts), so that the built program starts faster. */
declare const RULES_ARE_PROVEN: true | undefined

/** Returns the rules; throws `BadRules` for a duplicate id, or a leg without an example that would fail without it. */
export function proven(rules: readonly BoundChange[]): readonly BoundChange[] {
  if (typeof RULES_ARE_PROVEN !== 'undefined') return rules
  const ids = rules.map(({ id }) => id)
  const twice = ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `${id}: duplicate id`)
  const problems = [...twice, ...rules.flatMap(unprovenLegs)]
  if (problems.length > 0) throw new BadRules(problems)
  return rules
}

function unprovenLegs(rule: BoundChange): string[] {
  const legs = new Set<Leg>(stepsOf(rule).flatMap(({ leg, holdsHead }) => (holdsHead ? [] : [leg])))
  for (const example of examplesOf(rule))
    if (!provesNothing(example)) for (const leg of legsShown(example)) legs.delete(leg)
  return [...legs].map((leg) => `${rule.id}: no example of its leg ${leg} that would fail without it`)
}

/** The example also passes without the change. */
function provesNothing({ on, before, after, losses = [], ignored = [], calls, of }: Example): boolean {
  if (typeof after === 'string' || 'refused' in after || 'answered' in after) return false
  // An example by hand makes all its calls: test/rules/examples.test.ts.
  if (losses.length + ignored.length > 0 || (calls !== undefined && of === undefined)) return false
  const { path, method } = operationNamed(on)
  const untouched: ExamplePart = { path, method, status: 200, ...before }
  return Object.entries(after).every(([part, value]) => {
    if (part === 'query') return isDeepStrictEqual(parameters(value), parameters(before.query))
    if (part !== 'headers') return isDeepStrictEqual(value, untouched[part as keyof ExamplePart])
    return Object.entries(after.headers ?? {}).every(([name, header]) => (before.headers?.[name] ?? null) === header)
  })
}

const parameters = (query: unknown): string[][] => [...new URLSearchParams(String(query ?? ''))].sort()
