import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually, RawConnection } from '../support/client.ts'

// A client that left a stream was recorded as `failed`, with the engine to blame: "the engine broke off: the client left".
// Aborting the engine's answer reported that abort before the call was settled.
describe('the audit record of a client that leaves in the middle of an answer', () => {
  const stage = stages()

  it.each(['/v1.20/events', '/v1.51/events', '/v1.51/containers/x/logs?follow=1', '/v1.18/containers/x/stats'])(
    'is complete and says who left: %s',
    async (path) => {
      const { socket, audit } = await stage({
        onRequest: (_req, res) => {
          res.writeHead(200, { 'Content-Type': 'application/json' })
          res.write('{}\n')
        },
      })
      const client = new RawConnection(socket)
      client.send(`GET ${path} HTTP/1.1\r\nHost: d\r\n\r\n`)
      await client.until((text) => text.includes('\r\n\r\n'))
      client.socket.destroy()
      await eventually(() => audit.some(({ stage: at }) => at === 'complete' || at === 'failed'), 'the last record')
      expect(audit.at(-1)).toMatchObject({ stage: 'complete', endedBy: 'client', status: 200 })
      expect(audit.at(-1)?.error).toBeUndefined()
    },
  )
})
