import { describe, expect, it } from 'vitest'
import type { RecordedCall } from '../../src/tools/recording/format.ts'
import { recorder } from '../../src/tools/recording/recorder.ts'
import { stages } from '../support/bridge.ts'
import { eventually, RawConnection } from '../support/client.ts'

/** The audit record and a recording had the client's User-Agent as it came: paths, queries and names were cleaned, it was not. */
describe('what a client says of itself', () => {
  const stage = stages()

  it.each([
    ['curl/8 https://me:hunter2@host/x', 'curl/8 https://[redacted]@host/x'],
    ['ci/1 (token=hunter2)', 'ci/1 (token=[redacted]'],
    ['ci --password hunter2', 'ci --password [redacted]'],
    ['x\x9b2Jy\x85', 'x\ufffd2Jy\ufffd'],
    ['docker-py/1.10.6 Linux/6.1', 'docker-py/1.10.6 Linux/6.1'],
    ['Docker-Client/28.2.2 (linux)', 'Docker-Client/28.2.2 (linux)'],
  ])('%j stands in the records as %j', async (agent, clean) => {
    const recorded: RecordedCall[] = []
    const observers = [recorder((one) => recorded.push(one))]
    const { socket, audit } = await stage({ onRequest: (_req, res) => res.end('{}') }, [], { observers })
    const client = new RawConnection(socket)
    const head = `GET /v1.51/info HTTP/1.1\r\nHost: d\r\nUser-Agent: ${agent}\r\nConnection: close\r\n\r\n`
    client.send(Buffer.from(head, 'latin1'))
    await client.untilEnd()
    await eventually(() => audit.some(({ stage }) => stage === 'complete') && recorded.length > 0, 'the call is over')
    expect(new Set(audit.map(({ userAgent }) => userAgent))).toEqual(new Set([clean]))
    expect(recorded[0]?.userAgent).toBe(clean)
  })
})
