import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'

const MAIN = join(import.meta.dirname, '../../src/main.ts')

it('reaches a reader that takes its time whole', async () => {
  const flags = ['--disable-warning=DEP0060', MAIN, 'diff', '1.18', '1.52', '--json']
  const program = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] })
  await sleep(1500) // a pipe holds 64 KiB
  const text = Buffer.concat(await program.stdout.toArray()).toString()
  expect(text.length).toBeGreaterThan(100_000)
  expect(() => JSON.parse(text)).not.toThrow()
}, 30_000)
