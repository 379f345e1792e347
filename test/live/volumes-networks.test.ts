import { expect, test } from 'vitest'
import { asLegacyClients, type Matrix } from './support/suites.ts'

// Volumes and networks came with 1.21.
const PAIRS: Matrix = { '20.10': ['1.21'], '26.1': ['1.22'], '28.5': ['1.21'], '28.5-min1.44': ['1.21', '1.22'] }

await asLegacyClients(PAIRS, ({ client, own }) => {
  const volume = own('volume')
  const network = own('network')

  test('creates a volume, of which it gets three members', async () => {
    const reply = await client.post('/volumes/create', { Name: volume, Driver: 'local', DriverOpts: {} })
    expect(reply.status).toBe(201)
    expect(reply.json()).toEqual({ Name: volume, Driver: 'local', Mountpoint: expect.stringContaining(volume) })
  })

  test('finds a volume in the list', async () => {
    await client.post('/volumes/create', { Name: volume })
    expect((await client.get('/volumes')).at('Volumes')).toContainEqual(expect.objectContaining({ Name: volume }))
  })

  test('deletes a volume', async () => {
    await client.post('/volumes/create', { Name: own('gone') })
    expect((await client.delete(`/volumes/${own('gone')}`)).said).toBe('204 ')
    expect((await client.get(`/volumes/${own('gone')}`)).status).toBe(404)
  })

  test('creates a network and is given its id', async () => {
    const reply = await client.post('/networks/create', { Name: network, CheckDuplicate: true, Driver: 'bridge' })
    expect(reply.said).toMatch(/^201 /)
    expect(reply.json()).toEqual({ Id: expect.stringMatching(/^[0-9a-f]{64}$/), Warning: '' })
  })

  test('inspects a network by its name', async () => {
    const reply = await client.get('/networks/bridge')
    const members = ['Containers', 'Driver', 'IPAM', 'Id', 'Name', 'Options', 'Scope'] // recorded on 1.9 and 1.10
    expect(Object.keys(reply.json() ?? {}).sort()).toEqual(members)
  })

  test('finds the default network in the list, with its containers', async () => {
    const list = (await client.get('/networks')).json()
    expect(list).toContainEqual(expect.objectContaining({ Name: 'bridge', Containers: expect.anything() }))
  })

  test('connects a container and takes it off again, each answered with 200', async () => {
    const id = await client.create({ Cmd: ['true'] })
    await client.post('/networks/create', { Name: own('joined') })
    expect((await client.post(`/networks/${own('joined')}/connect`, { Container: id })).said).toBe('200 ')
    expect((await client.post(`/networks/${own('joined')}/disconnect`, { Container: id })).said).toBe('200 ')
  })

  test('deletes a network, answered with 200', async () => {
    await client.post('/networks/create', { Name: own('left') })
    expect((await client.delete(`/networks/${own('left')}`)).said).toBe('200 ') // 204 from newer engines
  })
})

const FROM_1_22: Matrix = { '20.10': ['1.24'], '26.1': ['1.24'], '28.5': ['1.24'], '28.5-min1.44': ['1.22', '1.41'] }

await asLegacyClients(FROM_1_22, ({ client, own }) => {
  test('sees the short id of a container among its aliases from its start on', async () => {
    const network = own('network')
    await client.post('/networks/create', { Name: network })
    const endpoints = { EndpointsConfig: { [network]: { Aliases: ['a'] } } }
    const HostConfig = { NetworkMode: network }
    const id = await client.create({ Cmd: ['sleep', '600'], HostConfig, NetworkingConfig: endpoints })
    const aliases = async () =>
      (await client.get(`/containers/${id}/json`)).at('NetworkSettings', 'Networks', network, 'Aliases')
    expect(await aliases()).toEqual(['a'])
    await client.post(`/containers/${id}/start`)
    expect(await aliases()).toContain(id.slice(0, 12))
  })

  test('keeps a MAC address if it connects a container anew that lacks its short id, as Compose 1', async () => {
    const network = own('network-of-mac')
    await client.post('/networks/create', { Name: network })
    const MacAddress = '74:6f:75:68:6f:75'
    const id = await client.create({ Cmd: ['sleep', '600'], MacAddress, HostConfig: { NetworkMode: network } })
    const endpoint = async (member: string) =>
      (await client.get(`/containers/${id}/json`)).at('NetworkSettings', 'Networks', network, member)
    if (!JSON.stringify(await endpoint('Aliases')).includes(id.slice(0, 12)))
      for (const how of ['disconnect', 'connect']) await client.post(`/networks/${network}/${how}`, { Container: id })
    await client.post(`/containers/${id}/start`)
    expect(await endpoint('MacAddress')).toBe(MacAddress)
  })
})
