import { describe, expect, it } from 'vitest'
import { changes, deviations } from '../../rules/index.ts'
import { type Example, type ExamplePart, examplesOf, stepsOf } from '../../src/translate/change.ts'
import { legsShown } from '../../src/translate/example.ts'
import { type Outcome, runExample } from '../support/example.ts'

/** Members of a message that the example names; a header given as null must be absent. */
function compareParts(part: ExamplePart, after: ExamplePart): void {
  if (after.body !== undefined) expect(part.body).toEqual(after.body)
  if (after.status !== undefined) expect(part.status).toBe(after.status)
  if (after.path !== undefined) expect(part.path).toBe(after.path)
  if (after.method !== undefined) expect(part.method).toBe(after.method)
  if (after.text !== undefined) expect(part.text).toBe(after.text)
  if (after.query !== undefined)
    expect(Object.fromEntries(new URLSearchParams(part.query))).toEqual(
      Object.fromEntries(new URLSearchParams(after.query)),
    )
  for (const [name, value] of Object.entries(after.headers ?? {}))
    expect(part.headers?.[name] ?? null, name).toBe(value)
}

function compare({ part, losses, ignored, calls }: Outcome, example: Example): void {
  const { after, of } = example
  if (after === 'dropped') expect(part).toBe('dropped')
  else if ('refused' in after) expect(part).toEqual({ refused: expect.stringMatching(after.refused) })
  else if ('answered' in after) expect(part).toEqual({ answered: after.answered })
  else {
    if (part === 'dropped' || 'refused' in part || 'answered' in part) expect.fail(`ended with ${JSON.stringify(part)}`)
    compareParts(part, after)
  }
  if (example.losses !== undefined) expect(losses).toEqual(example.losses)
  if (example.ignored !== undefined) expect(ignored).toEqual(example.ignored)
  // A sample has an answer for every row of its op, also for those that do not ask.
  if (of === undefined) expect(calls).toEqual(expect.arrayContaining(Object.keys(example.calls ?? {})))
}

const described = (example: Example): string =>
  JSON.stringify(example, (_name, value) => (value instanceof RegExp ? String(value) : value))

describe.each([...changes, ...deviations].map((rule) => [rule.id, rule] as const))('%s', (_id, rule) => {
  const examples = examplesOf(rule)

  it('turns each before into its after', async () => {
    for (const example of examples) {
      const outcome = await runExample(rule, example)
      try {
        compare(outcome, example)
      } catch (cause) {
        throw new Error(`example ${described(example)}`, { cause })
      }
    }
  })

  it('has an example of each leg that fails without the rule', async () => {
    const legs = new Set(stepsOf(rule).flatMap(({ leg, holdsHead }) => (holdsHead ? [] : [leg])))
    for (const example of examples) {
      const outcome = await runExample(rule, example, { without: true })
      try {
        compare(outcome, example)
      } catch {
        for (const leg of legsShown(example)) legs.delete(leg)
      }
    }
    expect([...legs]).toEqual([])
  })
})
