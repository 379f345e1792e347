import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Throws an error that names all missing programs and their Debian packages. */
export async function needTools(tools: Readonly<Record<string, string>>): Promise<void> {
  const missing: string[] = []
  for (const [tool, of] of Object.entries(tools))
    await run('sh', ['-c', `command -v ${tool}`]).catch(() => missing.push(`${tool} (Debian: ${of})`))
  if (missing.length > 0) throw new Error(`not installed: ${missing.join(', ')}`)
}
