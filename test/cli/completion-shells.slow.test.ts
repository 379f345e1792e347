import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { SCRIPTS } from '../../src/cli/commands/completion.ts'
import { presets } from '../../src/policy/file/presets.ts'
import { unpacked, withOverUsr } from '../support/unpacked.ts'

const shells = await unpacked('shells')
const folder = mkdtempSync(join(tmpdir(), 'eb-completion-'))
afterAll(() => rmSync(folder, { recursive: true }))

// The scripts ask the program.
process.env['PATH'] = `${join(import.meta.dirname, '../../node_modules/.bin')}:${process.env['PATH']}`

const ask = {
  bash: async (script: string, line: string): Promise<string[]> => {
    const complete = `source ${script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _enginebridge`
    const words = ['--norc', '-c', `${complete}; printf '%s\\n' "\${COMPREPLY[@]}"`, 'bash', ...line.split(' ')]
    const said = await promisify(execFile)('bash', words)
    return said.stdout.split('\n').filter((word) => word !== '')
  },
  zsh: async (script: string, line: string): Promise<string[]> => {
    const probe = join(import.meta.dirname, '../support/complete.zsh')
    const said = await withOverUsr(shells ?? '', ['zsh', '-f', probe, script, line])
    return [...said.matchAll(/OFFER:(\S+)/g)].map(([, word = '']) => word)
  },
  fish: async (script: string, line: string): Promise<string[]> => {
    const words = ['fish', '--no-config', '-c', `source ${script}; complete -C ${JSON.stringify(line)}`]
    const said = await withOverUsr(shells ?? '', words)
    return said.split('\n').flatMap((one) => (one === '' ? [] : [one.split('\t')[0] ?? '']))
  },
}

describe.each(['bash', 'zsh', 'fish'] as const)('completion in a real %s', (shell) => {
  const script = join(folder, `enginebridge.${shell}`)
  writeFileSync(script, SCRIPTS[shell])

  it.skipIf(shells === undefined && shell !== 'bash').each([
    ['enginebridge do', ['doctor']],
    ['enginebridge audit ve', ['verify']],
    ['enginebridge serve --validation ', ['strict', 'warn', 'off']],
    ['enginebridge audit verify package-l', ['package-lock.json']],
    ['enginebridge policy ', ['check']],
    ['enginebridge completion ', ['bash', 'zsh', 'fish']],
    ['enginebridge serve --policy ', [...Object.keys(presets), 'env', 'off']],
  ])('offers behind "%s" the words %j', async (line, words) => {
    expect((await ask[shell](script, line)).toSorted()).toEqual(words.toSorted())
  })
})
