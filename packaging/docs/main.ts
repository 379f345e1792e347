import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pages, unkept } from './pages.ts'

/** `npm run docs`: writes every generated page. Tests say which of the committed ones differ. */
for (const { file, write } of [...pages, unkept]) {
  const path = join(import.meta.dirname, '../..', file)
  const current = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const wanted = await write(current)
  if (wanted !== current) writeFileSync(path, wanted)
}
