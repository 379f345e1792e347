import { writeSync } from 'node:fs'
import { pino } from 'pino'
import { BadConfig } from '../../config/bad-config.ts'
import { LOG_FORMAT } from '../../config/log.ts'
import { messageOf } from '../../config/text.ts'
import { UsageError } from '../command.ts'
import { topicOf } from '../dispatch.ts'
import { printable } from './text.ts'

const EXIT_USAGE = 2

/** Says why a command ended, on standard error; returns its exit code. */
export function report(cause: unknown, args: readonly string[]): number {
  if (cause instanceof UsageError) {
    say(`${cause.message}\nSee ${['enginebridge', ...topicOf(args), '--help'].join(' ')}.`)
    return EXIT_USAGE
  }
  if (cause instanceof BadConfig) {
    say(['the configuration cannot be used:', ...cause.problems.map((problem) => `  - ${problem}`)].join('\n'))
    return EXIT_USAGE
  }
  const words = messageOf(cause)
  if (isExpected(cause) && !asksForMore(args)) {
    say(words)
    return 1
  }
  pino(LOG_FORMAT, pino.destination({ dest: 2, sync: true })).fatal({ err: cause }, words)
  return 1
}

/** Errors quote files and engines. */
const say = (words: string): void => void writeSync(2, `enginebridge: ${words.split('\n').map(printable).join('\n')}\n`)

/** Our errors and the system's speak for themselves. Only an unexpected error needs its stack. */
const isExpected = (cause: unknown): boolean =>
  cause instanceof Error && (cause.constructor === Error || 'syscall' in cause)

const asksForMore = (args: readonly string[]): boolean =>
  /--log-level[= ](?:debug|trace)\b/.test([...args, `--log-level=${process.env['ENGINEBRIDGE_LOG_LEVEL']}`].join(' '))
