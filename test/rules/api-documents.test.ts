import { describe, expect, it } from 'vitest'
import { explained } from '../golden/api-documents/explained.ts'
import { documentVersions } from '../support/api-documents/facts.ts'
import { type Difference, differences } from '../support/api-documents/published.ts'
import { verdictOn } from '../support/api-documents/seen-to.ts'

const [first, last] = documentVersions.swagger
const minors = Array.from({ length: last - first }, (_, i) => first + 1 + i)

const sign = ({ before, after }: Difference): string => (before === undefined ? '+' : after === undefined ? '-' : '~')
const inWords = (difference: Difference): string =>
  `${sign(difference)} ${difference.operation} ${difference.part} ${difference.path}`.trim()

/** Explanations that something needed. */
const used = new Set<(typeof explained)[number]>()

/** What the rules do not make of a difference, in words; undefined where they do, or where there is a reason. */
function openOn(difference: Difference): string | undefined {
  const verdict = verdictOn(difference)
  if (verdict === 'agrees') return undefined
  const words = inWords(difference)
  const entry = explained.find(
    ({ versions, where }) => versions.split(' ').includes(`1.${difference.minor}`) && where.test(words),
  )
  if (entry !== undefined) {
    used.add(entry)
    return undefined
  }
  return `${words}: ${typeof verdict === 'string' ? verdict : `the rules say 1.${verdict.rulesSay}`}`
}

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
