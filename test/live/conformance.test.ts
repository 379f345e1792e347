import { describe, expect, inject, it } from 'vitest'
import { judge } from '../conformance/judge.ts'
import { enginesFor, hearAll } from '../conformance/run.ts'
import { fewWays } from '../conformance/support/ways.ts'
import { engineScript, startAsRecorded } from './support/engine-script.ts'
import './support/provided.ts'

/**
 * A few ways of `npm run conformance`, which plays the rest and checks that every explanation is needed. It has engines of its
 * own, because lists and events show everything that other tests do on an engine.
 */
const { folder, missing, required } = inject('live')

async function play(): Promise<readonly string[]> {
  const engines = enginesFor(fewWays, folder, 1)
  for (const { name, sockets } of engines) for (const socket of sockets) await startAsRecorded(name, socket)
  const say = (): void => undefined
  const heard = await hearAll({ ways: fewWays, engines, folder, say })
  for (const { sockets } of engines) for (const socket of sockets) await engineScript('down', socket)
  expect(heard).toHaveLength(fewWays.length)
  return judge(heard, 'part').wrong
}

/** The call and the path in its answer: the part of a finding before the two values. */
const about = (finding: string): string => finding.split(': is ', 1)[0] ?? finding

/** The findings of both runs: now and then an answer of a real engine differs by chance; a fault of the bridge shows each time. */
const inBoth = (first: readonly string[], second: readonly string[]): string[] =>
  second.filter((finding) => first.some((other) => about(other) === about(finding)))

describe.skipIf(missing !== undefined && !required)('the scenarios of conformance, through the bridge', () => {
  it('are answered as the engine of the client’s version answers, or as is explained', {
    timeout: 1_200_000,
  }, async () => {
    const first = await play()
    if (first.length === 0) return
    expect(inBoth(first, await play())).toEqual([])
  })
})
