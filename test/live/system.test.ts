import { expect, test } from 'vitest'
import { asLegacyClients, CORNERS } from './support/suites.ts'

await asLegacyClients(CORNERS, ({ client }) => {
  test('pings', async () => {
    const reply = await client.get('/_ping')
    expect(reply.said).toBe('200 OK')
  })

  test('is told a version range that holds its own', async () => {
    const reply = await client.get('/version')
    expect(reply.status).toBe(200)
    expect(reply.json()).toMatchObject({ ApiVersion: expect.any(String), Version: expect.any(String) })
    expect(Number(String(reply.at('ApiVersion')).split('.')[1])).toBeGreaterThanOrEqual(client.minor)
  })

  test('gets the switches of info in the type its engine had', async () => {
    const reply = await client.get('/info')
    const type = client.minor < 19 ? 'number' : 'boolean'
    const switches = ['Debug', 'MemoryLimit', 'SwapLimit', 'IPv4Forwarding'].map((name) => typeof reply.at(name))
    expect(switches).toEqual([type, type, type, type])
  })

  test('gets the counts of info as numbers', async () => {
    const reply = await client.get('/info')
    expect(reply.json()).toMatchObject({ Containers: expect.any(Number), Images: expect.any(Number) })
  })
})
