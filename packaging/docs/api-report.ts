import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The declarations that `import … from 'enginebridge'` has, as text: a diff of it shows when types break. */
export const API_REPORT = 'docs/api.d.ts.txt'

const root = join(import.meta.dirname, '../..')
const FILES = [
  'src/tools/library/library',
  'src/tools/library/bridge',
  'src/tools/library/translate',
  'src/tools/library/types',
  'src/api/json/value',
]

/** Compiles the declarations, as the build has them. */
export async function apiReport(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'enginebridge-api-'))
  try {
    const compiler = join(root, 'node_modules/.bin/tsc')
    await promisify(execFile)(compiler, ['-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--outDir', folder], {
      cwd: root,
    })
    return await reportOf(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The report of compiled declarations. `folder`: what tsc wrote. */
export async function reportOf(folder: string): Promise<string> {
  const texts = await Promise.all(
    FILES.map(async (file) => `// ${file}.d.ts\n\n${await readFile(join(folder, `${file}.d.ts`), 'utf8')}`),
  )
  const head =
    '// Written by `npm run docs`; a test fails when it differs. A change here is a change for those who embed it.\n'
  return `${head}\n${texts.join('\n')}`
}
