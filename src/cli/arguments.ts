import { parseArgs } from 'node:util'
import { didYouMean, nearest } from '../config/nearest.ts'
import { settingNames, settings } from '../proxy/settings/settings.ts'
import { type Command, type Flag, UsageError } from './command.ts'

interface Arguments {
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
  const { values, words, tokens } = parsed(args, flags)
  for (const token of tokens) checkFlag(token, flags)
  const missing = missingWords(command, words.length)
  if (missing !== undefined) throw new UsageError(missing)
  const { most } = wordsOf(usage)
  if (words.length > most) throw new UsageError(`"${words[most]}" is one word too many`)
  return argumentsOf(values, words)
}

/**
 * For commands that read settings as well: their own words and flags, and the settings as they came. Throws UsageError
 * for a flag that is neither and near to one of its own.
 */
export function splitArguments(
  args: readonly string[],
  { flags = [] }: Command,
): Arguments & { readonly settings: readonly string[] } {
  const own = flags.map(({ name }) => `--${name}`)
  const known = [...own, ...SETTING_FLAGS.map(({ name }) => `--${name}`)]
  const { values, words, tokens } = parsed(args, [...flags, ...SETTING_FLAGS])
  const found: string[] = []
  for (const token of tokens) {
    const { rawName, value, inlineValue, index } = token
    const near = known.includes(rawName) ? undefined : nearest(rawName, known)
    if (own.includes(rawName)) checkFlag(token, flags)
    else if (near !== undefined && own.includes(near))
      throw new UsageError(`${rawName} is not a flag; did you mean ${near}?`)
    else found.push(...args.slice(index, index + (value === undefined || inlineValue === true ? 1 : 2)))
  }
  return { ...argumentsOf(values, words), settings: found }
}

const SETTING_FLAGS: readonly Flag[] = [
  { name: 'config', value: 'FILE', help: '' },
  ...settingNames.map((name) => ('isSwitch' in settings[name] ? { name, help: '' } : { name, value: 'X', help: '' })),
]

const argumentsOf = (values: Readonly<Record<string, unknown>>, words: readonly string[]): Arguments => ({
  words,
  value: (name) => {
    const given = values[name]
    return typeof given === 'string' ? given : undefined
  },
  has: (name) => values[name] !== undefined,
})

interface Option {
  readonly name: string
  readonly rawName: string
  readonly index: number
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function parsed(
  args: readonly string[],
  flags: readonly Flag[],
): { values: Record<string, unknown>; words: readonly string[]; tokens: readonly Option[] } {
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
  return { values, words: positionals, tokens: tokens.filter((token) => token.kind === 'option') }
}

function checkFlag({ name, rawName, value, inlineValue }: Option, flags: readonly Flag[]): void {
  const flag = flags.find((one) => one.name === name)
  if (flag === undefined) {
    const known = flags.map((one) => `--${one.name}`)
    throw new UsageError(`${rawName} is not a flag of this command${didYouMean(rawName, known)}`)
  }
  if (flag.value === undefined && value !== undefined) throw new UsageError(`${rawName} takes no value`)
  // What looks like a flag was hardly meant as a value; `--flag=-x` says so.
  if (flag.value !== undefined && (value === undefined || (inlineValue !== true && /^-./.test(value))))
    throw new UsageError(`${rawName} needs a value: ${rawName} ${flag.value}`)
}
