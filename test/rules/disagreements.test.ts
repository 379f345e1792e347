import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { changes, deviations } from '../../rules/index.ts'
import { untranslated } from '../../rules/untranslated.ts'

interface Disagreement {
  readonly number: number
  readonly topic: string
  readonly by?: readonly string[]
  readonly reason?: string
}

/** Where the specification (or the documents) and real engines disagree, as the survey of both counts them. */
const rows = JSON.parse(
  readFileSync(new URL('../golden/disagreements.json', import.meta.url), 'utf8'),
) as readonly Disagreement[]
const known = new Set([...changes, ...deviations].map(({ id }) => id).concat(Object.keys(untranslated)))

describe('disagreements between the specification and real engines', () => {
  it('are all there', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 55 }, (_, i) => i + 1))
  })

  it.each(rows.map((row) => [row.number, row.topic, row] as const))(
    '%i, %s: has its rules or a reason',
    (_n, _t, row) => {
      expect((row.by ?? []).filter((id) => !known.has(id))).toEqual([])
      if (row.by === undefined) expect(row.reason).toMatch(/^\S.{19,}\S$/)
    },
  )

  it('are what every deviation is about, or its row in the tables', () => {
    const named = new Set(rows.flatMap(({ by = [] }) => by))
    const tables = readFileSync(new URL('../golden/specification.json', import.meta.url), 'utf8')
    const elsewhere = readFileSync(new URL('../golden/disagreements.json', import.meta.url), 'utf8')
    const nowhere = deviations.filter(
      ({ id, podman }) => !podman && !named.has(id) && !tables.includes(id) && !elsewhere.includes(id),
    )
    expect(nowhere.map(({ id }) => id)).toEqual([
      'spec/raw-stream-name', // a name, not a disagreement
      // Of these real engines disagree with each other, and by default the answer is the union.
      'spec/graph-driver-from-1.20',
      'spec/limits-in-host-config',
      'spec/config-omits-empty',
      'spec/sandbox-id-from-1.21',
    ])
  })
})
