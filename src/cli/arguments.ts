import { readCommandLine } from '../config/command-line.ts'
import { settingFlags } from '../proxy/settings/settings.ts'
import { type Arguments, type Command, UsageError } from './command.ts'

/** The words of a usage line: those that must be there, and how many there may be. */
export function wordsOf(usage: string): { readonly needed: readonly string[]; readonly most: number } {
  const bare = usage.replaceAll(/\[[^\]]*--[^\]]*\]|--\S+ [A-Z]+|\[SETTINGS\]/g, '')
  const needed = bare.replaceAll(/\[[^\]]*\]/g, '').match(/[a-z]+/gi) ?? []
  const all = bare.match(/[a-z]+/gi) ?? []
  return { needed, most: bare.includes('…') ? Infinity : all.length }
}

/** Reads the words and flags of a subcommand. Throws UsageError for a flag it does not have, or too few or many words. */
export function readArguments(args: readonly string[], command: Command): Arguments {
  const { name: ofCommand, flags = [], settings } = command
  const { words, values, problems } = readCommandLine(args, [...flags, ...(settings === undefined ? [] : settingFlags)])
  const [problem] = problems
  if (problem !== undefined) throw new UsageError(problem)
  const usage = flags.reduce(
    (line, { name, value, instead }) =>
      instead !== undefined && values.has(name) ? line.replace(instead, `--${name} ${value}`) : line,
    command.usage,
  )
  const missing = wordsOf(usage).needed.slice(words.length)
  if (missing.length > 0) {
    const listed = new Intl.ListFormat('en-GB').format(missing)
    throw new UsageError(`${listed} ${missing.length === 1 ? 'is' : 'are'} missing: enginebridge ${ofCommand} ${usage}`)
  }
  const { most } = wordsOf(usage)
  if (words.length > most) throw new UsageError(`"${words[most]}" is one word too many`)
  const own = new Set(flags.map(({ name }) => name))
  return {
    words,
    value: (name) => values.get(name)?.at(-1),
    has: (name) => values.has(name),
    settings: [...values].flatMap(([name, all]) => (own.has(name) ? [] : all.map((value) => `--${name}=${value}`))),
  }
}
