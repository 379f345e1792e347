import { parseArgs } from 'node:util'
import { type Flag, UsageError } from './command.ts'

export interface Arguments {
  readonly words: readonly string[]
  /** The last value of a flag. */
  value(name: string): string | undefined
  has(name: string): boolean
}

const tooFew = (missing: number): string => (missing === 1 ? 'a word is missing' : `${missing} words are missing`)

/** Reads the words and flags of a subcommand. Throws UsageError for a flag it does not have, or too few or many words. */
export function readArguments(
  args: readonly string[],
  flags: readonly Flag[],
  { least = 0, most = least }: { readonly least?: number; readonly most?: number } = {},
): Arguments {
  const options = Object.fromEntries(
    flags.map(({ name, value }) => [name, { type: value === undefined ? 'boolean' : 'string' } as const]),
  )
  const { values, positionals } = parsed(args, options)
  if (positionals.length < least) throw new UsageError(tooFew(least - positionals.length))
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

function parsed(
  args: readonly string[],
  options: Record<string, { readonly type: 'string' | 'boolean' }>,
): { values: Record<string, unknown>; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { values, positionals }
  } catch (cause) {
    // ERR_PARSE_ARGS_*: an unknown flag, a flag without its value.
    if (cause instanceof TypeError) throw new UsageError(cause.message.split('. ')[0] ?? '', { cause })
    throw cause
  }
}
