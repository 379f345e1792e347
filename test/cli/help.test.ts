import { describe, expect, it } from 'vitest'
import { type Io, UsageError } from '../../src/cli/command.ts'
import { commands, dispatch } from '../../src/cli/commands.ts'
import { helpText, helpTopics } from '../../src/cli/help.ts'
import { settingGroups } from '../../src/cli/topics.ts'
import { settingNames } from '../../src/settings.ts'
import { captured } from '../support/io.ts'

const LINES = 24
const COLUMNS = 80

describe('help', () => {
  it.each(['', ...helpTopics()])('on "%s" fits a screen of 80 columns and 24 lines', (topic) => {
    const lines = helpText(topic).trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(LINES)
    expect(lines.filter((line) => line.length > COLUMNS)).toEqual([])
  })

  it('shows every setting under one topic, whoever added it', () => {
    expect(
      settingGroups()
        .flatMap(({ settings }) => settings)
        .toSorted(),
    ).toEqual(settingNames.toSorted())
    const shown = helpTopics().map(helpText).join('\n')
    for (const name of settingNames) expect(shown).toMatch(new RegExp(`^  --${name}( |$)`, 'm'))
  })

  it('names every command in the overview', () => {
    const lines = helpText('').split('\n')
    for (const { name } of commands) expect(lines.some((line) => line.startsWith(`  ${name} `))).toBe(true)
  })

  it('is heard behind a command and shows the flags of that command', async () => {
    const io = captured()
    expect(await dispatch(['health', '--help', '--nonsense'], io)).toBe(0)
    expect(io.out()).toBe(helpText('health'))
  })

  it.each([['nonsense'], ['help', 'nonsense']])('says that there is no such thing for %s %s', async (...args) => {
    await expect(dispatch(args, captured() satisfies Io)).rejects.toThrow(UsageError)
  })

  it('has a module with a run for every command', async () => {
    for (const { load } of commands) expect((await load()).run).toBeTypeOf('function')
  })
})
