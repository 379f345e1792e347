import { describe, expect, it } from 'vitest'
import { type Io, UsageError } from '../../src/cli/command.ts'
import { commands } from '../../src/cli/commands.ts'
import { dispatch } from '../../src/cli/dispatch.ts'
import { helpText, helpTopics } from '../../src/cli/help.ts'
import { settingGroups } from '../../src/cli/topics.ts'
import { settingNames } from '../../src/proxy/settings/settings.ts'
import { checkCall } from '../support/documented-call.ts'
import { captured } from '../support/io.ts'
import { shellCommand } from '../support/shell-words.ts'

const LINES = 24
const COLUMNS = 80

describe('help', () => {
  it.each(['', ...helpTopics()].filter((topic) => topic !== 'serve'))(
    'on "%s" fits a screen of 80 columns and 24 lines',
    (topic) => {
      const lines = helpText(topic).trimEnd().split('\n')
      expect(lines.length).toBeLessThanOrEqual(LINES)
      expect(lines.filter((line) => line.length > COLUMNS)).toEqual([])
    },
  )

  it('shows every setting under one topic, whoever added it', () => {
    expect(settingGroups.flatMap(({ settings }) => settings).toSorted()).toEqual(settingNames.toSorted())
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

  it('on serve shows every setting in its group, within 80 columns', () => {
    const text = helpText('serve')
    for (const name of settingNames) expect(text).toMatch(new RegExp(`^  --${name}( |$)`, 'm'))
    for (const { name } of settingGroups) expect(text).toContain(`\nFlags, ${name} (`)
    expect(text.split('\n').filter((line) => line.length > COLUMNS)).toEqual([])
  })

  it.each(commands)('on $name has two examples that the command takes', async ({ name, examples }) => {
    for (const example of examples) {
      expect(helpText(name)).toContain(`  enginebridge ${example}\n`)
      await checkCall(shellCommand(example), new Map())
    }
  })

  it('as JSON has every command and every setting', async () => {
    const io = captured()
    expect(await dispatch(['help', '--json'], io)).toBe(0)
    const { commands: told, settings } = JSON.parse(io.out())
    expect(told.map(({ name }: { name: string }) => name)).toEqual(commands.map(({ name }) => name))
    expect(settings.map(({ flag }: { flag: string }) => flag)).toEqual(settingNames.map((name) => `--${name}`))
  })

  it.each([['nonsense'], ['help', 'nonsense']])('says that there is no such thing for %s %s', async (...args) => {
    await expect(dispatch(args, captured() satisfies Io)).rejects.toThrow(UsageError)
  })

  it('has a module with a run for every command', async () => {
    for (const { load } of commands) expect((await load()).run).toBeTypeOf('function')
  })
})
