import { parseArgs } from 'node:util'
import { didYouMean } from './nearest.ts'

export interface Flag {
  /** Without the dashes. */
  readonly name: string
  /** The value's name in help: `ADDR`, or the words to choose from, `bash|zsh`. A switch has none; with '' it takes `=false` as well. */
  readonly value?: string
  readonly help: string
  readonly repeats?: true
}

export interface CommandLine {
  readonly words: readonly string[]
  /** All values of each flag that was given; 'true' for a switch. */
  readonly values: ReadonlyMap<string, readonly string[]>
  /** A sentence for each flag that cannot be used. */
  readonly problems: readonly string[]
}

type Token = Extract<NonNullable<ReturnType<typeof parseArgs>['tokens']>[number], { kind: 'option' }>

/** Reads words and flags. */
export function readCommandLine(args: readonly string[], flags: readonly Flag[]): CommandLine {
  const options = Object.fromEntries(
    flags.map(({ name, value = '' }) => [name, { type: value === '' ? 'boolean' : 'string' } as const]),
  )
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true, allowPositionals: true })
  const words: string[] = []
  const values = new Map<string, string[]>()
  const problems: string[] = []
  let unknownAt: number | undefined
  for (const token of tokens) {
    // The word after a misspelled flag is its value.
    if (token.kind === 'positional' && token.index - 1 !== unknownAt) words.push(token.value)
    if (token.kind !== 'option') continue
    const problem = problemOf(token, flags)
    if (problem !== undefined) problems.push(problem)
    else values.set(token.name, [...(values.get(token.name) ?? []), token.value ?? 'true'])
    if (!(token.name in options)) unknownAt = token.index
  }
  for (const { name, repeats } of flags) {
    const times = values.get(name)?.length ?? 0
    if (times > 1 && repeats === undefined) problems.push(`--${name} is given ${times} times`)
  }
  return { words, values, problems }
}

function problemOf({ name, rawName, value, inlineValue }: Token, flags: readonly Flag[]): string | undefined {
  const flag = flags.find((one) => one.name === name)
  if (flag === undefined) {
    const known = flags.map((one) => `--${one.name}`)
    return `${rawName} is not a flag${didYouMean(rawName, known, '; --help lists them')}`
  }
  if (flag.value === undefined) return value === undefined ? undefined : `${rawName} takes no value`
  // A value that looks like a flag was hardly meant; `--flag=-x` says so.
  if (flag.value !== '' && (value === undefined || (inlineValue !== true && /^-./.test(value))))
    return `${rawName} needs a value: ${rawName} ${flag.value}`
  return undefined
}
