import { parseArgs } from 'node:util'
import { didYouMean, nearest } from '../config/nearest.ts'
import { settingNames } from '../proxy/settings/settings.ts'
import { type Command, type Flag, UsageError } from './command.ts'

export interface Arguments {
  readonly words: readonly string[]
  /** The last value of a flag. */
  value(name: string): string | undefined
  has(name: string): boolean
}

/** The words of a usage line: those that must be there, and how many there may be. */
export function wordsOf(usage: string): { readonly needed: readonly string[]; readonly most: number } {
  const bare = usage.replaceAll(/\[[^\]]*--[^\]]*\]|--\S+ [A-Z]+|\[SETTINGS\]/g, '')
  const needed = bare.replaceAll(/\[[^\]]*\]/g, '').match(/[A-Z]+/g) ?? []
  const all = bare.match(/[A-Z]+/g) ?? []
  return { needed, most: bare.includes('…') ? Infinity : all.length }
}

const listed = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' and ')

/** `CLIENT and ENGINE are missing`; undefined where no word is. */
export function missingWords({ name, usage }: Command, words: number): string | undefined {
  const missing = wordsOf(usage).needed.slice(words)
  if (missing.length === 0) return undefined
  return `${listed(missing)} ${missing.length === 1 ? 'is' : 'are'} missing: enginebridge ${name} ${usage}`
}

/** Reads the words and flags of a subcommand. Throws UsageError for a flag it does not have, or too few or many words. */
export function readArguments(args: readonly string[], command: Command): Arguments {
  const { flags = [], usage } = command
  const { values, positionals } = parsed(args, flags)
  const missing = missingWords(command, positionals.length)
  if (missing !== undefined) throw new UsageError(missing)
  const { most } = wordsOf(usage)
  if (positionals.length > most) throw new UsageError(`"${positionals[most]}" is one word too many`)
  return {
    words: positionals,
    value: (name) => {
      const given = values[name]
      return typeof given === 'string' ? given : undefined
    },
    has: (name) => values[name] !== undefined,
  }
}

/**
 * For commands that read settings as well: takes `--json` and other switches of their own out of a command line. Throws
 * UsageError for a flag that is neither and near to one of these.
 */
export function takeSwitches(
  args: readonly string[],
  { flags = [] }: Command,
): { readonly has: (name: string) => boolean; readonly rest: readonly string[] } {
  const own = flags.map(({ name }) => `--${name}`)
  const known = [...own, ...settingNames.map((name) => `--${name}`), '--config']
  for (const arg of args) {
    const [flag = ''] = arg.split('=', 1)
    if (own.includes(flag) && flag !== arg) throw new UsageError(`${flag} takes no value`)
    if (!flag.startsWith('--') || known.includes(flag)) continue
    const near = nearest(flag, known)
    if (near !== undefined && own.includes(near)) throw new UsageError(`${flag} is not a flag; did you mean ${near}?`)
  }
  return { has: (name) => args.includes(`--${name}`), rest: args.filter((arg) => !own.includes(arg)) }
}

function parsed(
  args: readonly string[],
  flags: readonly Flag[],
): { values: Record<string, unknown>; positionals: string[] } {
  const options = Object.fromEntries(
    flags.map(({ name, value }) => [name, { type: value === undefined ? 'boolean' : 'string' } as const]),
  )
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    tokens: true,
    allowPositionals: true,
  })
  const problem = tokens.map((token) => (token.kind === 'option' ? flagProblem(token, flags) : undefined)).find(Boolean)
  if (problem !== undefined) throw new UsageError(problem)
  return { values, positionals }
}

interface Option {
  readonly name: string
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function flagProblem({ name, rawName, value, inlineValue }: Option, flags: readonly Flag[]): string | undefined {
  const flag = flags.find((one) => one.name === name)
  if (flag === undefined) {
    const known = flags.map((one) => `--${one.name}`)
    return `${rawName} is not a flag of this command${didYouMean(rawName, known)}`
  }
  if (flag.value === undefined) return value === undefined ? undefined : `${rawName} takes no value`
  // What looks like a flag was hardly meant as a value; `--flag=-x` says so.
  const isGiven = value !== undefined && (inlineValue === true || !/^-./.test(value))
  return isGiven ? undefined : `${rawName} needs a value: ${rawName} ${flag.value}`
}
