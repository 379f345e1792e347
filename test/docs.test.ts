import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pages } from '../src/cli/docs/pages.ts'

describe('documentation', () => {
  it.each(pages.map((page) => [page.file, page] as const))('%s is what npm run docs writes', async (file, page) => {
    const current = await readFile(join(import.meta.dirname, '..', file), 'utf8')
    expect(await page.write(current)).toBe(current)
  })
})
