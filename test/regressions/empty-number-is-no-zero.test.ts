import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BadConfig } from '../../src/config/bad-config.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'

const problemsOf = (args: readonly string[]): readonly string[] => {
  try {
    readConfig(args, {})
  } catch (cause) {
    if (cause instanceof BadConfig) return cause.problems
    throw cause
  }
  return []
}

/** `audit-keep:` without a value was 0: every rotated audit log was deleted. */
describe('a setting without its number', () => {
  it.each(['audit-keep', 'grace', 'workers', 'rate'])('is refused in a file and as a flag: %s', (name) => {
    const file = join(mkdtempSync(join(tmpdir(), 'eb-')), 'settings.yaml')
    writeFileSync(file, `${name}:\naudit-log: /a.log\naudit-rotate-age: 1d\n`)
    expect(problemsOf(['--config', file])).toEqual([expect.stringContaining(`${name} in ${file}: must be `)])
    for (const value of ['', ' '])
      expect(problemsOf([`--${name}=${value}`])).toEqual([expect.stringContaining(`--${name}: must be `)])
  })

  it('may still say 0', () => {
    const rotates = ['--audit-log', '/a.log', '--audit-rotate-age', '1d']
    expect(readConfig([...rotates, '--audit-keep', '0'], {})['audit-keep']).toBe(0)
  })
})
