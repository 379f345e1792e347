import type { didYouMean as DidYouMean } from '../config/nearest.ts'
import { type Io, UsageError } from './command.ts'
import { commandNamed, commands } from './commands.ts'

/** Runs what a command line says. `--help` and `--version` are heard wherever they stand. */
export async function dispatch(args: readonly string[], io: Io): Promise<number> {
  const help = async (topic: readonly string[]): Promise<number> => (await import('./help.ts')).run(topic, io)
  if (args.length === 0) return help([])
  if (args.includes('--help') || args.includes('-h')) return help(topicOf(args))
  if (args.includes('--version') || args[0] === '-v') return (await import('./commands/version.ts')).run([], io)
  const { command, rest } = await find(args)
  const { run } = await commandNamed(command).load()
  return run(rest, io)
}

/** The command that a command line names, and what follows its name. Flags alone are those of `serve`. */
async function find(args: readonly string[]): Promise<{ command: string; rest: readonly string[] }> {
  const [first = '', second = ''] = args
  if (first.startsWith('-')) return { command: 'serve', rest: args }
  const names = commands.map(({ name }) => name)
  const pair = `${first} ${second}`
  if (names.includes(pair)) return { command: pair, rest: args.slice(2) }
  if (names.includes(first)) return { command: first, rest: args.slice(1) }
  throw new UsageError(await unknown(first, second, names))
}

async function unknown(first: string, second: string, names: readonly string[]): Promise<string> {
  // What the bundle shares with `serve` would be loaded at each start, and before an older Node is told of.
  const { didYouMean } = await import('../config/nearest.ts')
  const group = names.flatMap((name) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []))
  if (group.length === 0) return `there is no command "${first}"${nearestCommand(didYouMean, first, second, names)}`
  const choice = `${first} is followed by ${group.join(', ')}`
  return second === '' || second.startsWith('-') ? choice : `${choice}, not by "${second}"${didYouMean(second, group)}`
}

/** Of a command of two words either may be misspelled. */
function nearestCommand(
  didYouMean: typeof DidYouMean,
  first: string,
  second: string,
  names: readonly string[],
): string {
  const pair = didYouMean(
    `${first} ${second}`,
    names.filter((name) => name.includes(' ')),
  )
  return pair === '' ? didYouMean(first, [...new Set(names.flatMap((name) => [name, name.split(' ')[0] ?? '']))]) : pair
}

/** What `--help` behind some words is about: a command, or a group of them. */
export function topicOf([first = '', second]: readonly string[]): readonly string[] {
  const known = (words: string): boolean => commands.some(({ name }) => name === words || name.startsWith(`${words} `))
  if (second !== undefined && known(`${first} ${second}`)) return [first, second]
  return first !== '' && known(first) ? [first] : []
}
