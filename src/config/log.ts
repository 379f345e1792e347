import { isatty } from 'node:tty'
import { type Logger, pino } from 'pino'
import { pretty } from './lazy-imports.ts'

const STDERR = 2
/** Characters that wait for room on a full disk; further lines are lost. */
const MAX_WAITING = 1 << 20

/** Settings of the log, named like their flags. */
export interface LogSettings {
  readonly 'log-level': string
  readonly 'log-format': 'auto' | 'json' | 'pretty'
}

/** The part of pino's logger that the rooms use. */
export interface Log {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

const formatOf = (asked: LogSettings['log-format']): 'json' | 'pretty' =>
  asked === 'auto' ? (isatty(STDERR) ? 'pretty' : 'json') : asked

/** The program's log, on standard error; standard output is reserved for audit records. */
export function createLog(config: LogSettings): Logger {
  const options = { ...LOG_FORMAT, level: config['log-level'] }
  const destination = pino.destination({ dest: STDERR, sync: true, maxLength: MAX_WAITING })
  destination.on('error', () => undefined) // a full disk ends no bridge
  if (formatOf(config['log-format']) === 'json') return pino(options, destination)
  // Not as a stream: pino-pretty's ends at the first error of its destination.
  const prettified = pretty().prettyFactory({ translateTime: 'HH:MM:ss.l', colorize: coloured(process.env) })
  return pino(options, { write: (line) => void destination.write(prettified(line) ?? '') })
}

/** Levels as words and times in RFC 3339, which log collectors parse by default. */
export const LOG_FORMAT = {
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  formatters: { level: (level: string) => ({ level }) },
}

/** On a terminal, unless NO_COLOR is set (no-color.org). */
const coloured = (env: Readonly<Record<string, string | undefined>>): boolean =>
  isatty(STDERR) && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
