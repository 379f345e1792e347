import { expect, test } from 'vitest'
import { Client } from './support/client.ts'
import { asLegacyClients } from './support/suites.ts'

const PUBLISHED = 'Published ports are discarded when using host network mode'
const CONFIG = {
  ExposedPorts: { '80/tcp': {} },
  HostConfig: { NetworkMode: 'host', PortBindings: { '80/tcp': [{ HostPort: '80' }] } },
}

await asLegacyClients({ '20.10': ['1.22'], '28.5-min1.44': ['1.18'] }, ({ client, bridge, own }) => {
  const warnings = async (asked: Client, name: string): Promise<unknown> =>
    (await asked.post(`/containers/create?name=${name}`, { Image: 'busybox', ...CONFIG })).at('Warnings') ?? []

  test('gets no warning that is newer than its version: the audit record has it', async () => {
    const name = own('warned')
    expect(await warnings(client, name)).toEqual([])
    const told = (): unknown[] =>
      bridge()
        .audit()
        .flatMap(({ losses }) => losses ?? [])
    await expect.poll(told).toContainEqual(expect.objectContaining({ what: `warning "${PUBLISHED}"` }))
  })

  test('does not take the warning from a client whose engines gave it', async () => {
    const newer = new Client(client.socket, '1.41')
    expect(await warnings(newer, own('newer'))).toEqual([PUBLISHED])
  })
})
