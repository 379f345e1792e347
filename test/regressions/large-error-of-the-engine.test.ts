import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, eventually } from '../support/client.ts'

/** An engine's error above the bound was told, and recorded, as "the engine broke off: the client left". */
describe('an engine’s answer that is larger than what is held', () => {
  const stage = stages()

  it.each([
    ['an error', 'GET', '/v1.51/containers/x/json', 500],
    ['an error of a stream', 'GET', '/v1.51/containers/x/logs?follow=1', 404],
    ['an error of a tunnel', 'POST', '/v1.51/containers/x/attach', 404],
  ])('is refused with its size, and nobody is said to have left: %s', async (_what, method, path, status) => {
    const { socket, audit } = await stage({
      onRequest: (_req, res) => {
        res.writeHead(status, { 'Content-Type': 'text/plain' })
        res.end(Buffer.alloc(2 << 20, 'x'))
      },
      onUpgrade: (_req, duplex) => {
        duplex.on('error', () => duplex.destroy())
        duplex.end(`HTTP/1.1 ${status} No\r\nContent-Type: text/plain\r\n\r\n${'x'.repeat(2 << 20)}`)
      },
    })
    const reply = await call(socket, path, { method })
    expect(reply.status).toBe(502)
    expect(reply.headers['enginebridge-error']).toBe('engine-broke-off')
    expect(reply.text).toBe('{"message":"the engine\'s response is larger than 1048576 bytes"}\n')
    await eventually(() => audit.some(({ stage: at }) => at === 'failed'), 'the last record')
    expect(audit.at(-1)).toMatchObject({
      stage: 'failed',
      status: 502,
      error: { code: 'engine-broke-off', message: "the engine's response is larger than 1048576 bytes" },
    })
    expect(audit.at(-1)?.['endedBy']).not.toBe('client')
  })

  it('a record of a stream above its bound is recorded as that, behind the head', async () => {
    const { socket, audit } = await stage(
      {
        onRequest: (_req, res) => {
          res.writeHead(200, { 'Content-Type': 'application/json' })
          res.write(`{"Type":"${'x'.repeat(100_000)}"}\n`)
        },
      },
      ['--max-record', '64KiB'],
    )
    await expect(call(socket, '/v1.20/events')).rejects.toThrow()
    await eventually(() => audit.some(({ stage: at }) => at === 'failed'), 'the last record')
    expect(audit.at(-1)).toMatchObject({
      stage: 'failed',
      error: { code: 'engine-broke-off', message: 'a record is larger than 65536 bytes' },
    })
    expect(audit.at(-1)?.['endedBy']).not.toBe('client')
  })
})
