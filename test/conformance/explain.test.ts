import { describe, expect, it } from 'vitest'
import type { Finding } from './cells.ts'
import { type Explained, explains, unused } from './explain.ts'

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
