import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { engine28 } from '../support/scripted-engine.ts'

/** Where the output of a build was translated as well, the image got its first tag alone. */
const engine18 = { ...engine28, ApiVersion: '1.20', MinAPIVersion: '1.12', Version: '1.8.3' }
const stage = stages()

it('an image that a client of 1.53 builds on an engine of 1.20 gets all its tags', async () => {
  const asked: string[] = []
  const { socket } = await stage(
    {
      version: engine18,
      onRequest: (req, res) => {
        asked.push(req.url ?? '')
        if (req.url?.includes('/tag') === true) return void res.writeHead(201).end()
        res.writeHead(200, { 'Content-Type': 'application/json' })
        res.end('{"stream":"Step 0 : FROM scratch\\n"}\r\n{"stream":"Successfully built 0a1b\\n"}\r\n')
      },
    },
    ['--announce-api', '1.53'],
  )
  const { status, text } = await call(socket, '/v1.53/build?t=a:1&t=b:2', { method: 'POST' })
  expect(status).toBe(200)
  expect(text.split('\r\n').filter((line) => line !== '')).toHaveLength(2)
  expect(asked.slice(1)).toEqual(['/v1.20/images/a:1/tag?repo=b&tag=2&force=1'])
})
