import { describe, expect, it } from 'vitest'
import { readRequests, readResponses } from '../support/http-messages.ts'
import { disagreement } from './http/compare.ts'
import { explained } from './http/explained.ts'
import { readByLlhttp } from './http/llhttp.ts'
import { readByUndici } from './http/node.ts'
import { statusAlone } from './http/targets.ts'

describe('where we read otherwise than llhttp and are not just stricter', () => {
  it.each(explained.map((one) => [one.id, one] as const))('%s: its example still shows it', async (_id, one) => {
    const pieces = [Buffer.from(one.example, 'latin1')]
    const method = one.example.startsWith('HTTP/') ? 'GET' : undefined
    const ours = method === undefined ? readRequests(pieces) : readResponses(pieces, method)
    const found =
      one.reader === 'llhttp'
        ? disagreement(ours, readByLlhttp(pieces, method, method !== undefined))
        : disagreement(statusAlone(ours), await readByUndici(pieces, 'GET'))
    expect(found).toBeDefined()
    expect(found !== undefined && one.holds(found, one.example)).toBe(true)
    expect(explained.filter(({ holds }) => found !== undefined && holds(found, one.example))).toEqual([one])
  })

  it('llhttp itself is there, and reads what everybody reads', () => {
    const request = [Buffer.from('POST / HTTP/1.1\r\nHost: d\r\nContent-Length: 1\r\n\r\na')]
    expect(readByLlhttp(request, undefined, false)).toMatchObject({
      messages: [{ start: ['POST', '/', '1.1'], fields: ['Host', 'd', 'Content-Length', '1'], body: 'a', whole: true }],
      error: undefined,
    })
    expect(readByLlhttp([Buffer.from('GET / HTTP/1.1\nHost: d\n\n')], undefined, false).error).toMatch(/CRLF/)
  })
})
