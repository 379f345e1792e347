import http from 'node:http'
import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually } from '../support/client.ts'

const stage = stages()

/** The bridge kept reading after the client had left, and the call still counted for --max-calls. */
it.each([
  ['its past events', '1.51', 'GET', '/v1.23/events?since=1'],
  ['the beginning of a copy', '1.19', 'HEAD', '/v1.20/containers/x/archive?path=/x'],
])('a silent engine is not asked for %s when the client has left', async (_what, ApiVersion, method, path) => {
  const open = new Set<unknown>()
  let asked = 0
  const { socket, audit } = await stage(
    {
      version: { ApiVersion, Version: 'x', Os: 'linux', Arch: 'amd64' },
      onRequest: (req) => {
        asked++
        open.add(req)
        req.on('close', () => open.delete(req))
      },
    },
    ['--announce-api', '1.51'],
  )
  const request = http.request({ socketPath: socket, path, method })
  request.on('error', () => undefined)
  request.end()
  await eventually(() => asked > 0, 'the engine is asked')
  request.destroy()
  await eventually(() => open.size === 0, 'the engine is asked no longer')
  await eventually(() => audit.some(({ stage }) => stage !== 'received'), 'the call has ended')
  expect(audit.at(-1)).toMatchObject({ endedBy: 'client' })
})
