import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const stage = stages()
const headers = { 'Content-Type': 'application/json' }
const podman = {
  ...{ ApiVersion: '1.41', MinAPIVersion: '1.24', Version: '5.4.2', Os: 'linux', Arch: 'amd64' },
  Components: [{ Name: 'Podman Engine', Version: '5.4.2' }],
}

/** A volume that was not shown counted as one that is there: Podman then made it without the driver and options of its mount. */
it('a create is refused when Podman fails to show the volume of a mount with options', async () => {
  const { socket, engine } = await stage({
    version: podman,
    onRequest: (_req, res) => void res.writeHead(500, headers).end('{"message":"database is locked"}'),
  })
  const options = { DriverConfig: { Name: 'local', Options: { type: 'tmpfs' } } }
  const mount = { Type: 'volume', Source: 'v', Target: '/v', VolumeOptions: options }
  const body = JSON.stringify({ Image: 'x', HostConfig: { Mounts: [mount] } })
  const reply = await call(socket, '/v1.41/containers/create', { method: 'POST', headers, body })
  expect([reply.status, reply.text]).toEqual([500, expect.stringContaining('database is locked')])
  expect(engine.seen).not.toContainEqual(expect.stringMatching(/^POST/))
})
