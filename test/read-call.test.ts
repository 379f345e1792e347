import { posix } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Redirect, readCall } from '../src/api/read-call.ts'

describe('a request line that was read before', () => {
  it('is not read again, and is the same', () => {
    const first = readCall('GET', '/v1.22/containers/one/json?size=1')
    expect(readCall('GET', '/v1.22/containers/one/json?size=1')).toBe(first)
    expect(first).toMatchObject({ path: '/containers/one/json', search: '?size=1', match: { params: { name: 'one' } } })
  })

  it('is read again by another method, whose operation is another', () => {
    const names = ['GET', 'HEAD', 'DELETE', 'GET'].map(
      (method) => readCall(method, '/v1.22/info').match?.operation.name,
    )
    expect(names).toEqual(['SystemInfo', undefined, undefined, 'SystemInfo'])
  })

  it('is read again when it was refused, so that no error is thrown twice', () => {
    const [one, two] = [readCall('GET', '/v1.22//info'), readCall('GET', '/v1.22//info')]
    expect(one.localResponse).toBeInstanceOf(Error)
    expect(two.localResponse).toBeInstanceOf(Error)
    expect(two.localResponse).not.toBe(one.localResponse)
  })

  it('is forgotten when too many others came, and one that is too long is not kept', () => {
    const first = readCall('GET', '/v1.22/containers/kept/json')
    for (let i = 0; i < 1000; i++) readCall('GET', `/v1.22/containers/${i}/json`)
    expect(readCall('GET', '/v1.22/containers/kept/json')).not.toBe(first)
    const long = `/v1.22/containers/${'x'.repeat(1000)}/json`
    expect(readCall('GET', long)).not.toBe(readCall('GET', long))
  })
})

describe('a path with empty or dot segments', () => {
  it('is redirected to the clean one, and any other is not', () => {
    const segment = fc.constantFrom('', '.', '..', '...', '.a', 'a.', 'a..', 'containers', 'v1.22', 'json', 'a:b')
    const path = fc.array(segment, { maxLength: 12 }).map((segments) => `/${segments.join('/')}`)
    fc.assert(
      fc.property(path, (one) => {
        const { localResponse } = readCall('GET', one)
        const clean = posix.normalize(one)
        expect(localResponse instanceof Redirect ? localResponse.location : one).toBe(clean)
        expect(localResponse === undefined).toBe(clean === one)
      }),
      { numRuns: 1000 },
    )
  })
})
