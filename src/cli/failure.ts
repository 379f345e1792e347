import { writeSync } from 'node:fs'
import { pino } from 'pino'
import { BadConfig } from '../config.ts'
import { UsageError } from './command.ts'
import { commands } from './commands.ts'

const EXIT_USAGE = 2

/** Says why a command ended, on standard error; returns its exit code. */
export function report(cause: unknown, args: readonly string[]): number {
  if (cause instanceof UsageError) {
    writeSync(2, `enginebridge: ${cause.message}\nenginebridge help${topic(args)} says how it is used.\n`)
    return EXIT_USAGE
  }
  if (cause instanceof BadConfig) {
    const problems = cause.problems.map((problem) => `  - ${problem}\n`).join('')
    writeSync(2, `enginebridge: the configuration cannot be used:\n${problems}`)
    return EXIT_USAGE
  }
  const words = cause instanceof Error ? cause.message : String(cause)
  pino(pino.destination({ dest: 2, sync: true })).fatal({ err: cause }, words)
  return 1
}

const topic = ([first]: readonly string[]): string =>
  commands.some(({ name }) => name.split(' ')[0] === first) && first !== 'help' ? ` ${first}` : ''
