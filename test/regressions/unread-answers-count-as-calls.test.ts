import net from 'node:net'
import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, eventually } from '../support/client.ts'

/**
 * A call had ended when its answer was written, also if the client read none of it: clients that read nothing could have any number of
 * translated answers held in memory, whatever --max-calls said.
 */
const stage = stages()
const LARGE = JSON.stringify([{ Id: 'x', RepoTags: ['x'.repeat(4 << 20)] }])
const LIST = '/v1.18/images/json'

it('--max-calls counts the answers that clients have not read', async () => {
  const { socket, audit } = await stage({ onRequest: (_req, res) => void res.end(LARGE) }, ['--max-calls', '2'])
  const clients = [net.connect(socket), net.connect(socket)]
  for (const client of clients) client.pause().write(`GET ${LIST} HTTP/1.1\r\nHost: d\r\n\r\n`)
  await eventually(() => audit.filter((record) => record['stage'] === 'complete').length === 2, 'both are answered')
  expect((await call(socket, '/v1.44/_ping')).status).toBe(503)
  for (const client of clients) client.resume()
  await eventually(() => clients.every((client) => client.bytesRead > LARGE.length), 'both have read all')
  expect((await call(socket, '/v1.44/_ping')).status).toBe(200)
  for (const client of clients) client.destroy()
})
