import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Throws with all programs that are missing, and Debian's packages of them. */
export async function needTools(tools: Readonly<Record<string, string>>): Promise<void> {
  const missing: string[] = []
  for (const [tool, of] of Object.entries(tools))
    await run('sh', ['-c', `command -v ${tool}`]).catch(() => missing.push(`${tool} (Debian: ${of})`))
  if (missing.length > 0) throw new Error(`not installed: ${missing.join(', ')}`)
}
