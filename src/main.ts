import { dispatch } from './cli/commands.ts'
import { processIo } from './cli/process-io.ts'

/** The program. The only file with side effects: it reads the process's arguments and ends it. */
const args = process.argv.slice(2)
const failed = async (cause: unknown): Promise<number> => (await import('./cli/failure.ts')).report(cause, args)

process.exitCode = await dispatch(args, processIo()).catch(failed)
// Idle timers and pools must not keep a finished program alive.
process.exit()
