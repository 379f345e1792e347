import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const MAIN = join(import.meta.dirname, '../../src/main.ts')

it('ends with 1 and says why, where the disk is full', () => {
  const full = openSync('/dev/full', 'w')
  const flags = ['--disable-warning=DEP0060', MAIN, 'version', '--json']
  const { status, stderr } = spawnSync(process.execPath, flags, { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' })
  closeSync(full)
  expect(status).toBe(1)
  expect(stderr).toMatch(/^enginebridge: cannot write the output: ENOSPC: no space left on device.*\n$/)
})
