import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import v8 from 'node:v8'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { countHeldBuffers } from '../../src/config/process.ts'

const root = join(import.meta.dirname, '../..')
const arch = process.arch === 'arm64' ? 'arm64' : 'x64'
const node24 = join(root, `bin/runtime-24/node_modules/node24-linux-${arch}/bin/node`)

/**
 * Makes 1 GiB of buffers that nobody keeps beside a heap of some 60 MB, and tells how often that was marked meanwhile. (Beside a
 * small heap V8 marks as often with the flag as without it when the machine is busy.)
 */
const reading = (setting: string): string => `
import { PerformanceObserver, constants } from 'node:perf_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { countHeldBuffers } from ${JSON.stringify(join(root, 'src/config/process.ts'))}
${setting}
const heap = Array.from({ length: 600_000 }, (_, i) => ({ i, text: 'x' + i, list: [i] }))
let marked = 0
new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries()) if (detail.kind !== constants.NODE_PERFORMANCE_GC_MINOR) marked++
}).observe({ entryTypes: ['gc'] })
for (let i = 0; i < 16384; i++) {
  Buffer.allocUnsafeSlow(65536)
  if (i % 8 === 0) await turn()
}
await turn()
if (heap.length > 0) console.log(marked)`

const marked = async (node: string, setting: string): Promise<number> => {
  const { stdout, stderr } = await promisify(execFile)(node, ['--input-type=module', '-e', reading(setting)])
  expect(stderr).toBe('') // V8 says here that it does not know a flag
  return Number(stdout)
}

describe('what V8 is told about buffers', () => {
  afterEach(() => void vi.restoreAllMocks())

  it.each([process.execPath, ...(existsSync(node24) ? [node24] : [])])(
    'halves at least how often %s marks all of its heap while bytes pass',
    async (node) => {
      const without = await marked(node, '')
      expect(without).toBeGreaterThan(4)
      expect(await marked(node, 'countHeldBuffers()')).toBeLessThanOrEqual(without / 2)
    },
    120_000,
  )

  it('is left unsaid where V8 does not know the flag, or does so by itself', () => {
    const set = vi.spyOn(v8, 'setFlagsFromString').mockImplementation(() => undefined)
    for (const version of ['11.3.244.8-node.38', '13.5.1', '14.8.0', '15.0.1', '']) countHeldBuffers(version)
    expect(set).not.toHaveBeenCalled()
    for (const version of ['13.6.233.17-node.53', '14.6.202.34-node.34', '14.0.1']) countHeldBuffers(version)
    expect(set).toHaveBeenCalledTimes(3)
  })
})
