import { expect, test } from 'vitest'
import { asLegacyClients, PODMAN, PODMAN_4_3, PODMAN_5_8 } from './support/suites.ts'

const CLIENTS = { [PODMAN_4_3]: ['1.41'], [PODMAN]: ['1.22', '1.41'], [PODMAN_5_8]: ['1.44'] }

await asLegacyClients(CLIENTS, ({ client }) => {
  test('gets no body of a detached exec', async () => {
    const id = await client.run({ Cmd: ['sleep', '600'] })
    const exec = (await client.post(`/containers/${id}/exec`, { Cmd: ['true'] })).at('Id')
    const { status, text } = await client.post(`/exec/${exec}/start`, { Detach: true })
    expect([status, text]).toEqual([200, ''])
  })
})
