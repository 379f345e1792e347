import { type Command, type Io, UsageError } from './command.ts'
import { commands } from './commands.ts'

/** Runs a command line. `--help` and `--version` work in any place. */
export async function dispatch(args: readonly string[], io: Io): Promise<number> {
  // The scripts of `enginebridge completion` ask this.
  if (args[0] === '__complete') return (await import('./commands/completion.ts')).complete(args.slice(1), io)
  if (args.length === 0 || args.includes('--help') || args.includes('-h'))
    return dispatch(['help', ...topicOf(args)], io)
  if (args.includes('--version') || args[0] === '-v') return dispatch(['version'], io)
  const command = commandOf(args)
  if (command === undefined) throw new UsageError(await unknown(args))
  const [{ readArguments }, { run }] = await Promise.all([import('./arguments.ts'), command.load()])
  return run(readArguments(isFlag(args[0]) ? args : args.slice(command.name.split(' ').length), command), io)
}

const isFlag = (word = ''): boolean => word.startsWith('-')

/** The command that a command line names. Flags alone are those of `serve`. */
export function commandOf([first = '', second]: readonly string[]): Command | undefined {
  const named = (name: string): Command | undefined => commands.find((command) => command.name === name)
  return named(`${first} ${second}`) ?? named(isFlag(first) ? 'serve' : first)
}

async function unknown([first = '', second = '']: readonly string[]): Promise<string> {
  // Imported late: code that the bundle shares with `serve` would load at each start, and before the check of Node's version.
  const { didYouMean } = await import('../config/nearest.ts')
  const pairs = commands.filter(({ name }) => name.includes(' ')).map(({ name }) => name)
  const group = pairs.filter((name) => name.startsWith(`${first} `)).map((name) => name.slice(first.length + 1))
  const choice = `${first} is followed by ${group.join(', ')}`
  if (group.length > 0)
    return second === '' || isFlag(second) ? choice : `${choice}, not by "${second}"${didYouMean(second, group)}`
  // Of a command of two words either may be misspelled.
  const names = commands.flatMap(({ name }) => [name, name.split(' ')[0] ?? ''])
  return `there is no command "${first}"${didYouMean(`${first} ${second}`, pairs) || didYouMean(first, names)}`
}

/** The subject of a `--help` after some words: a command, or a group of them. */
export function topicOf([first = '', second]: readonly string[]): readonly string[] {
  const known = (words: string): boolean => commands.some(({ name }) => name === words || name.startsWith(`${words} `))
  if (second !== undefined && known(`${first} ${second}`)) return [first, second]
  return first !== '' && known(first) ? [first] : []
}
