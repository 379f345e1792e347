import { describe, expect, it } from 'vitest'
import { readArguments, wordsOf } from '../../src/cli/arguments.ts'
import { type Command, UsageError } from '../../src/cli/command.ts'
import { dispatch } from '../../src/cli/dispatch.ts'
import { helpText } from '../../src/cli/help.ts'
import { escaped } from '../../src/config/text.ts'
import { captured } from '../support/io.ts'

const said = async (...args: string[]): Promise<string> => {
  const io = captured()
  expect(await dispatch(args, io)).toBe(0)
  return io.out()
}

const refused = async (...args: string[]): Promise<string> => {
  const cause: unknown = await dispatch(args, captured()).catch((thrown: unknown) => thrown)
  expect(cause).toBeInstanceOf(UsageError)
  return (cause as UsageError).message
}

describe('the command line', () => {
  it.each([[[]], [['-h']], [['--help']], [['help']]])('shows the overview for %j', async (args) => {
    expect(await said(...args)).toBe(helpText(''))
  })

  it.each([
    [['audit', '--help'], 'audit'],
    [['audit', 'verify', '-h'], 'audit verify'],
    [['audit', 'nonsense', '--help'], 'audit'],
    [['nonsense', '--help'], ''],
  ])('shows for %j the help on "%s"', async (args, topic) => {
    expect(await said(...args)).toBe(helpText(topic))
  })

  it.each([[['-v']], [['--version']], [['version']], [['serve', '--version']]])(
    'says its version for %j',
    async (args) => {
      expect(await said(...args)).toMatch(/^enginebridge \d+\.\d+\.\d+ \(Node v\d+\.\d+\.\d+\)\n$/)
    },
  )

  it('says its version as JSON', async () => {
    expect(JSON.parse(await said('version', '--json'))).toEqual({
      version: expect.stringMatching(/^\d+\./),
      node: process.versions.node,
    })
  })

  it.each([
    [['servee'], 'there is no command "servee"; did you mean serve?'],
    [['audt', 'verify'], 'there is no command "audt"; did you mean audit verify?'],
    [['audit', 'verfy'], 'audit is followed by tail, summary, verify, not by "verfy"; did you mean verify?'],
    [['audit'], 'audit is followed by tail, summary, verify'],
    [['help', 'timeout'], 'there is no help on "timeout"; did you mean timeouts?'],
    [['diff', '1.24', '1.44', '--jsn'], '--jsn is not a flag; did you mean --json?'],
    [['health', '--jsn'], '--jsn is not a flag; did you mean --json?'],
    [['completion', 'zhs'], 'unknown shell "zhs"; did you mean zsh?'],
    [['help', 'polic', '--json'], 'there is no help on "polic"; did you mean policy?'],
    [['policy', 'check', 'read-onli', 'GET', '/info'], /did you mean read-only\?$/],
  ])('offers for %j the nearest name', async (args, message) => {
    expect(await refused(...args)).toMatch(message instanceof RegExp ? message : new RegExp(`^${escaped(message)}$`))
  })

  it.each([
    [['explain'], /^CLIENT and ENGINE are missing: enginebridge explain CLIENT ENGINE \[METHOD PATH\] \[--json\]$/],
    [['explain', '1.24'], /^ENGINE is missing: /],
    [['audit', 'verify'], /^FILE is missing: /],
    [['record', '--engine', 'x'], /^FILE is missing: /],
    [['replay', 'calls.jsonl'], /^--engine ENGINE is missing: /],
    [['diff', '1', '2', '3', '4', '5'], /^"5" is one word too many$/],
    [['audit', 'tail', '--lines', '--once'], /^--lines needs a value: --lines N$/],
    [['version', 'x'], /^"x" is one word too many$/],
    [['diff', '1.24', '1.44', '--json=yes'], /^--json takes no value$/],
    [['health', '--json=yes'], /^--json takes no value$/],
    [['policy', 'check'], /^FILE, METHOD and PATH are missing: /],
    [['replay', '/nowhere/calls.jsonl', '--engine', '1.44'], /^\/nowhere\/calls\.jsonl: no such file or directory$/],
  ])('says for %j which word is missing or too much', async (args, message) => {
    expect(await refused(...args)).toMatch(message)
  })

  it('has record take a log level, which is quiet by default', async () => {
    const args = ['--log-level', 'debug', '--engine', 'unix:///nowhere/engine.sock']
    await expect(dispatch(['record', '/nowhere/calls.jsonl', ...args], captured())).rejects.toThrow(/nowhere/)
  })

  it('has the topic of a setting as help on the setting', async () => {
    expect(await said('help', 'listen')).toBe(await said('help', 'connections'))
  })

  it("says the policy's answer as JSON when asked to", async () => {
    expect(JSON.parse(await said('policy', 'check', 'read-only', 'GET', '/v1.44/info', '--json'))).toEqual({
      allowed: true,
      rule: expect.any(String),
      reason: expect.any(String),
    })
  })
})

describe('a usage line', () => {
  it.each([
    ['CLIENT ENGINE [METHOD PATH] [--json]', ['CLIENT', 'ENGINE'], 4],
    ['FILE… [--key FILE] [--until HASH]', ['FILE'], Infinity],
    ['FILE --engine ENGINE [--all]', ['FILE'], 1],
    ['[TOPIC…] [--json]', [], Infinity],
    ['[ENGINE…] [--json] [SETTINGS]', [], Infinity],
    ['', [], 0],
  ])('"%s" needs the words %j and takes %d', (usage, needed, most) => {
    expect(wordsOf(usage)).toEqual({ needed, most })
  })

  it('takes a value that begins with a dash behind an equals sign', () => {
    const command = { flags: [{ name: 'key', value: 'FILE', help: '' }], usage: '' } as unknown as Command
    expect(readArguments(['--key=-x'], command).value('key')).toBe('-x')
  })
})
