import { expect, test } from 'vitest'
import { asLegacyClients, PODMAN, PODMAN_4_3, PODMAN_5_8 } from './support/suites.ts'

const CLIENTS = { [PODMAN_4_3]: ['1.41'], [PODMAN]: ['1.22', '1.41'], [PODMAN_5_8]: ['1.44'] }

await asLegacyClients(CLIENTS, ({ client, own }) => {
  test('removes a container whose network and volumes others use, makes another of its name, and keeps the others', async () => {
    const name = own('shared')
    const Cmd = ['sleep', '600']
    const first = await client.run({ Cmd, Volumes: { '/data': {} } }, name)
    const others = [
      await client.create({ Cmd, HostConfig: { NetworkMode: `container:${name}` } }),
      await client.create({ Cmd, HostConfig: { VolumesFrom: [name] } }),
    ]
    await client.post(`/containers/${first}/kill`)
    expect((await client.delete(`/containers/${name}`)).said).toBe('204 ')
    await client.create({ Cmd }, name)
    const statuses = async (ids: readonly string[]) =>
      Promise.all(ids.map(async (id) => (await client.get(`/containers/${id}/json`)).status))
    expect(await statuses(others)).toEqual([200, 200])
    for (const id of others) expect((await client.delete(`/containers/${id}`)).said).toBe('204 ')
    expect(await statuses([first, ...others, name])).toEqual([404, 404, 404, 200])
  })

  test('removes the volumes of a container with it if asked to, however late, and one that was started meanwhile', async () => {
    const name = own('late')
    const Cmd = ['sleep', '600']
    const first = await client.run({ Cmd, Volumes: { '/data': {} } }, name)
    const other = await client.create({ Cmd, HostConfig: { NetworkMode: `container:${name}` } })
    const volume = (await client.get(`/containers/${first}/json`)).at('Mounts', 0, 'Name')
    expect((await client.delete(`/containers/${name}?force=1&v=1`)).said).toBe('204 ')
    await client.post(`/containers/${other}/start`)
    expect((await client.delete(`/containers/${other}?force=1`)).said).toBe('204 ')
    expect((await client.get(`/containers/${first}/json`)).status).toBe(404)
    expect((await client.get(`/volumes/${volume}`)).status).toBe(404)
  })
})
