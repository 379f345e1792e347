import { expect, test } from 'vitest'
import { Client, records } from './support/client.ts'
import { asLegacyClients, type Matrix, onEngines, withBridge } from './support/suites.ts'
import { tar } from './support/tar.ts'

const ENGINES = ['20.10', '28.5-min1.44'] as const
const of = (versions: readonly string[]): Matrix => Object.fromEntries(ENGINES.map((name) => [name, versions]))

/** The values that command lines of 1.6 and 1.9 send in every create. */
const ALWAYS = { LxcConf: [], RestartPolicy: { Name: 'no', MaximumRetryCount: 0 } }

await asLegacyClients(of(['1.18', '1.21']), ({ client }) => {
  test('sees what its command line always sends as it was sent', async () => {
    const mode = client.minor < 20 ? 'bridge' : 'default'
    const id = await client.create({ Cmd: ['true'], HostConfig: { ...ALWAYS, NetworkMode: mode } })
    const { HostConfig: hostConfig } = Object((await client.get(`/containers/${id}/json`)).json())
    expect(hostConfig).toMatchObject({ ...ALWAYS, NetworkMode: mode })
  })

  test('reads the bare id of an image that it imports', async () => {
    const reply = await client.call('POST', '/images/create?fromSrc=-', { bytes: tar({ x: 'hi' }) })
    expect(records(reply.text)).toEqual([{ status: expect.stringMatching(/^[0-9a-f]{64}$/) }])
    expect(reply.text).toMatch(/\}\r\n$/)
  })
})

await asLegacyClients(of(['1.20', '1.21']), ({ client }) => {
  test('sees the -1 for swappiness that its command line always sends', async () => {
    const id = await client.create({ Cmd: ['true'], HostConfig: { MemorySwappiness: -1 } })
    expect((await client.get(`/containers/${id}/json`)).at('HostConfig', 'MemorySwappiness')).toBe(-1)
  })
})

await asLegacyClients(of(['1.18', '1.22']), ({ client }) => {
  test('sees null for the ports of a container that does not run, and its ports while it runs', async () => {
    const published = { ExposedPorts: { '80/tcp': {} }, HostConfig: { PortBindings: { '80/tcp': [{ HostPort: '' }] } } }
    const id = await client.create({ Cmd: ['sleep', '60'], ...published })
    const ports = async (): Promise<unknown> =>
      (await client.get(`/containers/${id}/json`)).at('NetworkSettings', 'Ports')
    expect(await ports()).toBeNull()
    await client.post(`/containers/${id}/start`)
    expect(await ports()).toEqual({ '80/tcp': [expect.objectContaining({ HostIp: '0.0.0.0' })] })
    const filters = encodeURIComponent(JSON.stringify({ id: [id] }))
    const [listed] = Object((await client.get(`/containers/json?filters=${filters}`)).json()) as { Ports: unknown }[]
    expect(listed?.Ports).toEqual([expect.objectContaining({ IP: '0.0.0.0', PrivatePort: 80 })])
    await client.post(`/containers/${id}/stop?t=0`)
    expect(await ports()).toBeNull()
  })
})

await asLegacyClients(of(['1.18', '1.22', '1.24']), ({ client }) => {
  test('is told by info that the engine has no labels', async () => {
    expect((await client.get('/info')).at('Labels')).toBeNull()
  })
})

await asLegacyClients(of(['1.22']), ({ client }) => {
  test('runs under its host name with the domain, and sees the whole name', async () => {
    const id = await client.finish({ Cmd: ['hostname'], Hostname: 'web', Domainname: 'example.com', Tty: true })
    expect((await client.get(`/containers/${id}/logs?stdout=1`)).text.trim()).toBe('web.example.com')
    const whole = { Hostname: 'web.example.com', Domainname: '' }
    expect((await client.get(`/containers/${id}/json`)).at('Config')).toMatchObject(whole)
    const sentWhole = await client.create({ Cmd: ['true'], ...whole })
    expect((await client.get(`/containers/${sentWhole}/json`)).at('Config')).toMatchObject(whole)
  })

  test('hears of the end of a container without what its events did not say', async () => {
    const since = Math.floor(Date.now() / 1000)
    const id = await client.finish({ Cmd: ['true'] })
    const until = Math.floor(Date.now() / 1000) + 1
    const filters = encodeURIComponent(JSON.stringify({ container: [id], event: ['die'] }))
    const { text } = await client.get(`/events?since=${since}&until=${until}&filters=${filters}`)
    expect(Object(records(text)[0]).Actor.Attributes).toEqual({ image: 'busybox', name: expect.any(String) })
  })
})

await onEngines(ENGINES, (engine) => {
  const { socket } = withBridge(engine)
  const client = new Client(socket, '1.24')

  test('a 1.24 client that removes a running container is told its whole id, and sees DiskQuota', async () => {
    const id = await client.run({ Cmd: ['sleep', '60'] })
    expect((await client.delete(`/containers/${id.slice(0, 12)}`)).at('message')).toBe(
      `You cannot remove a running container ${id}. Stop the container before attempting removal or use -f`,
    )
    expect((await client.get(`/containers/${id}/json`)).at('HostConfig', 'DiskQuota')).toBe(0)
  })
})
