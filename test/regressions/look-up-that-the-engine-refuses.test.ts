import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const make = stages()
const headers = { 'Content-Type': 'application/json' }
const json = (value: unknown): string => JSON.stringify(value)
const engine = (ApiVersion: string, Version: string) => ({ ApiVersion, Version, Os: 'linux', Arch: 'amd64' })
const network = { Id: 'n1', Name: 'mine' }

/** Where the further call of an answer failed, the client read that there was nothing: no container, no tag, no use. */
it.each([
  ['descendants of an image', '1.20', '1.44', '/containers/json?filters={"ancestor":["x"]}', [{ Id: 'c', Image: 'x' }]],
  ['unused networks', '1.24', '1.44', '/networks?filters={"dangling":["true"]}', [network]],
  ['containers of networks', '1.43', '1.27', '/networks', [network]],
  ['tags of an image', '1.20', '1.44', '/images/x/json', { Id: 'i' }],
  ['sizes of a container', '1.20', '1.44', '/containers/x/json?size=1', { Id: 'c', Config: {}, HostConfig: {} }],
  ['container of an exec', '1.43', '1.20', '/exec/x/json', { ID: 'x', ContainerID: 'c' }],
])('%s are an error when the engine cannot look them up', async (_what, highest, version, path, body) => {
  let calls = 0
  const { socket } = await make(
    {
      version: engine(highest, 'x'),
      onRequest: (_req, res) => {
        if (calls++ === 0) res.writeHead(200, headers).end(json(body))
        else res.writeHead(500, headers).end(json({ message: 'database is locked' }))
      },
    },
    ['--announce-api', '1.44'],
  )
  const reply = await call(socket, `/v${version}${path}`)
  expect([Math.floor(reply.status / 100), reply.text]).toEqual([5, expect.stringContaining('database is locked')])
})
