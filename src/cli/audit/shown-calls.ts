import { isatty } from 'node:tty'
import type { Config } from '../../proxy/settings/settings.ts'
import type { Io } from '../command.ts'

/** Asked by its number: to make a stream of it changes how the records can be written. */
const STDOUT = 1

/** Turns an audit record into the line on a terminal; undefined where standard output goes to a program. */
export async function shownCalls(
  config: Pick<Config, 'audit-format' | 'audit-chain'>,
  io: Pick<Io, 'stdout' | 'env'>,
): Promise<((record: string) => readonly string[]) | undefined> {
  const format = config['audit-format']
  // Without its key a chain cannot be verified.
  const suits = format === 'auto' && config['audit-chain'] === 'off' && isatty(STDOUT)
  if (format !== 'pretty' && !suits) return undefined
  const [{ shownLines }, { lookOf }] = await Promise.all([import('./tail.ts'), import('../words/text.ts')])
  // The width is read for each line: a window changes its size.
  return (record) => shownLines(record, { ...lookOf(io), all: false })
}
