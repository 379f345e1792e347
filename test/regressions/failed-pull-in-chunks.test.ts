import { once } from 'node:events'
import { request } from 'node:http'
import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'

/** A length made docker-py take the records for one: `Extra data: line 2 column 1`. */
const stage = stages()

it('a pull that fails below 1.25 is told in records, each of them a chunk', async () => {
  const { socket } = await stage({
    onRequest: (_, res) => {
      res.writeHead(404, { 'Content-Type': 'application/json' })
      res.end('{"message":"manifest for h:5000/a:1 not found: manifest unknown: manifest unknown"}')
    },
  })
  const path = '/v1.24/images/create?fromImage=h:5000/a&tag=1'
  const asked = request({ socketPath: socket, path, method: 'POST' }).end()
  const [response] = await once(asked, 'response')
  expect([response.statusCode, response.headers['transfer-encoding']]).toEqual([200, 'chunked'])
  const records: unknown[] = []
  response.on('data', (chunk: Buffer) => records.push(JSON.parse(chunk.toString())))
  await once(response, 'end')
  expect(records).toMatchObject([{ status: 'Pulling repository h:5000/a' }, { error: 'Error: image a:1 not found' }])
})
