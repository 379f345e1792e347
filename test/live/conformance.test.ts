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

describe.skipIf(missing !== undefined && !required)('the scenarios of conformance, through the bridge', () => {
  it('are answered as the engine of the client’s version answers or as is explained, and every explanation is needed', {
    timeout: 900_000,
    retry: 1, // as every live test: what real engines do at once comes so or so
  }, async () => {
    const engines = enginesFor(quickWays, folder, 4)
    for (const { name, sockets } of engines) for (const socket of sockets) await startInMemory(name, socket)
    const say = (): void => undefined
    const heard = await hearAll({ ways: quickWays, engines, folder, say })
    for (const { sockets } of engines) for (const socket of sockets) await engineScript('down', socket)
    expect(heard).toHaveLength(quickWays.length)
    const { wrong, stale } = judge(heard, 'selection')
    expect(wrong).toEqual([])
    expect(stale).toEqual([])
  })
})
