import http from 'node:http'
import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually } from '../support/client.ts'

const stage = stages()

/** What the bridge reads the beginning of for a call went on after the client had left, and held a place of --max-calls. */
it('a silent engine is not asked for its past events when the client has left', async () => {
  const open = new Set<unknown>()
  let asked = 0
  const { socket, audit } = await stage({
    onRequest: (req) => {
      asked++
      open.add(req)
      req.on('close', () => open.delete(req))
    },
  })
  const request = http.request({ socketPath: socket, path: '/v1.23/events?since=1' })
  request.on('error', () => undefined)
  request.end()
  await eventually(() => asked > 0, 'the engine is asked')
  request.destroy()
  await eventually(() => open.size === 0, 'the engine is asked no longer')
  await eventually(() => audit.some(({ stage }) => stage !== 'received'), 'the call has ended')
  expect(audit.at(-1)).toMatchObject({ endedBy: 'client' })
})
