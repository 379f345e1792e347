import { describe, expect, it } from 'vitest'
import { changes, deviations } from '../../rules/index.ts'
import type { ExamplePart } from '../../src/translate/change.ts'
import { runExample } from '../support/example.ts'

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

describe.each([...changes, ...deviations].map((change) => [change.id, change] as const))('%s', (_id, bound) => {
  it.each(bound.change.examples.map((example, i) => [`${i + 1}: ${example.on} ${example.leg}`, example] as const))(
    'turns its before into its after, example %s',
    async (_name, example) => {
      const { part, losses } = await runExample(bound, example)
      const { after } = example
      if (after === 'dropped') expect(part).toBe('dropped')
      else if ('refused' in after) expect(part).toEqual({ refused: expect.stringMatching(after.refused) })
      else if ('answered' in after) expect(part).toEqual({ answered: after.answered })
      else {
        if (part === 'dropped' || 'refused' in part || 'answered' in part)
          expect.fail(`ended with ${JSON.stringify(part)}`)
        compareParts(part, after)
      }
      if (example.losses !== undefined) expect(losses).toEqual(example.losses)
    },
  )
})
