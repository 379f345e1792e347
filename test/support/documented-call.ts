import { expect } from 'vitest'
import { readArguments } from '../../src/cli/arguments.ts'
import { commands } from '../../src/cli/commands.ts'
import { dispatch } from '../../src/cli/dispatch.ts'
import { BadConfig } from '../../src/config/bad-config.ts'
import { readPolicy } from '../../src/policy/file/read-policy.ts'
import { CompiledRules } from '../../src/policy/file/ruleset.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'
import type { Config } from '../../src/proxy/settings/settings.ts'
import { engineNamed } from '../../src/tools/explain/releases.ts'
import { captured } from './io.ts'
import type { ShellCommand } from './shell-words.ts'

const PROGRAM = /^(?:npx )?(?:\S*\/)?enginebridge$/

/** The arguments after the program's name; undefined if the line calls another program. */
export function ownArguments(words: readonly string[]): readonly string[] | undefined {
  const start = words[0] === 'npx' ? 1 : 0
  return PROGRAM.test(words[start] ?? '') ? words.slice(start + 1) : undefined
}

/** Commands that neither listen nor call an engine, so tests can run them. */
const PURE = new Set(['explain', 'diff', 'matrix', 'policy check', 'completion', 'help', 'version'])

/** Fails if the program rejects this command line. `files` maps the paths in it to files of the test. */
export async function checkCall({ env, words }: ShellCommand, files: ReadonlyMap<string, string>): Promise<void> {
  const args = words.map((word) => files.get(word) ?? word)
  const [first = '', second] = args
  const name = commands.find((one) => one.name === `${first} ${second}` || one.name === first)?.name
  if (name === undefined && first !== '') expect(first, 'a command or a flag').toMatch(/^--/)
  const command = commands.find((one) => one.name === (name ?? 'serve'))
  const rest = args.slice(name?.split(' ').length ?? 0)
  if (command === undefined) return
  const { words: operands, value, settings } = readArguments(rest, command)
  if (command.settings !== undefined) {
    await checkSettings(settings, env)
    return
  }
  const engine = value('engine')
  if (engine !== undefined && !/^(?:unix|tcp):/.test(engine)) expect(engineNamed(engine), engine).toBeDefined()
  const offline = !operands.some((word) => /^(?:unix|tcp):|\.yaml$/.test(word))
  if (!PURE.has(command.name) || !offline) return
  // 1 is a valid result too: the policy refuses, which the page may show on purpose.
  expect(await dispatch(args, captured()), args.join(' ')).toBeLessThanOrEqual(1)
}

/** Reads settings from flags and environment. Rejects with all errors in them. */
export async function checkSettings(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Config> {
  const config = settingsOf(args, env)
  // A file of policies is the reader's own; a preset or variables must be valid.
  if (config.policy !== undefined && config.policy !== 'off' && !config.policy.endsWith('.yaml'))
    new CompiledRules((await readPolicy(config.policy)).rules ?? {})
  return config
}

function settingsOf(args: readonly string[], env: Readonly<Record<string, string>>): Config {
  try {
    return readConfig(args, env)
  } catch (cause) {
    if (cause instanceof BadConfig) throw new Error(cause.problems.join('\n'), { cause })
    throw cause
  }
}
