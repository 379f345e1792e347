import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { scrub } from '../../src/audit/redact/text.ts'
import { stages } from '../support/bridge.ts'
import { call, eventually, RawConnection } from '../support/client.ts'

const MARK = 'hunter2X7'
const TRACE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`

describe('a secret of a call', () => {
  const stage = stages()

  it('is taken out of a query where the build arguments are no JSON', async () => {
    const { socket, audit } = await stage({ onRequest: (req, res) => res.writeHead(400).end(`bad: ${req.url}`) })
    for (const value of [`TOKEN=${MARK}`, `{"A":"${MARK}"`, `"${MARK}"`])
      await call(socket, `/v1.51/build?buildargs=${encodeURIComponent(value)}`, { method: 'POST' })
    expect(audit.length).toBeGreaterThan(0)
    expect(JSON.stringify(audit)).not.toContain(MARK)
    await call(socket, '/v1.51/build?buildargs=null', { method: 'POST' })
    expect(audit.at(-1)).toMatchObject({ query: '?buildargs=null' })
  })

  it('is taken out of a text that quotes it with escapes', () => {
    const secret = `{"key":\n"${MARK}"}`
    expect(scrub(`invalid: ${JSON.stringify([secret])}`, [secret])).toBe('invalid: ["[redacted]"]')
    expect(scrub(`invalid: ${secret}`, [secret])).toBe('invalid: [redacted]')
  })

  it('cannot be guessed by the hash of its body when the call was cut', async () => {
    let isThere = false
    const onRequest = async (req: AsyncIterable<Buffer>): Promise<void> => {
      for await (const _ of req);
      isThere = true
    }
    const { socket, audit } = await stage({ onRequest }, ['--audit-level', 'request'])
    const body = JSON.stringify({ username: 'u', password: MARK })
    const client = new RawConnection(socket)
    const head = `POST /v1.51/auth HTTP/1.1\r\nHost: d\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    client.send(`${head}\r\n${body}`)
    await eventually(() => isThere, 'the call is with the engine')
    client.socket.destroy()
    await eventually(() => audit.length === 2, 'the call is over')
    const redacted = createHash('sha256')
      .update(JSON.stringify({ username: 'u', password: '[redacted]' }))
      .digest('hex')
    expect(audit[1]).toMatchObject({ requestBody: { bytes: body.length, withheld: 'incomplete', sha256: redacted } })
  })

  it('cannot be guessed by the hash of a body that is withheld', async () => {
    const { socket, audit } = await stage({ onRequest: (_req, res) => res.end('{}') }, ['--audit-level', 'request'])
    // Podman's body is the secret itself.
    await call(socket, '/v1.51/libpod/secrets/create?name=x', { method: 'POST', body: MARK })
    await call(socket, '/v1.51/auth', { method: 'POST', body: `{"password":"${MARK}"} .` })
    const hashes = audit.flatMap(({ requestBody }) => (requestBody as { sha256: string } | undefined)?.sha256 ?? [])
    expect(hashes).toEqual(hashes.map(() => createHash('sha256').update('[redacted]').digest('hex')))
    expect(hashes).toHaveLength(2)
  })

  it('is not recorded behind the trace of a call', async () => {
    const { socket, audit } = await stage({ onRequest: (_req, res) => res.end('{}') })
    await call(socket, '/v1.51/info', { headers: { traceparent: `${TRACE}-${MARK}` } })
    expect(audit.at(-1)).toMatchObject({ traceparent: TRACE })
  })
})
