import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const stage = stages()
const podman = {
  ...{ ApiVersion: '1.41', MinAPIVersion: '1.24', Version: '5.4.2', Os: 'linux', Arch: 'amd64' },
  Components: [{ Name: 'Podman Engine', Version: '5.4.2' }],
}

const fails = (_req: unknown, res: ServerResponse) =>
  void res.writeHead(500, { 'Content-Type': 'application/json' }).end('{"message":"database is locked"}')

/** The network in use and the volume of which the path is only the beginning were removed where the look before it failed. */
it.each(['/networks/0a0a0a0a0a0a', '/volumes/dat'])(
  'nothing is removed when Podman fails to show it: %s',
  async (path) => {
    const { socket, engine } = await stage({ version: podman, onRequest: fails })
    const reply = await call(socket, `/v1.41${path}`, { method: 'DELETE' })
    expect([reply.status, reply.text]).toEqual([500, expect.stringContaining('database is locked')])
    expect(engine.seen).toEqual([`GET /v1.41${path}`])
  },
)

/** Whether a mount is read-only Podman does not ask of a container that has stopped: the bridge takes it from its inspect. */
it('nothing is written to a container when Podman fails to show it', async () => {
  const { socket, engine } = await stage({ version: podman, onRequest: fails })
  const headers = { 'Content-Type': 'application/x-tar' }
  const reply = await call(socket, '/v1.41/containers/a/archive?path=/x', { method: 'PUT', headers, body: 'tar' })
  expect([reply.status, reply.text]).toEqual([500, expect.stringContaining('database is locked')])
  expect(engine.seen.filter((seen) => !seen.startsWith('GET'))).toEqual([])
})
