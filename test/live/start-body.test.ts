import { expect, test } from 'vitest'
import { asLegacyClients, CORNERS } from './support/suites.ts'

const forever = { Cmd: ['sleep', '600'] }

await asLegacyClients(CORNERS, ({ client }) => {
  test('starts with limits in a HostConfig, which the container then has', async () => {
    const id = await client.create(forever)
    const reply = await client.post(`/containers/${id}/start`, { Memory: 67108864, CpuShares: 512 })
    expect(reply.said).toBe('204 ')
    const inspected = await client.get(`/containers/${id}/json`)
    expect(inspected.at('State', 'Running')).toBe(true)
    expect(inspected.at('HostConfig')).toMatchObject({ Memory: 67108864, CpuShares: 512 })
  })

  test('starts with the HostConfig that it created with', async () => {
    const HostConfig = { Binds: ['/usr:/mnt:ro'], Memory: 67108864 }
    const id = await client.create({ ...forever, HostConfig })
    expect((await client.post(`/containers/${id}/start`, HostConfig)).said).toBe('204 ')
    expect((await client.get(`/containers/${id}/json`)).at('HostConfig')).toMatchObject(HostConfig)
  })

  test('never gets a container started without the mounts that the start asks for', async () => {
    const id = await client.create(forever)
    const reply = await client.post(`/containers/${id}/start`, { Binds: ['/usr:/mnt:ro'] })
    const inspected = await client.get(`/containers/${id}/json`)
    if (reply.status === 204) {
      expect(inspected.at('HostConfig', 'Binds')).toEqual(['/usr:/mnt:ro'])
    } else {
      expect(reply.said).toMatch(/^400 .*HostConfig\.Binds/)
      expect(inspected.at('State', 'Running')).toBe(false)
    }
  })

  test.each([{}, null])('starts with a body of %j, which asks for nothing', async (body) => {
    const id = await client.create(forever)
    expect((await client.post(`/containers/${id}/start`, body)).said).toBe('204 ')
  })

  test('is told in text that there is no such container', async () => {
    const reply = await client.post('/containers/nosuch/start', { Memory: 67108864 })
    expect(reply.status).toBe(404)
    expect(reply.type).toBe('text/plain; charset=utf-8')
  })
})
