import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FLAGS = /^flags='([^']*)'$/m

/** What the program is started with by `bin/enginebridge`: tests and benches that start it themselves do the same. */
export const NODE_FLAGS: readonly string[] = (
  FLAGS.exec(readFileSync(join(import.meta.dirname, '../../bin/enginebridge'), 'utf8'))?.[1] ?? ''
).split(' ')
