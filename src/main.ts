import { dispatch } from './cli/dispatch.ts'
import { nodeProblem } from './cli/node-version.ts'
import { flushed, processIo } from './cli/process-io.ts'

/** The program. The only file with side effects: it reads the process's arguments and ends it. */
const args = process.argv.slice(2)
const failed = async (cause: unknown): Promise<number> => (await import('./cli/words/failure.ts')).report(cause, args)

async function main(): Promise<number> {
  const problem = nodeProblem(process.versions.node, process.execPath)
  if (problem === undefined) return dispatch(args, processIo()).catch(failed)
  process.stderr.write(`${problem}\n`)
  return 1
}

process.exitCode = await main()
await flushed()
// Idle timers and pools must not keep a finished program alive.
process.exit()
