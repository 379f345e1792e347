import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changes } from '../rules/index.ts'
import { changesPage } from '../src/cli/docs/changes-page.ts'
import { pages } from '../src/cli/docs/pages.ts'

describe('documentation', () => {
  const committed = pages.filter(({ written }) => written === undefined)

  it.each(committed.map((page) => [page.file, page] as const))('%s is what npm run docs writes', async (file, page) => {
    const current = await readFile(join(import.meta.dirname, '..', file), 'utf8')
    expect(await page.write(current)).toBe(current)
  })

  it('has every change twice on the page of changes, by its version and by an operation', () => {
    const [byVersion, byOperation] = changesPage().split('## By operation')
    expect(changes.filter(({ id }) => !byVersion?.includes(`| \`${id}\` |`)).map(({ id }) => id)).toEqual([])
    expect(changes.filter(({ id }) => !byOperation?.includes(`\`${id}\``)).map(({ id }) => id)).toEqual([])
  })
})
