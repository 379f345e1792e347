import { describe, expect, it } from 'vitest'
import { sumOfNetworks } from '../../rules/v1.21/containers.ts'
import { isObject, parseJson, writeJson } from '../../src/api/json/json.ts'

const sumOf = (text: string): string => {
  const record = parseJson(text)
  return isObject(record) ? writeJson(sumOfNetworks(record)) : ''
}

describe('the sum of the network interfaces', () => {
  it('is exact beyond 2^53, where a JavaScript number would round', () => {
    const record = '{"networks":{"eth0":{"rx_bytes":9007199254740993},"eth1":{"rx_bytes":9007199254740994}}}'
    expect(sumOf(record)).toContain('"rx_bytes":18014398509481987,')
  })

  it('is zero for every counter when there is no interface', () => {
    expect(sumOf('{}')).toBe(sumOf('{"networks":{}}'))
    expect(Object.values(JSON.parse(sumOf('{}')))).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
  })
})
