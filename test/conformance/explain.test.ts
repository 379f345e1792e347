import { describe, expect, it } from 'vitest'
import { changes } from '../../rules/index.ts'
import { type CatalogueCall, callsFor, viewsRecorded } from './catalogue.ts'
import type { Finding } from './cells.ts'
import { followUps } from './comparable.ts'
import { type Explained, explains, unused } from './explain.ts'
import { explained } from './explained.ts'
import { NOT_ASKED } from './newest-calls.ts'
import { NEWEST_CLIENT } from './support/ways.ts'

const finding = (over: Partial<Finding>): Finding => ({
  ...{ call: '077-image-delete-tag', operation: 'ImageDelete', scenario: 'old', client: '1.18', way: '20.10' },
  ...{ against: 'recorded', path: 'status', problem: 'is 409, was 500' },
  ...over,
})

const entry: Explained = {
  why: 'a reason',
  scenario: 'old',
  at: [
    {
      against: 'recorded',
      calls: '077 078',
      paths: ['status'],
      problem: /^is 409, was 500$/,
      clients: ['1.18', '1.19'],
    },
  ],
}

describe('an explanation', () => {
  it('holds where everything that it names holds, and nowhere else', () => {
    expect(explains(entry, finding({}))).toBe(true)
    expect(explains(entry, finding({ call: '079-other' }))).toBe(false)
    expect(explains(entry, finding({ problem: 'is 404, was 500' }))).toBe(false)
    expect(explains(entry, finding({ client: '1.20' }))).toBe(false)
    expect(explains(entry, finding({ against: 'own' }))).toBe(false)
    expect(explains(entry, finding({ scenario: 'later' }))).toBe(false)
  })

  it('is reported with each part that nothing shows any more', () => {
    expect(unused(entry, [finding({})])).toEqual(['a reason: call 078', 'a reason: client 1.19'])
    expect(unused(entry, [finding({}), finding({ call: '078-image-delete-404', client: '1.19' })])).toEqual([])
    expect(unused(entry, [])).toHaveLength(1)
  })
})

describe('the explanations', () => {
  it('name release changes that there are', () => {
    const ids = new Set(changes.map(({ id }) => id))
    const named = explained.map(({ why }) => why).filter((why) => /^1\.\d+\//.test(why))
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((id) => !ids.has(id))).toEqual([])
  })
})

describe('the recorded answers of an engine of the newest version', () => {
  it('are there for each of the 240 calls and more', () => {
    const calls = callsFor(NEWEST_CLIENT)
      .map(({ name }) => name)
      .filter((name) => !NOT_ASKED.includes(name))
    expect(calls.length).toBeGreaterThan(240)
    expect([...viewsRecorded(NEWEST_CLIENT).keys()]).toEqual(calls)
  })
})

describe('a thing that one side made and the other did not', () => {
  const post = (name: string, path: string): CatalogueCall => ({ name, method: 'POST', path })
  const calls = [
    post('1-create', '/containers/create?name=web'),
    post('2-start', '/containers/web/start'),
    post('3-start-other', '/containers/webber/start'),
    post('4-create-again', '/containers/create?name=web'),
    post('5-start', '/containers/web/start'),
  ]

  it('leaves the calls about it out, up to the one that both make', () => {
    const here = (name: string): boolean => name !== '1-create'
    expect([...followUps(calls, here, () => true)]).toEqual(['2-start'])
    expect([
      ...followUps(
        calls,
        () => true,
        () => true,
      ),
    ]).toEqual([])
  })
})
