import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const MODULES = join(import.meta.dirname, '../../node_modules')
const OPTIONS = [
  '--noEmit',
  '--strict',
  '--skipLibCheck',
  '--ignoreConfig',
  '--target',
  'esnext',
  '--module',
  'nodenext',
]
const execute = promisify(execFile)

/**
 * What the compiler has against a value as a package's published type: a member that is missing, unknown or of another kind.
 * Written as a literal, because only there the compiler objects to a member that the type does not have.
 */
export async function typeErrors(value: unknown, name: string, module: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'eb-typed-'))
  try {
    symlinkSync(MODULES, join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    const literal = JSON.stringify(value, undefined, 1)
    writeFileSync(
      join(folder, 'it.ts'),
      `import type { ${name} } from '${module}'\nexport const it: ${name} = ${literal}\n`,
    )
    const args = [join(MODULES, 'typescript/bin/tsc'), ...OPTIONS, '--types', '', '--pretty', 'false', 'it.ts']
    const { stdout } = await execute(process.execPath, args, { cwd: folder, timeout: 100_000 }).catch(
      (failed: { stdout: string }) => failed,
    )
    return stdout.trim() === '' ? [] : stdout.trim().split('\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
