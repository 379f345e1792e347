import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

/**
 * Engines from 26.0 on keep the network mode "default" as "bridge", and clients saw "default" for both. Ansible's docker_container
 * with `network_mode: bridge` then found another mode than it had asked for, and made the container again at every run.
 */
const stage = stages()
const version = { ApiVersion: '1.51', MinAPIVersion: '1.44', Version: '28.5.2', Os: 'linux', Arch: 'amd64' }
const MacAddress = '02:42:ac:11:00:99'

it.each<[asked: object, shown: string]>([
  [{ HostConfig: { NetworkMode: 'bridge' } }, 'bridge'],
  [{ HostConfig: { NetworkMode: 'default' } }, 'default'],
  [{}, 'default'],
  // For the address the bridge adds an endpoint, which does not count as a request for the network.
  [{ MacAddress, HostConfig: { NetworkMode: 'default' } }, 'default'],
  [{ MacAddress, HostConfig: { NetworkMode: 'bridge' } }, 'bridge'],
])('a container shows the network mode that was asked for: %j', async (asked, shown) => {
  let made: { NetworkingConfig?: { EndpointsConfig?: { bridge?: object } } } = {}
  const { socket } = await stage({
    version,
    onRequest: async (req, res) => {
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk as Buffer)
      if (req.method === 'POST') made = JSON.parse(Buffer.concat(chunks).toString())
      const endpoint = { DriverOpts: null, ...made.NetworkingConfig?.EndpointsConfig?.bridge }
      const inspected = {
        ...{ Id: 'a', HostConfig: { NetworkMode: 'bridge' } },
        NetworkSettings: { Networks: { bridge: endpoint } },
      }
      res.writeHead(req.method === 'POST' ? 201 : 200, { 'Content-Type': 'application/json' })
      res.end(JSON.stringify(req.method === 'POST' ? { Id: 'a', Warnings: [] } : inspected))
    },
  })
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ Image: 'i', ...asked })
  expect((await call(socket, '/v1.41/containers/create', { method: 'POST', headers, body })).status).toBe(201)
  const { text } = await call(socket, '/v1.41/containers/a/json')
  expect(JSON.parse(text)).toMatchObject({
    HostConfig: { NetworkMode: shown },
    NetworkSettings: { Networks: { bridge: { DriverOpts: null } } },
  })
})
