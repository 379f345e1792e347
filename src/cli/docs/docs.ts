import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_REPORT, apiReport } from './api-report.ts'
import { pages } from './pages.ts'

/** `npm run docs`: writes every generated page. With `--check` it only says which differ, and exits 1 when one does. */
const root = join(import.meta.dirname, '../../..')
const check = process.argv.includes('--check')
const stale: string[] = []
for (const page of pages) {
  if (check && page.written === 'on demand') continue
  const path = join(root, page.file)
  const current = readOr(path, '')
  const wanted = await page.write(current)
  if (wanted === current) continue
  if (check) stale.push(page.file)
  else writeFileSync(path, wanted)
}
if (process.argv.includes('--api') || !check) {
  const report = await apiReport()
  if (report !== readOr(join(root, API_REPORT), '')) {
    if (check) stale.push(API_REPORT)
    else writeFileSync(join(root, API_REPORT), report)
  }
}
if (stale.length > 0)
  process.stderr.write(`these pages differ from their source; run npm run docs: ${stale.join(', ')}\n`)
process.exitCode = stale.length > 0 ? 1 : 0

function readOr(path: string, fallback: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return fallback
    throw cause
  }
}
