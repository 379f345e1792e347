import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Client } from './support/client.ts'
import { asLegacyClients, CORNERS } from './support/suites.ts'
import type { Head, Wire } from './support/wire.ts'

/** RFC 6455, 1.3. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

async function opened(client: Client, path: string): Promise<{ head: Head; wire: Wire; accept: string }> {
  const key = randomBytes(16).toString('base64')
  const wire = client.send('GET', path, {
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      Origin: 'http://localhost',
      'Sec-WebSocket-Key': key,
      'Sec-WebSocket-Version': '13',
    },
  })
  const accept = createHash('sha1')
    .update(key + GUID)
    .digest('base64')
  return { head: await wire.head(), wire, accept }
}

/** A client's text frame of up to 125 bytes, masked with zeros (RFC 6455, 5.2). */
const frame = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)])

await asLegacyClients(CORNERS, ({ client, bridge }) => {
  test('talks with a terminal over a websocket, which the audit tells', async () => {
    const terminal = { Tty: true, OpenStdin: true, StdinOnce: true, Cmd: ['sh', '-c', 'read x; echo got $x'] }
    const id = await client.create(terminal)
    const { head, wire, accept } = await opened(
      client,
      `/containers/${id}/attach/ws?stream=1&stdin=1&stdout=1&stderr=1`,
    )
    expect([head.status, head.reason]).toEqual([101, 'Switching Protocols'])
    expect(head.headers).toEqual({ upgrade: 'websocket', connection: 'Upgrade', 'sec-websocket-accept': accept })
    expect((await client.post(`/containers/${id}/start`)).status).toBe(204)
    wire.write(frame('word\n'))
    await wire.through('got word')
    await wire.rest()
    wire.leave()
    const records = bridge()
      .audit()
      .filter(({ operation, container }) => operation === 'ContainerAttachWebsocket' && container === id)
    expect(records.find(({ stage }) => stage === 'answered')).toMatchObject({ status: 101 })
  })

  test('is told as an ordinary answer that there is no such container to attach to', async () => {
    const { head, wire } = await opened(client, '/containers/nosuch/attach/ws?stdout=1&stream=1')
    expect(head.status).toBe(404)
    expect(head.headers['content-type']).toBe('text/plain; charset=utf-8')
    wire.leave()
  })
})
