import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { AuditFile } from '../../src/audit/log/file.ts'

/**
 * When a rotation had moved the file away and no new one could be made (no descriptor or inode was left), records went on into the
 * moved file: audit.log was missing for who reads it, and --audit-keep 0 removed the records.
 */
const folder = mkdtempSync(join(tmpdir(), 'eb-rotate-'))
let unmount: (() => void) | undefined
afterEach(() => {
  unmount?.()
  rmSync(folder, { recursive: true })
})

it('an audit log that cannot be rotated keeps its name', async (context) => {
  try {
    // The folder, the log, and one more file have an inode.
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'nr_inodes=3', 'tmpfs', folder], { stdio: 'pipe' })
    unmount = () => void execFileSync('umount', ['-l', folder])
  } catch {
    return context.skip()
  }
  const path = join(folder, 'audit.log')
  const rotation = { size: 4, age: undefined, keep: 0 }
  const store = await AuditFile.open({ path, rotation, log: pino({ level: 'silent' }) })
  await store.write(Buffer.from('one\n'), false)
  writeFileSync(join(folder, 'last'), '')
  await store.write(Buffer.from('two\n'), false)
  expect(readdirSync(folder).sort()).toEqual(['audit.log', 'last'])
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
  await store.close()
})
