import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FLAGS = /^flags='([^']*)'$/m

/** The flags of Node in `bin/enginebridge`, for tests and benches that start the program without that script. */
export const NODE_FLAGS: readonly string[] = (
  FLAGS.exec(readFileSync(join(import.meta.dirname, '../../bin/enginebridge'), 'utf8'))?.[1] ?? ''
).split(' ')
