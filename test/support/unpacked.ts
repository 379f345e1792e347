import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { type Tool, toolFolder } from '../clients/tools.ts'
import '../live/support/provided.ts'

const execute = promisify(execFile)

/** A program of a Debian package, unpacked beside the machine's own; undefined, and said loudly, where none can be had. */
export async function unpacked(tool: Tool): Promise<string | undefined> {
  const { missing, required } = inject('live')
  try {
    if (missing !== undefined) throw new Error(missing)
    return await toolFolder(tool)
  } catch (cause) {
    if (required) throw cause
    process.stderr.write(`\n*** SKIPPED: what needs ${tool}: ${String(cause)} ***\n\n`)
    return undefined
  }
}

/** Runs a command with that folder laid over /usr, in a mount namespace of its own: shells look for their modules there. */
export async function withOverUsr(folder: string, command: readonly string[]): Promise<string> {
  const script = 'mount -t overlay overlay -o "lowerdir=$1:/usr" /usr && shift && exec "$@"'
  const args = ['-m', 'bash', '-c', script, 'bash', folder, ...command]
  const { stdout } = await execute('unshare', args, { timeout: 60_000 })
  return stdout
}
