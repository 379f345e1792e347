import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const make = stages()
const headers = { 'Content-Type': 'application/json' }
const ENGINES = {
  Podman: {
    ApiVersion: '1.41',
    Version: '5.4.2',
    Os: 'linux',
    Components: [{ Name: 'Podman Engine', Version: '5.4.2' }],
  },
  'Docker 1.12': { ApiVersion: '1.24', Version: '1.12.6', Os: 'linux', Arch: 'amd64' },
}

/** The look for AutoRemove after a failed start took the place of the start's own error where it failed too. */
it.each([
  ['Podman', 'breaks off', undefined],
  ['Podman', 'is no JSON', '{"Id":'],
  ['Docker 1.12', 'breaks off', undefined],
] as const)('a start that fails on %s says why, also when the inspect after it %s', async (name, _what, text) => {
  const { socket } = await make(
    {
      version: ENGINES[name],
      onRequest: (req, res) => {
        if (req.url?.endsWith('/start')) res.writeHead(500, headers).end('{"message":"no such user"}')
        else if (text === undefined) req.socket.destroy()
        else res.writeHead(200, headers).end(text)
      },
    },
    ['--announce-api', '1.44'],
  )
  const reply = await call(socket, '/v1.40/containers/web/start', { method: 'POST' })
  expect([reply.status, JSON.parse(reply.text)]).toEqual([500, { message: 'no such user' }])
})
