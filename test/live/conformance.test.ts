import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { judge } from '../conformance/judge.ts'
import { hearAll } from '../conformance/run.ts'
import { quickWays } from '../conformance/support/ways.ts'
import { engineScript, startInMemory } from './support/engine-script.ts'
import './support/provided.ts'

/**
 * A selection of `npm run conformance`: the whole scenario, two clients, a few ways. On engines of its own, because lists
 * and events tell of everything that others do on one.
 */
const { folder, missing, required } = inject('live')

describe.skipIf(missing !== undefined && !required)('the scenario of the recordings, through the bridge', () => {
  it('is answered on every way as the old engine answered, or as it is explained', { timeout: 600_000 }, async () => {
    const names = [...new Set(quickWays.map(({ engine }) => engine))]
    const engines = names.map((name) => ({ name, sockets: [join(folder, `conformance-${name}.sock`)] }))
    for (const { name, sockets } of engines) for (const socket of sockets) await startInMemory(name, socket)
    const say = (): void => undefined
    const heard = await hearAll({ ways: quickWays, engines, folder, say })
    for (const { sockets } of engines) for (const socket of sockets) await engineScript('down', socket)
    expect(heard).toHaveLength(quickWays.length)
    expect(judge(heard, false).wrong).toEqual([])
  })
})
