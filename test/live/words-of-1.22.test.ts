import { expect, test } from 'vitest'
import type { Reply } from './support/client.ts'
import { asLegacyClients } from './support/suites.ts'
import { tar } from './support/tar.ts'

/** The texts stand in runconfig/errors.go, daemon/daemon.go, daemon/logs.go, daemon/archive.go and builder/tarsum.go @v1.10.3. */
const CONFLICTS: readonly (readonly [words: string, asked: object])[] = [
  ['hostname and the network mode', { Hostname: 'web', HostConfig: { NetworkMode: 'container:{other}' } }],
  ['dns and the network mode', { HostConfig: { NetworkMode: 'container:{other}', Dns: ['9.9.9.9'] } }],
  [
    'custom host-to-IP mapping and the network mode',
    { HostConfig: { NetworkMode: 'container:{other}', ExtraHosts: ['a:10.1.2.3'] } },
  ],
  [
    'mac-address and the network mode',
    { MacAddress: '02:42:ac:11:00:09', HostConfig: { NetworkMode: 'container:{other}' } },
  ],
  [
    "host type networking can't be used with links. This would result in undefined behavior",
    { HostConfig: { NetworkMode: 'host', Links: ['{other}:x'] } },
  ],
  [
    "container type network can't be used with links. This would result in undefined behavior",
    { HostConfig: { NetworkMode: 'container:{other}', Links: ['{other}:x'] } },
  ],
  [
    'port publishing and the container type network mode',
    { HostConfig: { NetworkMode: 'container:{other}', PortBindings: { '80/tcp': [{ HostPort: '80' }] } } },
  ],
  [
    'port exposing and the container type network mode',
    { ExposedPorts: { '80/tcp': {} }, HostConfig: { NetworkMode: 'container:{other}' } },
  ],
]

await asLegacyClients({ '20.10': ['1.22'], '26.1': ['1.22'], '28.5-min1.44': ['1.22'] }, ({ client, own }) => {
  const create = (config: object): Promise<Reply> =>
    client.post('/containers/create', { Image: 'busybox', Cmd: ['true'], ...config })
  const networkOf = async (name: string): Promise<string> => {
    const made = await client.post('/networks/create', { Name: name, CheckDuplicate: true })
    return String(made.at('Id'))
  }

  test.each(CONFLICTS)('is told of conflicting options: %s', async (words, asked) => {
    const other = await client.create({ Cmd: ['true'] })
    const reply = await create(JSON.parse(JSON.stringify(asked).replaceAll('{other}', other)))
    expect(reply.said).toBe(`409 Conflicting options: ${words}\n`)
  })

  test('is told of a port specification that is none', async () => {
    const published = { PortBindings: { 'aa80/tcp': [{ HostPort: '80' }] } }
    expect((await create({ HostConfig: published })).said).toBe('500 Invalid port specification: "aa80"\n')
    const bound = { PortBindings: { '80/tcp': [{ HostPort: 'aa80' }] } }
    expect((await create({ HostConfig: bound })).said).toBe('500 Invalid port specification: "aa80"\n')
  })

  test('is told at the start that a port is in use', async () => {
    const published = {
      ...{ Cmd: ['sleep', '60'], ExposedPorts: { '80/tcp': {} } },
      HostConfig: { PortBindings: { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '9871' }] } },
    }
    const [first, second] = [await client.create(published), await client.create(published)]
    expect((await client.post(`/containers/${first}/start`)).status).toBe(204)
    expect((await client.post(`/containers/${second}/start`)).said).toMatch(
      /^500 failed to create endpoint \w+ on network bridge: Bind for 127\.0\.0\.1:9871 failed: port is already allocated\n$/,
    )
    await client.delete(`/containers/${first}?force=1`)
  })

  test('is told of a capability that does not exist', async () => {
    expect((await create({ HostConfig: { CapAdd: ['NOSUCH'] } })).said).toBe(
      '500 Unknown capability to add: "NOSUCH"\n',
    )
    expect((await create({ HostConfig: { CapDrop: ['NOSUCH'] } })).said).toBe('500 Unknown capability drop: "NOSUCH"\n')
  })

  test('is told to choose a stream of the logs', async () => {
    const id = await client.create({ Cmd: ['true'] })
    const reply = await client.get(`/containers/${id}/logs`)
    expect(reply.said).toBe('400 Bad parameters: you must choose at least one stream\n')
  })

  test('is told what a container of no network, or of another’s, cannot be connected to', async () => {
    const name = own('words')
    const network = await networkOf(name)
    try {
      const lone = await client.create({ Cmd: ['sleep', '60'], HostConfig: { NetworkMode: 'none' } })
      await client.post(`/containers/${lone}/start`)
      const none = await client.post(`/networks/${network}/connect`, { Container: lone })
      expect(none.said).toBe(
        '500 Container cannot be connected to multiple networks with one of the networks in private (none) mode\n',
      )
      const sharing = await client.create({ Cmd: ['sleep', '60'], HostConfig: { NetworkMode: `container:${lone}` } })
      await client.post(`/containers/${sharing}/start`)
      const shared = await client.post(`/networks/${network}/connect`, { Container: sharing })
      expect(shared.said).toBe(
        '500 Container sharing network namespace with another container or host cannot be connected to any other network\n',
      )
    } finally {
      await client.delete(`/networks/${network}`)
    }
  })

  test('is told by lstat of what an archive cannot find', async () => {
    const id = await client.create({ Cmd: ['true'] })
    const missing = /^404 lstat \S*\/nosuch: no such file or directory\n$/
    expect((await client.get(`/containers/${id}/archive?path=/nosuch`)).said).toMatch(missing)
    const put = { bytes: tar({ x: 'y' }), type: 'application/x-tar' }
    expect((await client.put(`/containers/${id}/archive?path=/nosuch`, put)).said).toMatch(missing)
    const head = (await client.call('HEAD', `/containers/${id}/archive?path=/nosuch`)).status
    expect(head).toBe(404)
  })

  test.each([
    ['Unable to find user nosuch', { User: 'nosuch' }],
    ['Uids and gids must be in range 0-2147483647', { User: '2147483648' }],
    ['The minimum allowed cpu-shares is 2', { HostConfig: { CpuShares: 1 } }],
  ])('is told by a start: %s', async (words, asked) => {
    const id = await client.create({ Cmd: ['true'], ...asked })
    const reply = await client.post(`/containers/${id}/start`)
    expect(reply.said).toMatch(/^500 Cannot start container \w+: \[\d\] System error: /)
    expect(reply.text).toContain(words)
  })

  test('is told of a path outside the build context', async () => {
    const bytes = tar({ Dockerfile: 'FROM busybox\nADD ../secret /\n' })
    const reply = await client.call('POST', '/build', { bytes, type: 'application/tar' })
    expect(reply.text).toContain('Forbidden path outside the build context: ../secret (')
  })
})
