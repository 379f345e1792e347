import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import { describe, expect, it } from 'vitest'
import { portOf, stages } from '../support/bridge.ts'
import { Authority } from '../support/certificates.ts'
import { eventually, RawConnection } from '../support/client.ts'
import { tally } from '../support/tally.ts'

tally('requests that are no HTTP')

/** A request that the parser cannot read has an audit record too: its peer, the time, the reason and the number of bytes. */
describe('requests that are no HTTP', () => {
  const stage = stages()

  async function refused(bytes: string, flags: readonly string[] = []): Promise<Record<string, unknown>> {
    const { socket, audit, bridge, engine } = await stage({}, flags)
    const client = new RawConnection(socket)
    client.send(Buffer.from(bytes, 'latin1'))
    await client.untilEnd(20_000)
    expect(audit).toHaveLength(1)
    expect(engine.seen).toEqual([])
    expect(audit[0]).toMatchObject({ stage: 'failed', listener: `unix://${socket}`, peer: {}, endedBy: 'bridge' })
    expect(bridge.addresses).toHaveLength(1)
    return audit[0] ?? {}
  }

  it('are recorded with the reason and the number of bytes, and without what they said', async () => {
    const record = await refused('\x16\x03\x01 password=hunter2\r\n\r\n')
    expect(record).toMatchObject({ method: '', path: '', status: 400, bytesIn: 24, error: { code: 'bad-request' } })
    expect(JSON.stringify(record)).not.toContain('hunter2')
  })

  it('are recorded with method and path where the request line could be read, without secrets of the query', async () => {
    const record = await refused(
      'POST /v1.44/build?password=hunter2&t=x HTTP/1.1\r\nHost: d\r\nX-Secret hunter3\r\n\r\n',
    )
    expect(record).toMatchObject({
      method: 'POST',
      path: '/build',
      prefix: '1.44',
      operation: 'ImageBuild',
      status: 400,
    })
    expect(JSON.stringify(record)).not.toMatch(/hunter/)
  })

  it('are recorded when their head is too large', async () => {
    const record = await refused(`GET /_ping HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, ['--max-header', '8KiB'])
    expect(record).toMatchObject({ path: '/_ping', status: 431, error: { code: 'header-too-large' } })
  })

  it('are recorded when their head does not come', async () => {
    const record = await refused('GET /_ping HT', ['--header-timeout', '100ms'])
    expect(record).toMatchObject({ status: 408, error: { code: 'request-timeout' } })
  })

  it('are recorded when they ask for another server', async () => {
    const record = await refused('CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n')
    expect(record).toMatchObject({ method: 'CONNECT', path: 'evil.example:443', error: { code: 'bad-request' } })
  })

  it('are recorded when the handshake fails, with the address', async () => {
    const authority = new Authority(join(stage.folder(), 'ca'))
    const { cert, key, ca } = authority.issue('bridge', join(stage.folder(), 'bridge'))
    const flags = ['--listen', 'tcp://127.0.0.1:0', '--tls-cert', cert, '--tls-key', key, '--tls-ca', ca]
    const { bridge, audit } = await stage({}, flags)
    const client = tls.connect({
      host: '127.0.0.1',
      port: portOf(bridge),
      rejectUnauthorized: false,
    })
    client.on('error', () => client.destroy()).resume()
    await eventually(() => audit.length === 1, 'the handshake is recorded')
    expect(audit[0]).toMatchObject({ stage: 'failed', method: '', peer: { address: '127.0.0.1' } })
    expect(audit[0]?.['status']).toBeUndefined()
    expect(JSON.stringify(audit[0]?.['error'])).toMatch(/certificate/)
  })

  it('are recorded twenty times a second at most, and how many more there were', { tags: 'slow' }, async () => {
    const { socket, audit } = await stage({})
    const TRIED = 100
    const begun = performance.now()
    const garbage = async (): Promise<void> => {
      const client = new RawConnection(socket)
      client.send('garbage\r\n\r\n')
      await client.untilEnd(20_000)
    }
    for (let n = 0; n < TRIED; n++) await garbage()
    const seconds = Math.ceil((performance.now() - begun) / 1000) + 1
    expect(audit.length).toBeLessThanOrEqual(20 * seconds)
    await sleep(1100) // the next second has records again
    await garbage()
    const messages = audit.map(({ error }) => (error as { message: string }).message)
    const others = messages.map((message) => Number(/(\d+) more since/.exec(message)?.[1] ?? 0))
    expect(audit.length + others.reduce((sum, one) => sum + one, 0)).toBe(TRIED + 1)
  })

  it('leave no record if the client sends nothing and leaves', async () => {
    const { socket, audit } = await stage({})
    const silent = new RawConnection(socket)
    await sleep(50)
    silent.socket.destroy()
    const last = new RawConnection(socket)
    last.send('GET /_ping HTTP/1.1\r\nHost: d\r\nConnection: close\r\n\r\n')
    await eventually(() => audit.length > 0, 'the last call is recorded')
    expect(audit.every(({ path }) => path === '/_ping')).toBe(true)
    last.socket.destroy()
  })
})
