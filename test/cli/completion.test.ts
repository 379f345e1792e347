import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MAN_PAGE } from '../../packaging/docs/man.ts'
import { UsageError } from '../../src/cli/command.ts'
import { complete, SCRIPTS } from '../../src/cli/commands/completion.ts'
import { commands } from '../../src/cli/commands.ts'
import { dispatch } from '../../src/cli/dispatch.ts'
import { presets } from '../../src/policy/file/presets.ts'
import { settingNames } from '../../src/proxy/settings/settings.ts'
import { captured } from '../support/io.ts'

/** The completions that the program offers for the last word of a line. */
function offered(...line: string[]): string[] {
  const io = captured()
  complete(line, io)
  return io
    .out()
    .split('\n')
    .flatMap((offer) => (offer === '' ? [] : [offer.split('\t')[0] ?? '']))
}

describe('completion', () => {
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
    [['serve', '--validation=s'], ['--validation=strict']],
    [
      ['serve', '--policy', ''],
      [...Object.keys(presets), 'env', 'off'],
    ],
    [['replay', '--en'], ['--engine']],
    [['serve', '--audit-mode', 'b'], ['blocking']],
    [
      ['explain', '--'],
      ['--client', '--json', '--help'],
    ],
    [['doctor', '--js'], ['--json']],
  ])('offers behind %j the words %j', (line, words) => {
    expect(offered(...line)).toEqual(words)
  })

  it('offers every command and every setting', () => {
    expect(offered('')).toEqual([...new Set(commands.map(({ name }) => name.split(' ')[0]))])
    expect(offered('serve', '--')).toEqual(expect.arrayContaining(settingNames.map((name) => `--${name}`)))
  })

  it.each([
    ['serve', '--config', 'package'],
    ['record', 'package-l'],
    ['audit', 'verify', 'package-l'],
    ['policy', 'check', 'package-l'],
  ])('leaves files to the shell: %s %s', (...line) => {
    expect(offered(...line)).toEqual([])
  })

  it.each(Object.keys(SCRIPTS))('for %s is a script that asks the program', async (shell) => {
    const io = captured()
    expect(await dispatch(['completion', shell], io)).toBe(0)
    expect(io.out()).toContain('enginebridge __complete ')
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
    return false // command -v fails if the program is missing
  }
}
