import { describe, expect, it } from 'vitest'
import { HeaderNames, Headers } from '../src/http/headers.ts'

const pairs = [
  ['Host', 'docker'],
  ['accept', 'a'],
  ['X-Two', '1'],
  ['Accept', 'b'],
  ['x-two', '2'],
] as const

describe('headers', () => {
  it('are found by their name in any case, the first of several, and all of them as one list', () => {
    const headers = new Headers(pairs)
    expect([headers.get('HOST'), headers.get('X-Two'), headers.get('x-tw'), headers.has('hosT')]).toEqual([
      'docker',
      '1',
      undefined,
      true,
    ])
    expect([headers.list('ACCEPT'), headers.list('x-none')]).toEqual(['a, b', ''])
  })

  it('are not found in a value, in a longer name, or without their colon', () => {
    const headers = Headers.fromLines('X-Host: a\r\nX: \tHost: b\r\nHosts: c\r\nHost-Name: d\r\n')
    expect([headers.has('Host'), headers.get('host'), headers.list('host')]).toEqual([false, undefined, ''])
    headers.delete('host')
    headers.set('Host', 'e')
    expect(headers.lines).toBe('X-Host: a\r\nX: \tHost: b\r\nHosts: c\r\nHost-Name: d\r\nHost: e\r\n')
  })

  it('have values without blanks around them, and lines as they came', () => {
    const lines = 'A:\t 1 \t\r\nB:\r\nC:2\r\n'
    const headers = Headers.fromLines(lines)
    expect(headers.raw()).toEqual(['A', '1', 'B', '', 'C', '2'])
    expect([headers.get('a'), headers.get('b'), headers.list('c'), headers.copy().lines]).toEqual(['1', '', '2', lines])
  })

  it('cannot get a line of another by their value', () => {
    const headers = new Headers([['A', 'x\r\nB: y\0\u2028']])
    expect(headers.lines).toBe('A: x??B: y??\r\n')
  })

  it('are replaced at the place of the first, and the others of that name go', () => {
    const headers = new Headers(pairs)
    headers.set('X-TWO', '3')
    headers.set('New', 'n')
    expect(headers.raw()).toEqual(['Host', 'docker', 'accept', 'a', 'X-TWO', '3', 'Accept', 'b', 'New', 'n'])
  })

  it('are deleted by their name in any case, every one of it', () => {
    const headers = new Headers(pairs)
    headers.delete('ACCEPT')
    headers.delete('x-none')
    expect(headers.entries()).toEqual([pairs[0], pairs[2], pairs[4]])
  })

  it('are copied from what came, so that a change does not show there', () => {
    const raw = ['Host', 'a', 'Upgrade', 'tcp', 'UPGRADE', 'h2c', 'TE', 'x']
    const headers = Headers.fromRaw(raw)
    headers.set('host', 'b')
    const others = headers.without(new HeaderNames(['Upgrade', 'host']), 'Host: docker\r\n')
    others.append('Last', 'one')
    expect(raw[1]).toBe('a')
    expect(headers.raw()).toEqual(['host', 'b', 'Upgrade', 'tcp', 'UPGRADE', 'h2c', 'TE', 'x'])
    expect(others.raw()).toEqual(['Host', 'docker', 'TE', 'x', 'Last', 'one'])
  })

  it('are left out in any case when they came, and a name of the same length is not', () => {
    const names = new HeaderNames(['Upgrade', 'TE']).and(['x-own'])
    const headers = Headers.fromRaw(['uPGRADE', '1', 'Upgrada', '2', 'te', '3', 'ta', '4', 'X-Own', '5'])
    expect(headers.without(names).raw()).toEqual(['Upgrada', '2', 'ta', '4'])
  })
})
