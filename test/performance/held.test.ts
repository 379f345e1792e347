import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FIFTH, hold } from '../../bench/held.ts'
import { cpuSeconds } from '../../bench/programs.ts'

const HELD = join(import.meta.dirname, '..', '..', 'bench', 'held.ts')

/** Where there are none (no Linux, not root, read-only) nothing can be held: the bench says so in its page. */
const NO_GROUPS = 'no control group can be made here'

describe.skipIf(process.platform !== 'linux')('a process held to a fifth of a processor', () => {
  it('gets no more than that until it is released, and then no group is left', async ({ skip }) => {
    const pid = start('for (;;);').pid ?? 0
    const holding = hold([pid], FIFTH)
    if ('impossible' in holding) return skip(`${NO_GROUPS}: ${holding.impossible}`)
    expect(groupsOf(pid)).toContain(`enginebridge-bench-${pid}`)
    const [from, before] = [performance.now(), cpuSeconds({ pid })]
    await sleep(1500)
    const share = (cpuSeconds({ pid }) - before) / ((performance.now() - from) / 1000)
    holding.release()
    expect(share).toBeLessThan(0.3)
    expect(groupsOf(pid)).toBe(groupsOf(process.pid))
    const again = hold([pid], FIFTH)
    expect(again, 'what a group left behind would prevent').toHaveProperty('release')
    if ('release' in again) again.release()
  })

  it('is released when who holds it exits without a word', async ({ skip }) => {
    const pid = start('setInterval(() => undefined, 1000)').pid ?? 0
    const holder = start(`
      import { hold } from ${JSON.stringify(HELD)}
      process.once('SIGTERM', () => process.exit(1))
      setInterval(() => undefined, 1000)
      const holding = hold([${pid}], ${JSON.stringify(FIFTH)})
      console.log(holding.impossible ?? 'held')`)
    const said = String(await once(holder.stdout ?? holder, 'data'))
    if (said.trim() !== 'held') return skip(`${NO_GROUPS}: ${said}`)
    expect(groupsOf(pid)).toContain(`enginebridge-bench-${pid}`)
    holder.kill('SIGTERM')
    await once(holder, 'exit')
    expect(groupsOf(pid)).toBe(groupsOf(process.pid))
  })

  it('leaves the others free, and no group, when one of them has ended', async ({ skip }) => {
    const there = start('setInterval(() => undefined, 1000)').pid ?? 0
    const gone = start('')
    await once(gone, 'exit')
    const holding = hold([there, gone.pid ?? 0], FIFTH)
    if ('impossible' in holding && !holding.impossible.includes('ESRCH')) return skip(NO_GROUPS)
    expect(holding).toHaveProperty('impossible')
    expect(groupsOf(there)).toBe(groupsOf(process.pid))
  })
})

const groupsOf = (pid: number): string => readFileSync(`/proc/${pid}/cgroup`, 'utf8')

function start(program: string): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}
