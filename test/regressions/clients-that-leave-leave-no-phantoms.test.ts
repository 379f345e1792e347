import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually, RawConnection } from '../support/client.ts'

/**
 * A client that left before its answer was written to it made a call of its own in the audit: failed, of no method, with
 * EPIPE for an error. `docker run -d` at 1.24 does so, and showed as failures in `tail`, `summary` and the metrics.
 */
const BODY = '{"Image":"x"}'
const CALLS: readonly [what: string, bytes: string][] = [
  [
    'create',
    `POST /v1.24/containers/create HTTP/1.1\r\nHost: d\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  ],
  [
    'attach',
    'POST /v1.24/containers/x/attach?stream=1 HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n',
  ],
  ['events', 'GET /v1.24/events HTTP/1.1\r\nHost: d\r\n\r\n'],
  ['wait', 'POST /v1.24/containers/x/wait HTTP/1.1\r\nHost: d\r\nContent-Length: 0\r\n\r\n'],
  ['logs', 'GET /v1.24/containers/x/logs?follow=1 HTTP/1.1\r\nHost: d\r\n\r\n'],
  ['inspect', 'GET /v1.24/containers/x/json HTTP/1.1\r\nHost: d\r\n\r\n'],
]

describe('a client that leaves as its answer is written', () => {
  const stage = stages()

  it.each([
    ['the engine answers', false],
    ['the engine answers', true],
    ['it leaves', false],
  ] as const)(
    'leaves one record, of its own call, that is no failure (%s first, a large answer: %s)',
    async (first, large) => {
      const answers: (() => void)[] = []
      const { socket, audit, bridge } = await stage({
        onRequest: (req, res) => {
          req.resume()
          if (req.url?.endsWith('/info') === true) return void res.end('{}')
          answers.push(() => {
            res.writeHead(200, { 'Content-Type': 'application/json' })
            for (let i = 0; i < 5; i++)
              res.write(`{"StatusCode":0,"Id":"x","Type":"${'x'.repeat(large ? 50_000 : 1)}"}\n`)
          })
        },
        onUpgrade: (_req, duplex) => {
          duplex.on('error', () => duplex.destroy())
          answers.push(() =>
            duplex.write(
              `HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n${'x'.repeat(large ? 200_000 : 1)}`,
            ),
          )
        },
      })
      for (const [what, bytes] of CALLS) {
        audit.length = 0
        answers.length = 0
        const client = new RawConnection(socket)
        client.send(bytes)
        await eventually(() => answers.length === 1, `${what} at the engine`)
        if (first === 'the engine answers') answers[0]?.()
        // Behind what the engine has written, and before the bridge has read it.
        await new Promise<void>((resolve) => process.nextTick(resolve))
        client.socket.destroy()
        if (first === 'it leaves') answers[0]?.()
        await eventually(
          () => audit.some(({ stage: at }) => at === 'complete' || at === 'failed'),
          `the last record of ${what}`,
          5_000,
        )
        await new Promise((resolve) => setTimeout(resolve, 50)) // for what comes behind it
        expect(new Set(audit.map(({ auditId }) => auditId)).size, what).toBe(1)
        expect(audit.at(-1), what).toMatchObject({ stage: 'complete', endedBy: 'client' })
        expect(
          audit.filter(({ method }) => method === ''),
          what,
        ).toEqual([])
      }
      expect(await bridge.metrics.metrics()).not.toMatch(/operation="unknown"/)
    },
  )
})
