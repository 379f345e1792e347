import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const stage = stages()

/**
 * curl names a form as the type of `--data-binary`. Engines peek at the context of a build before they look for a form, so that
 * those below 4 KB are built; the bridge read them as parameters, and the build had no Dockerfile.
 */
it('the context of a build whose type is a form reaches the engine, as a tar', async () => {
  const seen: unknown[] = []
  const { engine, socket } = await stage({
    onRequest: async (req, res) => {
      seen.push(req.headers['content-type'], await text(req))
      res.end()
    },
  })
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const body = 'tar&networkmode=host'
  await call(socket, '/v1.44/build?t=a', { method: 'POST', headers, body })
  expect(seen).toEqual(['application/x-tar', body])
  expect(engine.seen).toEqual(['POST /v1.44/build?t=a'])
})
