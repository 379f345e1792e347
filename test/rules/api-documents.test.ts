import { describe, expect, it } from 'vitest'
import { explained } from '../golden/api-documents/explained.ts'
import { openOn, used } from '../support/api-documents/accounted.ts'
import { documentVersions } from '../support/api-documents/facts.ts'
import { differences } from '../support/api-documents/published.ts'

const [first, last] = documentVersions.swagger
const minors = Array.from({ length: last - first }, (_, i) => first + 1 + i)

describe('the published documents and the rules', () => {
  it.each(minors.map((minor) => [`1.${minor}`, minor] as const))(
    'what document %s has anew, no longer or otherwise, the rules make so for the version before',
    (_version, minor) => {
      const open = differences(minor).flatMap((difference) => openOn(difference) ?? [])
      expect(open).toEqual([])
    },
  )

  it('have no explanation that is needed no more', () => {
    expect(explained.filter((entry) => !used.has(entry)).map(({ where }) => where.source)).toEqual([])
  })
})
