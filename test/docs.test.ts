import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { API_REPORT } from '../packaging/docs/api-report.ts'
import { pages } from '../packaging/docs/pages.ts'

describe('documentation', () => {
  // The compiler takes long: test/library/package.slow.test.ts does that one.
  const quick = pages.filter(({ file }) => file !== API_REPORT)

  it.each(quick.map((page) => [page.file, page] as const))('%s is what npm run docs writes', async (file, page) => {
    const current = await readFile(join(import.meta.dirname, '..', file), 'utf8')
    expect(await page.write(current)).toBe(current)
  })
})
