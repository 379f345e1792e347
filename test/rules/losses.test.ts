import { describe, expect, it } from 'vitest'
import { changes } from '../../rules/index.ts'
import { type BoundChange, type Example, examplesOf, type RequestLeg } from '../../src/translate/change.ts'
import { runExample } from '../support/example.ts'

/** The loss outcomes that the ops acting on an example's call declare. */
const declared = (change: BoundChange, { on, leg }: Example): Set<string> =>
  new Set(
    change.ops.flatMap((op) => {
      const acts = op.steps(change).some((step) => step.operation === on && step.leg === leg)
      return acts ? (op.loss?.onLoss ?? []) : []
    }),
  )

/** `enginebridge explain` shows the declared losses of ops: an op that loses something must declare it. */
describe.each(changes.map((change) => [change.id, change] as const))('%s', (_id, change) => {
  it('says of its ops what they refuse and what they drop', async () => {
    for (const example of examplesOf(change)) {
      const { code, losses } = await runExample(change, example)
      const says = declared(change, example)
      if (code === 'loss' || code === 'endpoint-missing')
        expect([...says], `${example.on} ${example.leg}`).toContain('refuse')
      if (losses.length > 0) expect(says.has('warn') || says.has('ignore') || says.has('refuse')).toBe(true)
    }
  })

  // doctor, explain, matrix and the page of changes show the declared losses of ops: an op that edits the request in both
  // directions and loses something in only one must declare which.
  it.each(['requestUp', 'requestDown'] as const)('shows in an example what it says is lost by %s', async (leg) => {
    const told = byHandLosses(change, leg)
    if (told.length === 0) return
    const examples = examplesOf(change).filter((example) => example.leg === leg)
    const shown = await Promise.all(examples.map((example) => runExample(change, example)))
    const some = shown.some(({ code, losses }) => code !== undefined || losses.length > 0)
    expect(some, told.join('; ')).toBe(true)
  })
})

/** The losses on one leg that ops declare by hand. Members and parameters are left out: they all lose their values alike. */
const byHandLosses = (change: BoundChange, leg: RequestLeg): string[] =>
  change.ops.flatMap((op) => {
    if (op.loss === undefined || op.adds !== undefined || (op.loss.on ?? leg) !== leg) return []
    if (op.loss.onLoss.every((outcome) => outcome === 'ignore')) return []
    return op.steps(change).some((step) => step.leg === leg && !step.stripsNewer) ? [op.loss.what] : []
  })
