import { describe, expect, it } from 'vitest'
import { isObject } from '../../src/api/json/json.ts'
import { readAsGo } from '../../src/api/json/read.ts'
import { Members, membersOf, Violation } from '../../src/policy/bodies/members.ts'

const read = (text: string): Members => {
  const { value } = readAsGo(text)
  if (value === undefined || !isObject(value)) throw new Error('no object')
  return new Members(value)
}

describe('the members of a body that the policy judges', () => {
  it('are found in any case, the long s and the Kelvin sign included', () => {
    const members = read('{"priVILEGED":true,"\u017fecurityOpt":["a"],"Networ\u212aMode":"host"}')
    expect(members.get('Privileged')).toBe(true)
    expect(members.get('SecurityOpt')).toEqual(['a'])
    expect(members.get('NetworkMode')).toBe('host')
    expect(members.get('Binds')).toBeUndefined()
  })

  it('are not guessed where two spellings of one are there', () => {
    const members = read('{"a":1,"A":2,"b":{"x":1}}')
    expect(members.entries.map(([name]) => name)).toEqual(['a', 'A', 'b'])
    expect(() => members.get('a')).toThrow(Violation)
    expect(membersOf(members.get('b') ?? null)?.get('X')).toBe(1)
  })

  it('of a map are told apart by case', () => {
    expect([...read('{"a":"1","A":"2","__proto__":"3"}').entries]).toEqual([
      ['a', '1'],
      ['A', '2'],
      ['__proto__', '3'],
    ])
  })

  it('named like those of every JavaScript object are none', () => {
    expect(read('{}').get('constructor')).toBeUndefined()
  })
})
