import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Body, Client } from './support/client.ts'
import { asLegacyClients, CORNERS } from './support/suites.ts'

const WEBSOCKET = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  Origin: 'http://localhost',
  'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
  'Sec-WebSocket-Version': '13',
}
const ALL = 'stream=1&stdout=1&stderr=1'

/** Makes a call and another one over the same connection, as Go's httputil.ClientConn does. */
async function kept(client: Client, method: string, path: string, more: Body = {}): Promise<readonly [number, string]> {
  const wire = client.send(method, path, more)
  const head = await wire.head()
  expect(head.headers['connection']).toBeUndefined()
  let text = ''
  for await (const piece of wire.body(head)) text += piece.toString()
  wire.write('GET /_ping HTTP/1.1\r\nHost: docker\r\n\r\n')
  expect((await wire.head()).status).toBe(200)
  wire.leave()
  return [head.status, text]
}

await asLegacyClients(CORNERS, ({ client }) => {
  const missing = client.minor < 22 ? 'no such id: nosuch\n' : 'No such container: nosuch\n'
  const upgrade = { headers: { Connection: 'Upgrade', Upgrade: 'tcp' } }

  test.each([
    ['plain', {}],
    ['upgrade', upgrade],
  ])('keeps its connection when it attaches to nothing (%s)', async (_how, more) => {
    expect(await kept(client, 'POST', `/containers/nosuch/attach?${ALL}`, more)).toEqual([404, missing])
  })

  test('keeps its connection when it opens a websocket to nothing', async () => {
    const answer = await kept(client, 'GET', `/containers/nosuch/attach/ws?${ALL}`, { headers: WEBSOCKET })
    expect(answer).toEqual([404, missing])
  })

  test('keeps its connection when it attaches to a paused container', async () => {
    const id = await client.run({ Cmd: ['sleep', '600'] })
    await client.post(`/containers/${id}/pause`)
    const words = `Container ${id} is paused. Unpause the container before attach\n`
    expect(await kept(client, 'POST', `/containers/${id}/attach?${ALL}`, upgrade)).toEqual([409, words])
    expect(await kept(client, 'GET', `/containers/${id}/attach/ws?${ALL}`, { headers: WEBSOCKET })).toEqual([
      409,
      words,
    ])
    await client.post(`/containers/${id}/unpause`)
  })

  test('keeps its connection when it starts a command detached, or one that is not there', async () => {
    const id = await client.run({ Cmd: ['sleep', '600'] })
    const exec = (await client.post(`/containers/${id}/exec`, { Cmd: ['true'] })).at('Id')
    const json = { Detach: true, Tty: false }
    expect(await kept(client, 'POST', `/exec/${exec}/start`, { json })).toEqual([200, ''])
    const [status, text] = await kept(client, 'POST', `/exec/${'f'.repeat(64)}/start`, { json })
    expect([status, text]).toEqual([404, expect.stringMatching(/no such exec/i)])
  })
})
