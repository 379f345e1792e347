import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually, RawConnection } from '../support/client.ts'

/**
 * An engine that died behind an ordinary answer on a connection that could be taken over gave the client a second head in
 * the middle of the first one's body (`log line\nHTTP/1.1 500 …`), and the record said 500.
 */
const UPGRADE = (protocol: string): string => `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\n`
const CALLS: readonly [what: string, bytes: string][] = [
  [
    'logs, as HttpClient of Java asks',
    `GET /v1.44/containers/x/logs?follow=1 HTTP/1.1\r\nHost: d\r\n${UPGRADE('h2c')}\r\n`,
  ],
  [
    'exec start, with Upgrade',
    `POST /v1.44/exec/x/start HTTP/1.1\r\nHost: d\r\n${UPGRADE('tcp')}Content-Length: 2\r\n\r\n{}`,
  ],
  ['exec start, without', 'POST /v1.44/exec/x/start HTTP/1.1\r\nHost: d\r\nContent-Length: 2\r\n\r\n{}'],
  ['attach', `POST /v1.44/containers/x/attach HTTP/1.1\r\nHost: d\r\n${UPGRADE('tcp')}\r\n`],
]

describe('an engine that dies behind an answer that switches nothing', () => {
  const stage = stages()

  it.each([
    ['with chunks', 'Transfer-Encoding: chunked\r\n\r\n9\r\nlog line\n\r\n'],
    ['with a length', 'Content-Length: 100\r\n\r\nlog line\n'],
  ])('leaves the client the one head that it had, and the record its status: %s', async (_how, rest) => {
    const answerOf = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${rest}`
    const { socket, audit } = await stage({
      onRequest: (req) => {
        req.socket.write(answerOf)
        setTimeout(() => req.socket.destroy(), 50)
      },
      onUpgrade: (_req, duplex) => {
        duplex.write(answerOf)
        setTimeout(() => duplex.destroy(), 50)
      },
    })
    for (const [what, bytes] of CALLS) {
      audit.length = 0
      const client = new RawConnection(socket)
      client.send(bytes)
      const text = await client.untilEnd()
      expect(text.match(/HTTP\/1\.1 /g), what).toHaveLength(1)
      expect(text, what).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
      expect(text, what).toContain('log line\n')
      await eventually(() => audit.some(({ stage: at }) => at === 'failed'), `the last record of ${what}`)
      expect(audit.at(-1), what).toMatchObject({ status: 200, error: { code: 'engine-broke-off' } })
    }
  })
})
