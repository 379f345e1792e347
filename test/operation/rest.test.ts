import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collect, Rest } from '../../src/rest.ts'
import { eventually } from '../support/client.ts'
import { bridgeProcess } from '../support/processes.ts'

const LOOK_MS = 10_000

describe('memory at rest', () => {
  it('is given back once when a start is over, and not again while nothing happens', () => {
    const rest = new Rest(350)
    expect(rest.look(352, LOOK_MS)).toBe(true)
    rest.collected(420)
    expect(rest.look(421, LOOK_MS)).toBe(false)
    expect(rest.look(520, LOOK_MS)).toBe(false)
  })

  it('is not given back while calls or tunnels keep the processor busy, but when they have ended', () => {
    const rest = new Rest(350)
    rest.collected(350)
    expect(rest.look(1350, LOOK_MS)).toBe(false)
    expect(rest.look(1480, LOOK_MS)).toBe(false)
    expect(rest.look(1500, LOOK_MS)).toBe(true)
  })

  it('is that of objects which nobody holds', async () => {
    const held = { kept: new Array(1000).fill('x') }
    const seen = new WeakRef(held)
    const gone = new WeakRef({ garbage: new Array(1000).fill('x') })
    await new Promise(setImmediate) // what was made in this turn is held until its end
    await collect()
    expect(gone.deref()).toBeUndefined()
    expect(seen.deref()).toBe(held)
    expect(globalThis.gc).toBeUndefined()
  })

  it('is given back by a program that has started and is left alone', { timeout: 360_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'eb-rest-'))
    const socket = join(folder, 'x.sock')
    const bridge = await bridgeProcess(socket, join(folder, 'none.sock'), ['--audit-log', 'off'], undefined, [
      '--trace-gc',
    ])
    try {
      // V8 names it so: the reason that gc() gives.
      await eventually(() => /Mark-Compact .* testing; /.test(bridge.out), 'all garbage was collected', 120_000)
      expect(bridge.alive).toBe(true)
    } finally {
      await bridge.kill()
      rmSync(folder, { recursive: true })
    }
  })
})
