import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, RawConnection } from '../support/client.ts'

/**
 * Bodies that were read for their form, or refused for their size, had no bytes in their records. A client that asked before it
 * sent too large a body (Expect) was told to go on, and then refused.
 */
const H = 'Host: d\r\nContent-Type: application/json\r\n'
const CREATE = 'POST /v1.44/containers/create HTTP/1.1\r\n'
const LIMIT = ['--max-request-body', '1KiB']

describe('the body of a request', () => {
  const stage = stages()

  it('that is read as a form has its bytes in the record', async () => {
    const { socket, audit } = await stage({ onRequest: (_req, res) => void res.writeHead(204).end() })
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    await call(socket, '/v1.44/containers/x/kill', { method: 'POST', headers, body: 'signal=KILL' })
    expect(audit.at(-1)).toMatchObject({ status: 204, bytesIn: 11 })
  })

  it('that is refused within it has the bytes that came in the record', async () => {
    const { socket, audit } = await stage({}, LIMIT)
    const client = new RawConnection(socket)
    const chunk = 'x'.repeat(1025)
    client.send(`${CREATE}${H}Transfer-Encoding: chunked\r\n\r\n401\r\n${chunk}\r\n`)
    expect(await client.untilEnd()).toMatch(/^HTTP\/1\.1 413 /)
    expect(audit.at(-1)).toMatchObject({ status: 413, bytesIn: 1025 })
  })

  it('that is announced as too large is refused before it is asked for', async () => {
    const { socket } = await stage({}, LIMIT)
    const client = new RawConnection(socket)
    client.send(`${CREATE}${H}Expect: 100-continue\r\nContent-Length: 1025\r\n\r\n`)
    expect(await client.untilEnd()).toMatch(/^HTTP\/1\.1 413 /)
  })
})
