import { expect, test } from 'vitest'
import { asLegacyClients, CORNERS, DOCKER_ENGINES } from './support/suites.ts'

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

/** As create says it, and nothing in front (recorded: create-…; daemon/daemon_unix.go, volume/volume.go @v1.10.3). */
const WRONG: readonly (readonly [words: string, hostConfig: object])[] = [
  ["Duplicate mount point '/tmp'", { Binds: ['/usr:/tmp', '/bin:/tmp'] }],
  ['Minimum memory limit allowed is 4MB', { Memory: 1 }],
  ['Minimum memoryswap limit should be larger than memory limit, see usage.', { Memory: 67108864, MemorySwap: 1000 }],
  ['You should always set the Memory limit when using Memoryswap limit, see usage.', { MemorySwap: 67108864 }],
  ['Could not get container for nosuch', { Links: ['nosuch:x'] }],
  ['Invalid value 5000, range for oom score adj is [-1000, 1000].', { OomScoreAdj: 5000 }],
  ['Invalid value: 500, valid memory swappiness range is 0-100.', { MemorySwappiness: 500 }],
]

await asLegacyClients(Object.fromEntries(DOCKER_ENGINES.map((name) => [name, ['1.22']])), ({ client }) => {
  test.each(WRONG)('reads of a start with a HostConfig, with 500: %s', async (words, hostConfig) => {
    const id = await client.create(forever)
    expect((await client.post(`/containers/${id}/start`, hostConfig)).said).toBe(`500 ${words}\n`)
    expect((await client.get(`/containers/${id}/json`)).at('State', 'Running')).toBe(false)
    const created = await client.post('/containers/create', { Image: 'busybox', ...forever, HostConfig: hostConfig })
    expect(created.said).toBe(`500 ${words}\n`)
  })
})
