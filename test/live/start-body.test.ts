import { expect, test } from 'vitest'
import { asLegacyClients, CORNERS } from './support/suites.ts'

const forever = { Cmd: ['sleep', '600'] }

await asLegacyClients(CORNERS, ({ client, own }) => {
  test('starts with a HostConfig, which the container then has', async () => {
    const name = own('body')
    await client.create(forever, name)
    const reply = await client.post(`/containers/${name}/start`, { Memory: 67108864, Binds: ['/usr:/mnt:ro'] })
    expect(reply.said).toBe('204 ')
    const inspected = await client.get(`/containers/${name}/json`)
    expect(inspected.at('State', 'Running')).toBe(true)
    expect(inspected.at('HostConfig')).toMatchObject({ Memory: 67108864, Binds: ['/usr:/mnt:ro'] })
  })

  test('goes on with the id that create gave after a start with a HostConfig', async () => {
    const id = await client.create({ Cmd: ['sh', '-c', 'cat /etc/hosts; exit 3'] })
    const started = await client.post(`/containers/${id}/start`, { ExtraHosts: ['elsewhere:10.1.2.3'] })
    expect(started.said).toBe('204 ')
    expect((await client.post(`/containers/${id}/wait`)).said).toContain('"StatusCode":3')
    expect((await client.get(`/containers/${id}/logs?stdout=1`)).text).toContain('10.1.2.3')
  })

  test('starts with an empty object', async () => {
    const id = await client.create(forever)
    expect((await client.post(`/containers/${id}/start`, {})).said).toBe('204 ')
  })

  test('starts with null', async () => {
    const id = await client.create(forever)
    expect((await client.post(`/containers/${id}/start`, null)).said).toBe('204 ')
  })

  test('is told in text that there is no such container', async () => {
    const reply = await client.post('/containers/nosuch/start', { Memory: 67108864 })
    expect(reply.status).toBe(404)
    expect(reply.type).toBe('text/plain; charset=utf-8')
  })
})
