import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const stage = stages()

it('an engine that answers with Connection: close is not asked for its version before each call', async () => {
  const looks: (string | undefined)[] = []
  const { socket } = await stage({
    replacedContainers: 'scripted',
    onRequest: (req, res) => {
      if (req.url?.includes('filters=')) looks.push(req.url)
      res.writeHead(200, { Connection: 'close', 'Content-Type': 'application/json' }).end('[]')
    },
  })
  for (let n = 0; n < 10; n++) await call(socket, '/v1.51/volumes')
  expect(looks.length).toBeLessThan(5) // of containers that it made again: once for each engine that it finds
})
