import { isatty } from 'node:tty'
import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { pretty } from './seldom.ts'

const STDERR = 2

const formatOf = (asked: Config['log-format']): 'json' | 'pretty' =>
  asked === 'auto' ? (isatty(STDERR) ? 'pretty' : 'json') : asked

/** The program's log, on standard error: the audit records have standard output to themselves. */
export function createLog(config: Pick<Config, 'log-level' | 'log-format'>): Logger {
  const options = { level: config['log-level'], base: null }
  const stream =
    formatOf(config['log-format']) === 'pretty'
      ? pretty()({ destination: STDERR, sync: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l' })
      : pino.destination({ dest: STDERR, sync: true })
  return pino(options, stream)
}
