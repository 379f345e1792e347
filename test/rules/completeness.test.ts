import { describe, expect, it } from 'vitest'
import { changes } from '../../rules/index.ts'
import { untranslated } from '../../rules/untranslated.ts'
import { apiVersion, formatVersion, LOWEST, NEWEST } from '../../src/api/version.ts'

const translated = changes.map(({ id }) => id)
const left = Object.keys(untranslated)
const versionOf = (id: string): string => id.split('/')[0] ?? ''

/** rules/v1.58.ts has changes that engines have announced and no document dates. */
const NEXT = formatVersion(apiVersion(NEWEST + 1))

/** The tests in api-documents compare the rules with the members, parameters and endpoints in the documents of the versions. */
describe('completeness of the rules', () => {
  it('says of every version after the lowest what came with it', () => {
    const told = new Set([...translated, ...left].map(versionOf))
    const all = Array.from({ length: NEWEST - LOWEST }, (_, i) => `1.${LOWEST + 1 + i}`)
    expect(all.filter((version) => !told.has(version))).toEqual([])
    expect([...told].filter((version) => !all.includes(version))).toEqual([NEXT])
  })

  it('names each change after the version whose file it stands in', () => {
    expect(changes.filter(({ id, version }) => versionOf(id) !== formatVersion(version)).map(({ id }) => id)).toEqual(
      [],
    )
  })

  it('lists each difference once, as translated or as untranslated', () => {
    const all = [...translated, ...left]
    expect(all.filter((id, i) => all.indexOf(id) !== i)).toEqual([])
  })

  it('gives a reason in words for each untranslated difference', () => {
    expect(Object.values(untranslated).filter((reason) => !/^\S.{19,}\S$/s.test(reason))).toEqual([])
  })
})
