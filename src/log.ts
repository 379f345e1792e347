import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { pretty } from './seldom.ts'

/** The program's log, on standard error: the audit records have standard output to themselves. */
export function createLog(config: Pick<Config, 'log-level' | 'log-format'>): Logger {
  const options = { level: config['log-level'], base: null }
  const stream =
    config['log-format'] === 'pretty'
      ? pretty()({ destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l' })
      : pino.destination({ dest: 2, sync: true })
  return pino(options, stream)
}
