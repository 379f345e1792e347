import { expect, test } from 'vitest'
import { demultiplex } from './support/client.ts'
import { asLegacyClients, PODMAN, PODMAN_4_3, PODMAN_5_8 } from './support/suites.ts'

await asLegacyClients(
  { [PODMAN]: ['1.22', '1.41'], [PODMAN_5_8]: ['1.22', '1.44'], [PODMAN_4_3]: ['1.22', '1.41'] },
  ({ client, own }) => {
    const outputOf = async (id: string) =>
      demultiplex((await client.get(`/containers/${id}/logs?stdout=1`)).bytes).stdout

    test('mounts a tmpfs without the files of the image, in which nothing may be executed, unless asked to', async () => {
      const Cmd = ['sh', '-c', 'grep -E " /(etc|x) " /proc/mounts; ls /etc']
      const shown = await outputOf(await client.finish({ Cmd, HostConfig: { Tmpfs: { '/etc': '', '/x': 'exec' } } }))
      expect(shown).toMatch(/ \/etc tmpfs \S*noexec/)
      expect(shown).not.toMatch(/ \/x tmpfs \S*noexec/)
      expect(shown).not.toContain('passwd')
    })

    test('starts a container with the tmpfs of its create', async () => {
      const HostConfig = { Tmpfs: { '/x': '', '/y': 'size=64k' } }
      const id = await client.create({ Cmd: ['true'], HostConfig })
      expect((await client.get(`/containers/${id}/json`)).at('HostConfig', 'Tmpfs')).toEqual(HostConfig.Tmpfs)
      if (client.minor < 24) expect((await client.post(`/containers/${id}/start`, HostConfig)).said).toBe('204 ')
    })

    test('has the domain of its create in its full name', async () => {
      const Cmd = ['hostname', '-f']
      const id = await client.finish({ Cmd, Hostname: 'web', Domainname: 'example.com' })
      expect(await outputOf(id)).toBe('web.example.com\n')
    })

    test('runs an exec that attaches no stream', async () => {
      const id = await client.run({ Cmd: ['sleep', '600'] })
      const exec = (await client.post(`/containers/${id}/exec`, { Cmd: ['touch', '/ran'] })).at('Id')
      const { wire } = await client.hijack(`/exec/${exec}/start`, 'upgrade', { Detach: false, Tty: false })
      await wire.rest()
      expect((await client.get(`/containers/${id}/archive?path=/ran`)).status).toBe(200)
    })

    test('is refused a memory in which no process fits', async () => {
      const body = { Image: 'busybox', HostConfig: { Memory: 5_000_000 } }
      expect((await client.post('/containers/create', body)).said).toContain('Minimum memory limit allowed is 6MB')
    })

    test('is refused a mount that Podman would confine less, and has a volume empty that is to be so', async () => {
      const mounted = (mount: object) =>
        client.post('/containers/create', { Image: 'busybox', Cmd: ['ls', '/etc'], HostConfig: { Mounts: [mount] } })
      const bind = { Type: 'bind', Source: '/tmp', Target: '/m', ReadOnly: true }
      const insisting = { ...bind, BindOptions: { Propagation: 'rprivate', ReadOnlyForceRecursive: true } }
      const volume = { Type: 'volume', Source: own('empty'), Target: '/etc' }
      const part = { ...volume, VolumeOptions: { Subpath: 'a' } }
      if (client.minor < 25) return // which have no mounts
      expect((await mounted(insisting)).said).toMatch(/^400 .*ReadOnlyForceRecursive/)
      expect((await mounted(part)).said).toMatch(/^400 .*Subpath/)
      const id = String((await mounted({ ...volume, VolumeOptions: { NoCopy: true, Labels: { a: 'b' } } })).at('Id'))
      await client.post(`/containers/${id}/start`)
      await client.post(`/containers/${id}/wait`)
      expect(await outputOf(id)).not.toContain('passwd')
      expect((await client.get(`/volumes/${volume.Source}`)).at('Labels')).toEqual({ a: 'b' })
      await client.delete(`/containers/${id}`)
    })

    test('has a container that was to be removed at its end removed where it does not start', async () => {
      if (client.minor < 25) return // which remove it themselves
      const id = await client.create({ Cmd: ['true'], User: 'nosuch', HostConfig: { AutoRemove: true } })
      expect((await client.post(`/containers/${id}/start`)).text).toContain('unable to find user nosuch')
      expect((await client.get(`/containers/${id}/json`)).status).toBe(404)
    })

    test('is told that a device which CDI cannot name is not there', async () => {
      const DeviceRequests = [{ Driver: 'other', Count: 1, Capabilities: [['x']] }]
      const { said } = await client.post('/containers/create', { Image: 'busybox', HostConfig: { DeviceRequests } })
      expect(said).toMatch(client.minor < 40 ? /^201 / : /^400 .*could not select device driver/)
    })

    test('makes a container whose health check has no command', async () => {
      await client.create({ Cmd: ['true'], Healthcheck: { Interval: 5e9 } })
    })

    test('sees the options of networks and volumes that it made', async () => {
      const [network, volume] = [own('network'), own('volume')]
      await client.post('/networks/create', { Name: network })
      const DriverOpts = { type: 'tmpfs', device: 'tmpfs', o: 'uid=7,nodev' }
      await client.post('/volumes/create', { Name: volume, DriverOpts })
      expect((await client.get(`/networks/${network}`)).at('IPAM', 'Options') ?? {}).toEqual({})
      if (client.minor > 24) expect((await client.get(`/volumes/${volume}`)).at('Options')).toEqual(DriverOpts)
    })
  },
)

