import { join, resolve } from 'node:path'
import { NODE_FLAGS } from './node-flags.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The program's file. `npm test` builds the program and names it: that starts in a fifth of the sources' time. */
export const MAIN = resolve(ROOT, process.env['BUILT_PROGRAM'] ?? 'src/main.ts')

/** The command line of the program, to which its arguments are added. */
export const PROGRAM = [process.execPath, ...NODE_FLAGS, MAIN] as const
