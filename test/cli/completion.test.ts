import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/cli/command.ts'
import { commands } from '../../src/cli/commands.ts'
import { dispatch } from '../../src/cli/dispatch.ts'
import { completion, SHELLS } from '../../src/cli/docs/completion.ts'
import { MAN_PAGE } from '../../src/cli/docs/man.ts'
import { settingNames } from '../../src/proxy/settings/settings.ts'
import { captured } from '../support/io.ts'

/** What bash offers at the end of a line. */
function offered(...line: string[]): string[] {
  const script = `${completion('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _enginebridge; printf '%s\\n' "\${COMPREPLY[@]}"`
  const out = execFileSync('bash', ['--norc', '-c', script, 'test', 'enginebridge', ...line], { encoding: 'utf8' })
  return out.split('\n').filter((word) => word !== '')
}

describe('completion in bash', () => {
  it.each([
    [['do'], ['doctor']],
    [['audit', 've'], ['verify']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['help', 'tran'], ['translation']],
    [['--list'], ['--listen']],
    [
      ['serve', '--validation', ''],
      ['strict', 'warn', 'off'],
    ],
    [['replay', '--en'], ['--engine']],
    [['serve', '--audit-mode', 'b'], ['blocking']],
    [
      ['explain', '--'],
      ['--client', '--json'],
    ],
    [['doctor', '--js'], ['--json']],
  ])('offers behind %j the words %j', (line, words) => {
    expect(offered(...line)).toEqual(words)
  })

  it('offers every command and every setting', () => {
    expect(offered('')).toEqual([...new Set(commands.map(({ name }) => name.split(' ')[0]))])
    expect(offered('serve', '--')).toEqual(expect.arrayContaining(settingNames.map((name) => `--${name}`)))
  })

  it('offers files where a file is wanted', () => {
    expect(offered('serve', '--config', 'package').toSorted()).toEqual(['package-lock.json', 'package.json'])
    expect(offered('record', 'package-l')).toEqual(['package-lock.json'])
    expect(offered('audit', 'verify', 'package-l')).toEqual(['package-lock.json'])
    expect(offered('policy', 'check', 'package-l')).toEqual(['package-lock.json'])
  })
})

describe('completion', () => {
  it.each(SHELLS)('for %s is printed, and names every command and setting', async (shell) => {
    const io = captured()
    expect(await dispatch(['completion', shell], io)).toBe(0)
    for (const { name } of commands) expect(io.out()).toContain(name.split(' ').at(-1))
    for (const name of settingNames)
      expect(io.out()).toMatch(new RegExp(shell === 'fish' ? `-l ${name} ` : `--${name}\\b`))
  })

  it('for another shell is refused with a sentence', async () => {
    await expect(dispatch(['completion', 'tcsh'], captured())).rejects.toThrow(UsageError)
  })
})

describe('the manual page', () => {
  it('is read by man without a warning, and has every command and setting', () => {
    const path = join(import.meta.dirname, '../..', MAN_PAGE)
    const page = readFileSync(path, 'utf8').replaceAll('\\-', '-')
    for (const { name } of commands) expect(page).toContain(`.SS ${name}`)
    for (const name of settingNames) expect(page).toContain(`\\fB--${name}`)
    if (!has('groff')) return
    const out = execFileSync(
      'bash',
      ['-c', `groff -man -Kutf8 -ww -Tutf8 -P-c ${JSON.stringify(path)} 2>&1 >/dev/null`],
      { encoding: 'utf8' },
    )
    expect(out).toBe('')
  })
})

function has(program: string): boolean {
  try {
    execFileSync('bash', ['-c', `command -v ${program}`], { stdio: 'ignore' })
    return true
  } catch {
    return false // command -v says no by its exit code
  }
}
