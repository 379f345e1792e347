import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LIMITS } from '../../bench/page.ts'

it('docs/performance.md ends with what bench/limits.md says of the figures', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/performance.md'), 'utf8')
  expect(page.endsWith(LIMITS), 'npm run bench -- --page-only writes the page again').toBe(true)
})
