import { describe, expect, inject, it } from 'vitest'
import { judge } from '../conformance/judge.ts'
import { enginesFor, hearAll } from '../conformance/run.ts'
import { quickWays } from '../conformance/support/ways.ts'
import { engineScript, startInMemory } from './support/engine-script.ts'
import './support/provided.ts'

/**
 * The selection of `npm run conformance` that shows every explanation. On engines of its own, because lists and events tell
 * of everything that others do on one.
 */
const { folder, missing, required } = inject('live')

interface Verdict {
  readonly wrong: readonly string[]
  readonly stale: readonly string[]
}

async function play(): Promise<Verdict> {
  const engines = enginesFor(quickWays, folder, 4)
  for (const { name, sockets } of engines) for (const socket of sockets) await startInMemory(name, socket)
  const say = (): void => undefined
  const heard = await hearAll({ ways: quickWays, engines, folder, say })
  for (const { sockets } of engines) for (const socket of sockets) await engineScript('down', socket)
  expect(heard).toHaveLength(quickWays.length)
  return judge(heard, 'selection')
}

/** Which call, where in its answer: what stands before the two values. */
const about = (finding: string): string => finding.split(': is ', 1)[0] ?? finding

/** What comes again. Of a thousand answers of real engines one is chance now and then; a fault of ours is there each time. */
const inBoth = (first: readonly string[], second: readonly string[]): string[] =>
  second.filter((finding) => first.some((other) => about(other) === about(finding)))

describe.skipIf(missing !== undefined && !required)('the scenarios of conformance, through the bridge', () => {
  it('are answered as the engine of the client’s version answers or as is explained, and every explanation is needed', {
    timeout: 1_200_000,
  }, async () => {
    const first = await play()
    if (first.wrong.length + first.stale.length === 0) return
    const second = await play()
    expect(inBoth(first.wrong, second.wrong)).toEqual([])
    expect(inBoth(first.stale, second.stale)).toEqual([])
  })
})
