import { describe, expect, it } from 'vitest'
import { changes } from '../../rules/index.ts'
import type { BoundChange, Example } from '../../src/translate/change.ts'
import { runExample } from '../support/example.ts'

/** What the ops that act on an example's call say of losses. */
const declared = (change: BoundChange, { on, leg }: Example): Set<string> =>
  new Set(
    change.change.ops.flatMap((op) => {
      const acts = op.steps(change).some((step) => step.operation === on && step.leg === leg)
      return acts ? (op.loss?.onLoss ?? []) : []
    }),
  )

/** The page of docs/compatibility.md shows what the ops say: an op that loses something must say so. */
describe.each(changes.map((change) => [change.id, change] as const))('%s', (_id, change) => {
  it('says of its ops what they refuse and what they drop', async () => {
    for (const example of change.change.examples) {
      const { code, losses } = await runExample(change, example)
      const says = declared(change, example)
      if (code === 'loss' || code === 'endpoint-missing')
        expect([...says], `${example.on} ${example.leg}`).toContain('refuse')
      if (losses.length > 0) expect(says.has('warn') || says.has('ignore') || says.has('refuse')).toBe(true)
    }
  })
})