await asLegacyClients({ [PODMAN]: ['1.18', '1.22'], [PODMAN_5_8]: ['1.22'] }, ({ client, own }) => {
  test('keeps a read-only bind of its own, and the lender of its create, at a start that names another', async () => {
    const [one, other] = [own('one'), own('other')]
    const lenders = await Promise.all(
      [`${one}:/n`, `${other}:/m`].map((bind) => client.run({ Cmd: ['sleep', '600'], HostConfig: { Binds: [bind] } })),
    )
    const HostConfig = { Binds: [`${one}:/n:ro`], VolumesFrom: [lenders[0]] }
    const id = await client.create({ Cmd: ['sh', '-c', 'touch /m/x && touch /n/x || ls -d /n /m'], HostConfig })
    expect((await client.post(`/containers/${id}/start`, { VolumesFrom: [lenders[1]] })).said).toBe('204 ')
    await client.post(`/containers/${id}/wait`)
    expect(demultiplex((await client.get(`/containers/${id}/logs?stdout=1`)).bytes).stdout).toBe('/m\n/n\n')
  })

  test('starts a container with the volumes of another in the place of its own, as it says', async () => {
    const Volumes = { '/data': {} }
    const lender = await client.run({ Volumes, Cmd: ['sh', '-c', 'touch /data/lent; sleep 600'] })
    for (const [mode, wrote] of [
      ['', 'lent\nwrote\n'],
      [':ro', 'lent\nnew\n'],
    ]) {
      const id = await client.create({ Volumes, Cmd: ['sh', '-c', 'ls /data; touch /data/new && echo wrote'] })
      const start = await client.post(`/containers/${id}/start`, { VolumesFrom: [`${lender}${mode}`] })
      expect(start.said).toBe('204 ')
      await client.post(`/containers/${id}/wait`)
      expect(demultiplex((await client.get(`/containers/${id}/logs?stdout=1`)).bytes).stdout).toBe(wrote)
    }
  })
})

await asLegacyClients({ [PODMAN_4_3]: ['1.41'], [PODMAN]: ['1.22', '1.41'], [PODMAN_5_8]: ['1.44'] }, ({ client }) => {
  test('is told at the start why a container does not start to whose output it attached before', async () => {
    const id = await client.create({ Cmd: ['/etc'] })
    for (const [how, status] of [['upgrade', 101] as const, ['plain', 200] as const]) {
      const { head, wire } = await client.hijack(`/containers/${id}/attach?stream=1&stdout=1`, how)
      expect([head.status, (await wire.rest()).length]).toEqual([status, 0])
    }
    expect((await client.post(`/containers/${id}/start`)).text).toMatch(/permission denied|could not be invoked/i)
  })

  test('starts a container with an init among the processes of the host, which has one', async () => {
    await client.run({ Cmd: ['sleep', '600'], HostConfig: { Init: true, PidMode: 'host' } })
  })
})
