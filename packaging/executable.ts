import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { ascii, builtins, FLAGS, OUTPUT, parts, seldom } from './plugins.ts'
import { provenRules } from './rules.ts'

/** The program and its Node in one file (nodejs.org/api/single-executable-applications.html). */

const ROOT = join(import.meta.dirname, '..')
const run = promisify(execFile)

/** Writes the executable for this machine to `output`. `node`: the Node to put it into. */
export async function makeExecutable(output: string, node = process.execPath): Promise<void> {
  const folder = join(ROOT, 'dist', 'executable')
  await mkdir(folder, { recursive: true })
  const main = join(folder, 'enginebridge.mjs')
  await bundleTo(main)
  const stripped = join(folder, 'node')
  await copyFile(node, stripped)
  // A fifth of it are names for debuggers.
  await run('strip', ['--strip-all', stripped])
  const page = join(ROOT, 'src', 'tools', 'inspect', 'page')
  const files = (await readdir(page, { withFileTypes: true, recursive: true })).filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name))
  const assets = Object.fromEntries(paths.map((path) => [relative(page, path), path]))
  const config = join(folder, 'sea.json')
  await writeFile(
    config,
    JSON.stringify({
      ...{ main, mainFormat: 'module', executable: stripped, output, assets },
      ...{ useCodeCache: true, disableExperimentalSEAWarning: true, execArgv: FLAGS, execArgvExtension: 'none' },
    }),
  )
  await run(node, ['--build-sea', config])
  // After that: what patchelf moves, the builder of the executable would not find again.
  await run('patchelf', ['--set-rpath', '$ORIGIN/lib', output])
}

async function bundleTo(file: string): Promise<void> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: join('packaging', 'executable-main.ts'),
    platform: 'node',
    plugins: [builtins, parts, seldom('inside'), provenRules, ascii],
    checks: { ineffectiveDynamicImport: false },
  })
  await bundle.write({ ...OUTPUT, file, format: 'esm', codeSplitting: false })
  await bundle.close()
}
