import { describe, expect, it } from 'vitest'
import { scrub } from '../../src/audit/redact/text.ts'
import { recorder } from '../../src/tools/recording/recorder.ts'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

describe('a secret in a URL', () => {
  it.each([
    ["https://user:pa'ss@host/x.git", 'https://[redacted]@host/x.git'],
    ['https://user:p@ss@host/x.git', 'https://[redacted]@host/x.git'],
    ['https://h/x?X-Amz-Date=1&X-Amz-Signature=abc&y=1', 'https://h/x?X-Amz-Date=1&X-Amz-Signature=[redacted]&y=1'],
    ['https://h/x?sv=1&sig=abc%3D', 'https://h/x?sv=1&sig=[redacted]'],
    ['https://h/x?X-Goog-Signature=abc', 'https://h/x?X-Goog-Signature=[redacted]'],
    ['--my-token x --api.key y tokens z', '--my-token [redacted] --api.key [redacted] tokens z'],
    ['https://h/a@b and http://h/c', 'https://h/a@b and http://h/c'],
  ])('is taken out of %j', (text, clean) => {
    expect(scrub(text)).toBe(clean)
  })

  it.each(['-', 'a.', '-a', 'token-', '--token '])('is looked for in a megabyte of %j in no time', (piece) => {
    const text = piece.repeat(1_000_000 / piece.length)
    const began = process.cpuUsage().user
    scrub(text)
    expect((process.cpuUsage().user - began) / 1e6).toBeLessThan(3) // it was five seconds for a fifth of it
  })

  const stage = stages()
  it('is taken out of the path of a record and of a recording too', async () => {
    const calls: unknown[] = []
    const observers = [recorder((one) => calls.push(one))]
    const { socket, audit } = await stage({ onRequest: (_req, res) => res.end('{}') }, [], { observers })
    await call(socket, '/v1.51/nowhere/token=PLANTED')
    await call(socket, '/v1.51/nowhere/https:%2f%2fu:PLANTED@h')
    await call(socket, '/v1.51/images/alpine@sha256:abc/json')
    expect([audit.length > 0, calls.length]).toEqual([true, 2]) // a redirect is no call
    expect(JSON.stringify([audit, calls])).not.toContain('PLANTED')
    expect(audit.at(-1)).toMatchObject({ path: '/images/alpine@sha256:abc/json' })
  })
})
