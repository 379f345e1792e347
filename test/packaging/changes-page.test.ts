import { describe, expect, it } from 'vitest'
import { changesPage } from '../../packaging/docs/changes-page.ts'
import { changes } from '../../rules/index.ts'
import { NEWEST } from '../../src/api/version.ts'

describe('the page of changes', () => {
  const page = changesPage()

  it('has every change of every version that is served, under its operation, with its source', () => {
    const served = changes.filter(({ version }) => version <= NEWEST)
    expect(served.length).toBeGreaterThan(400)
    expect(served.filter(({ id, see }) => !page.includes(`(\`${id}\`)`) || !page.includes(see))).toEqual([])
    const create = page.slice(page.indexOf('\n## POST /containers/create\n'), page.indexOf('\n## GET /containers/{'))
    expect(create).toContain('(`1.22/tmpfs`) | HostConfig.Tmpfs: refused |')
  })

  it('tells a change of all operations once', () => {
    expect(page.split('(`1.24/errors-json`)')).toHaveLength(2)
  })
})
