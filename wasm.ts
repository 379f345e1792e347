import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import wabt from 'wabt'

/** `npm run wasm`: makes the module of src/lanes/finder/finder.wat, as a text that the program holds. */
const FOLDER = join(import.meta.dirname, 'src', 'lanes', 'finder')
export const WRITTEN = join(FOLDER, 'module.ts')

export async function finderModule(): Promise<string> {
  const { parseWat } = await wabt()
  const name = 'finder.wat'
  const parsed = parseWat(name, await readFile(join(FOLDER, name), 'utf8'), { simd: true, mutable_globals: true })
  try {
    parsed.validate()
    return source(Buffer.from(parsed.toBinary({}).buffer).toString('base64'))
  } finally {
    parsed.destroy()
  }
}

const source = (base64: string): string => `/** finder.wat as WebAssembly, in base64; written by \`npm run wasm\`. */
export const MODULE =
  '${base64}'
`

if (import.meta.main) await writeFile(WRITTEN, await finderModule())
