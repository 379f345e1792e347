import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { completion } from '../../src/cli/docs/completion.ts'
import { presets } from '../../src/policy/file/presets.ts'
import { unpacked, withOverUsr } from '../support/unpacked.ts'

const shells = await unpacked('shells')
const folder = mkdtempSync(join(tmpdir(), 'eb-completion-'))
afterAll(() => rmSync(folder, { recursive: true }))

const ask = {
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

describe.skipIf(shells === undefined).each(['zsh', 'fish'] as const)('completion in a real %s', (shell) => {
  const script = join(folder, `enginebridge.${shell}`)
  writeFileSync(script, completion(shell))

  it.each([
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
