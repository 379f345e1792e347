import { expect, it } from 'vitest'
import { send } from '../support/sent-request.ts'

const MAC = '02:42:ac:11:00:02'
const created = { on: 'ContainerCreate', client: 40, engine: 51, target: 44, os: 'windows' } as const

it('a MAC address of a Windows container goes to its default network nat, not to bridge', async () => {
  const { body } = await send({ ...created, body: { Image: 'x', MacAddress: MAC } })
  expect(body).toMatchObject({
    HostConfig: { NetworkMode: 'nat' },
    NetworkingConfig: { EndpointsConfig: { nat: { MacAddress: MAC } } },
  })
})
