import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually, RawConnection } from '../support/client.ts'
import { answer, RawEngine } from '../support/raw-engine.ts'

/**
 * node:http answered HTTP/1.1 without `Host` and an unknown `Expect` by itself: no record was made of them, and the next
 * pipelined request still went to the engine.
 */
const REFUSED: readonly [what: string, status: number, head: string][] = [
  ['HTTP/1.1 without Host', 400, 'GET /v1.44/containers/json HTTP/1.1\r\n\r\n'],
  ['an unknown expectation', 417, 'POST /v1.44/containers/x/kill HTTP/1.1\r\nHost: d\r\nExpect: 200-ok\r\n\r\n'],
  [
    'an unknown expectation with a body',
    417,
    'POST /v1.44/containers/create HTTP/1.1\r\nHost: d\r\nExpect: 200-ok\r\nContent-Length: 2\r\n\r\n{}',
  ],
]

describe('a request that HTTP itself refuses', () => {
  const stage = stages()
  let engine: RawEngine
  afterEach(() => engine.close())

  it.each(REFUSED)('is recorded, and what follows it never reaches the engine: %s', async (_what, status, head) => {
    engine = new RawEngine(join(stage.folder(), 'raw.sock'), () => answer('200 OK', '', 'OK'))
    await engine.listen()
    const bridge = await stage.bridge(engine.socket)
    const client = new RawConnection(bridge.socket)
    client.send(`${head}DELETE /v1.44/containers/x HTTP/1.1\r\nHost: d\r\n\r\n`)
    const text = await client.untilEnd()
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(text).toMatch(/^Connection: close\r$/im)
    await eventually(() => bridge.audit.length > 0, 'a record')
    const [method, target = ''] = head.split(' ')
    expect(bridge.audit).toMatchObject([
      { stage: 'failed', method, path: target.replace('/v1.44', ''), status, endedBy: 'bridge' },
    ])
    expect(engine.seen).toEqual([])
  })

  it('is refused in the same way behind a call that was served', async () => {
    engine = new RawEngine(join(stage.folder(), 'raw.sock'), () => answer('200 OK', '', 'OK'))
    await engine.listen()
    const bridge = await stage.bridge(engine.socket)
    const client = new RawConnection(bridge.socket)
    const served = 'GET /v1.44/_ping HTTP/1.1\r\nHost: d\r\n\r\n'
    client.send(`${served}GET /v1.44/info HTTP/1.1\r\n\r\n${served}`)
    const text = await client.untilEnd()
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
    expect(engine.requests.map(({ target }) => target)).toEqual(['/v1.44/_ping'])
    await eventually(() => bridge.audit.some(({ status }) => status === 400), 'a record of the second')
  })
})
