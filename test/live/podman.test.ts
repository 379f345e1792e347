import { expect, test, vi } from 'vitest'
import { demultiplex, records } from './support/client.ts'
import { asLegacyClients, PODMAN, PODMAN_4_3, PODMAN_5_8 } from './support/suites.ts'
import { tar } from './support/tar.ts'

const filtered = (filters: object): string => `filters=${encodeURIComponent(JSON.stringify(filters))}`

await asLegacyClients({ [PODMAN]: ['1.18', '1.22'], [PODMAN_5_8]: ['1.22'] }, ({ client, own }) => {
  test('pings and is told a version', async () => {
    expect((await client.get('/_ping')).said).toBe('200 OK')
    expect((await client.get('/version')).json()).toMatchObject({ ApiVersion: expect.any(String) })
  })

  test('runs a container and reads its output and exit code', async () => {
    const id = await client.finish({ Cmd: ['sh', '-c', 'echo out; exit 7'] }, own('podman'))
    expect((await client.post(`/containers/${id}/wait`)).at('StatusCode')).toBe(7)
    expect(demultiplex((await client.get(`/containers/${id}/logs?stdout=1`)).bytes).stdout).toBe('out\n')
  })

  test('attaches and ends its side', async () => {
    const id = await client.create({ OpenStdin: true, StdinOnce: true, AttachStdin: true, Cmd: ['cat'] })
    const { wire } = await client.hijack(`/containers/${id}/attach?stream=1&stdin=1&stdout=1`, 'upgrade')
    await client.post(`/containers/${id}/start`)
    wire.write('through podman\n')
    wire.halfClose()
    expect(demultiplex(await wire.rest()).stdout).toBe('through podman\n')
  })

  test('runs a command in a container', async () => {
    const id = await client.run({ Cmd: ['sleep', '600'] })
    const exec = (await client.post(`/containers/${id}/exec`, { AttachStdout: true, Cmd: ['echo', 'inside'] })).at('Id')
    const { wire } = await client.hijack(`/exec/${exec}/start`, 'upgrade', { Detach: false, Tty: false })
    expect(demultiplex(await wire.rest()).stdout).toBe('inside\n')
  })

  test('starts a container with the HostConfig of its create', async () => {
    const HostConfig = {
      PortBindings: { '80/tcp': [{ HostPort: `187${client.minor}` }] },
      Binds: [`${own('volume')}:/x`],
      Ulimits: [{ Name: 'nofile', Soft: 100, Hard: 200 }],
    }
    const id = await client.create({ Cmd: ['true'], ExposedPorts: { '80/tcp': {} }, HostConfig })
    expect((await client.post(`/containers/${id}/start`, HostConfig)).said).toBe('204 ')
  })

  test.each([{ PortBindings: { '80/tcp': [{ HostPort: '' }] } }, { PublishAllPorts: true }])(
    'starts a container that was created without one with %j, by which Podman chooses a port',
    async (HostConfig) => {
      const id = await client.create({ Cmd: ['true'], ExposedPorts: { '80/tcp': {} } })
      expect((await client.post(`/containers/${id}/start`, HostConfig)).said).toBe('204 ')
    },
  )

  test('starts a container with the links of its create, and with others', async () => {
    const name = own('web')
    await client.run({ Cmd: ['sleep', '600'] }, name)
    const HostConfig = { Links: [`${name}:db`] }
    for (const more of [{ HostConfig }, {}]) {
      const id = await client.create({ Cmd: ['true'], ...more })
      expect((await client.post(`/containers/${id}/start`, HostConfig)).said).toBe('204 ')
    }
  })

  test('starts a container that has a host name in the network of the host, with ports that have no effect there', async () => {
    const id = await client.create({ Cmd: ['true'], Hostname: 'h1' })
    const HostConfig = { NetworkMode: 'host', PortBindings: { '80/tcp': [{ HostPort: '8080' }] } }
    expect((await client.post(`/containers/${id}/start`, HostConfig)).said).toBe('204 ')
  })

  test('starts a container in the network of another, with hosts that have no effect there', async () => {
    const other = await client.run({ Cmd: ['sleep', '600'] })
    const id = await client.create({ Cmd: ['true'], Hostname: 'h1', ExposedPorts: { '80/tcp': {} } })
    const HostConfig = { NetworkMode: `container:${other}`, ExtraHosts: ['a:1.2.3.4'] }
    expect((await client.post(`/containers/${id}/start`, HostConfig)).said).toBe('204 ')
    expect((await client.get(`/containers/${id}/json`)).at('HostConfig', 'NetworkMode')).toBe(`container:${other}`)
    const { NetworkMode } = HostConfig
    const again = await client.create({ Cmd: ['true'], HostConfig: { NetworkMode } })
    const bound = { NetworkMode, Binds: ['/usr:/mnt:ro'] }
    expect((await client.post(`/containers/${again}/start`, bound)).said).toBe('204 ')
  })

  test('lists the newest container first', async () => {
    const older = await client.create({ Cmd: ['true'] })
    const newer = await client.create({ Cmd: ['true'] })
    const list = (await client.get('/containers/json?all=1')).json() as { readonly Id: string }[]
    const ids = list.map((one) => one.Id)
    expect(ids.indexOf(newer)).toBeLessThan(ids.indexOf(older))
  })

  test('is told as text that there is no such container', async () => {
    const reply = await client.get('/containers/nosuch/json')
    expect([reply.status, reply.type]).toEqual([404, 'text/plain; charset=utf-8'])
  })
})

await asLegacyClients({ [PODMAN]: ['1.22', '1.41'], [PODMAN_5_8]: ['1.22', '1.44'] }, ({ client, own }) => {
  test('keeps the restart policy of a container at an update, and its containers at a forced removal of their image', async () => {
    const [Image, HostConfig] = [own('held'), { RestartPolicy: { Name: 'always' } }]
    await client.post(`/commit?container=${await client.create({ Cmd: ['true'] })}&repo=${Image}`)
    const id = await client.run({ Image, Cmd: ['sleep', '600'], HostConfig })
    expect((await client.post(`/containers/${id}/update`, { CpuShares: 512 })).status).toBe(200)
    expect((await client.delete(`/images/${Image}?force=1`)).status).toBe(409)
    const shown = (await client.get(`/containers/${id}/json`)).json()
    expect(shown).toMatchObject({ State: { Running: true }, HostConfig: { RestartPolicy: { Name: 'always' } } })
  })

  test('restarts a container that may end by itself', async () => {
    const Cmd = ['sh', '-c', 'trap "echo ends; exit" TERM; while :; do sleep 0.1; done']
    const id = await client.run({ Cmd })
    await client.post(`/containers/${id}/restart`)
    expect(demultiplex((await client.get(`/containers/${id}/logs?stdout=1`)).bytes).stdout).toBe('ends\n')
  })

  test('has no network where it is disabled, and is refused a runtime that is not there', async () => {
    const id = await client.finish({ Cmd: ['ls', '/sys/class/net'], NetworkDisabled: true })
    expect(demultiplex((await client.get(`/containers/${id}/logs?stdout=1`)).bytes).stdout).toBe('lo\n')
    const other = await client.post('/containers/create', { Image: 'busybox', HostConfig: { Runtime: 'runsc' } })
    expect(other.text).toContain('Unknown runtime specified runsc')
  })

  test('is told in Docker’s statuses what cannot be done', async () => {
    const name = own('taken')
    await client.run({ Cmd: ['sleep', '600'] }, name)
    const said = await Promise.all([
      client.post(`/containers/create?name=${name}`, { Image: 'busybox' }),
      client.delete(`/containers/${name}`),
      client.post('/containers/create', { Image: 'nosuch:1' }),
    ])
    expect(said.map(({ status }) => status)).toEqual([409, 409, 404])
    expect(said[2]?.text).toContain('No such image: nosuch:1')
    await client.post(`/containers/${name}/pause`)
    const exec = await client.post(`/containers/${name}/exec`, { Cmd: ['true'] })
    expect(exec.said).toMatch(/^409 .*is paused, unpause the container before exec/)
    const listed = (await client.get('/containers/json')).json()
    const mine = expect.objectContaining({ Names: [`/${name}`], HostConfig: { NetworkMode: 'default' } })
    expect(listed).toContainEqual(mine)
    expect(listed).not.toContainEqual(expect.objectContaining({ Name: '' }))
    await client.post(`/containers/${name}/unpause`)
  })

  test('makes a container in the network bridge with the address that it asks for, and sees both', async () => {
    const MacAddress = '02:42:ac:11:41:07'
    const endpoints = { NetworkingConfig: { EndpointsConfig: { bridge: {} } } }
    const id = await client.run({ Cmd: ['sleep', '600'], MacAddress, ...endpoints })
    const { NetworkSettings: seen } = (await client.get(`/containers/${id}/json`)).json() as Record<string, unknown>
    expect(seen).toMatchObject({ MacAddress, Networks: { bridge: { MacAddress } } })
  })

  test('gives an endpoint its own MAC address', async () => {
    const MacAddress = '02:42:ac:11:41:08'
    const EndpointsConfig = { default: { MacAddress } }
    const id = await client.run({ Cmd: ['sleep', '600'], NetworkingConfig: { EndpointsConfig } })
    expect((await client.get(`/containers/${id}/json`)).at('NetworkSettings', 'MacAddress')).toBe(MacAddress)
  })

  test('sees the quota of its CPUs, and makes a container again with it', async () => {
    const quota = { CpuPeriod: 100000, CpuQuota: 50000 }
    const id = await client.create({ Cmd: ['true'], HostConfig: quota })
    const HostConfig = (await client.get(`/containers/${id}/json`)).at('HostConfig')
    expect(HostConfig).toMatchObject(client.minor < 25 ? quota : { NanoCpus: 500000000 })
    await client.create({ Cmd: ['true'], HostConfig })
  })

  test('makes a container again from what it sees, at another address', async () => {
    const Cmd = ['sleep', '600']
    const id = await client.run({ Cmd })
    const seen = await client.get(`/containers/${id}/json`)
    const EndpointsConfig = seen.at('NetworkSettings', 'Networks')
    const again = await client.run({ Cmd, HostConfig: seen.at('HostConfig'), NetworkingConfig: { EndpointsConfig } })
    const address = (await client.get(`/containers/${again}/json`)).at('NetworkSettings', 'IPAddress')
    expect(address).toMatch(/^\d/)
    expect(address).not.toBe(seen.at('NetworkSettings', 'IPAddress'))
  })

  /** An image of the test's own: what is done to busybox is seen by other tests. */
  const twoNames = async (image: string, other: string): Promise<string> => {
    const container = await client.create({ Cmd: ['true'] })
    const id = (await client.post(`/commit?container=${container}&repo=${image}&tag=1`)).at('Id')
    await client.post(`/images/${image}:1/tag?repo=${other}&tag=1`)
    return String(id)
  }

  test('lists the containers of an image by its name and by its id, those of others not', async () => {
    const [name, image, other] = [own('ofimage'), own('image'), own('other')]
    const id = await twoNames(image, other)
    await client.create({ Image: `${image}:1`, Cmd: ['true'] }, name)
    const namesOf = async (ancestor: string) =>
      (await client.get(`/containers/json?all=1&${filtered({ ancestor: [ancestor] })}`)).text.includes(`/${name}`)
    const asked = [`${image}:1`, `${other}:1`, id, id.slice(7, 19), image, image.slice(0, -1), 'busybox']
    expect(await Promise.all(asked.map(namesOf))).toEqual([true, true, true, true, false, false, false])
  })

  test('lists an image by one of its names with that alone', async () => {
    const image = own('named')
    await twoNames(image, own('second'))
    const asked = client.minor < 25 ? `filter=${image}` : filtered({ reference: [image] })
    const listed = await client.get(`/images/json?${asked}`)
    expect(listed.json()).toMatchObject([{ RepoTags: [`docker.io/library/${image}:1`] }])
  })

  test('lists every port of a container, and its health', async () => {
    const ports = [0, 1, 2].map((last) => ({ PrivatePort: 80 + last, PublicPort: Number(`19${client.minor}${last}`) }))
    const id = await client.run({
      Cmd: ['sleep', '600'],
      ExposedPorts: { '80/tcp': {}, '81/tcp': {}, '82/tcp': {}, '90/udp': {} },
      HostConfig: {
        PortBindings: Object.fromEntries(ports.map((p) => [`${p.PrivatePort}/tcp`, [{ HostPort: `${p.PublicPort}` }]])),
      },
      ...(client.minor < 24 ? {} : { Healthcheck: { Test: ['CMD', 'true'] } }),
    })
    const [listed] = (await client.get(`/containers/json?${filtered({ id: [id] })}`)).json() as Record<
      string,
      unknown
    >[]
    expect(listed?.['Ports']).toEqual([
      ...ports.map((port) => ({ IP: '0.0.0.0', ...port, Type: 'tcp' })),
      { PrivatePort: 90, Type: 'udp' },
    ])
    expect(listed?.['Status']).toMatch(client.minor < 24 ? /^Up [^(]*$/ : /\((?:health: starting|healthy)\)$/)
  })

  test('sees in which network of its own a container was made, and starts it with that', async () => {
    const network = own('mode')
    await client.post('/networks/create', { Name: network })
    const id = await client.create({ Cmd: ['true'], HostConfig: { NetworkMode: network } })
    const HostConfig = (await client.get(`/containers/${id}/json`)).at('HostConfig')
    expect(HostConfig).toMatchObject({ NetworkMode: network })
    const body = client.minor < 24 ? { NetworkMode: network } : undefined
    expect((await client.post(`/containers/${id}/start`, body)).said).toBe('204 ')
  })

  test('removes no network in use, by its id and by force neither, and no volume by a part of its name', async () => {
    const [network, volume] = [own('inuse'), own('whole')]
    const id = (await client.post('/networks/create', { Name: network })).at('Id')
    const user = await client.run({ Cmd: ['sleep', '600'], HostConfig: { NetworkMode: network } })
    await client.post('/volumes/create', { Name: volume })
    const removed = [`/networks/${id}`, `/networks/${network}?force=1`, `/volumes/${volume.slice(0, -1)}`].map(
      client.delete,
    )
    const inUse = client.minor < 24 ? 500 : 403
    expect((await Promise.all(removed)).map(({ status }) => status)).toEqual([inUse, inUse, 404])
    expect((await client.get(`/networks/${id}`)).at('Name')).toBe(network)
    await client.post(`/containers/${user}/stop?t=0`)
    expect((await client.delete(`/networks/${network}`)).status).toBe(client.minor < 23 ? 200 : 204)
    expect((await client.delete(`/volumes/${volume}`)).status).toBe(204)
  })

  test('has the address of a linked container by its alias', async () => {
    const name = own('linked')
    const linked = await client.run({ Cmd: ['sleep', '600'] }, name)
    const id = await client.finish({ Cmd: ['grep', '-w', 'db', '/etc/hosts'], HostConfig: { Links: [`${name}:db`] } })
    const address = (await client.get(`/containers/${linked}/json`)).at('NetworkSettings', 'IPAddress')
    const { stdout } = demultiplex((await client.get(`/containers/${id}/logs?stdout=1`)).bytes)
    expect(stdout).toMatch(new RegExp(`^${address}\\s.*\\bdb\\b`))
  })

  test('sees an exec that runs without an exit code, and resizes it', async () => {
    const id = await client.run({ Cmd: ['sleep', '600'] })
    const exec = (await client.post(`/containers/${id}/exec`, { Tty: true, Cmd: ['sleep', '600'] })).at('Id')
    await client.post(`/exec/${exec}/start`, { Detach: true, Tty: true })
    expect((await client.post(`/exec/${exec}/resize?h=20&w=40`)).status).toBe(200)
    expect((await client.get(`/exec/${exec}/json`)).at('ExitCode')).toBe(null)
  })

  test('follows the removal of a container by its name on Docker', async () => {
    const id = await client.finish({ Cmd: ['true'] })
    const wire = client.send('GET', `/events?${filtered({ container: [id], event: ['destroy'] })}`)
    const head = await wire.head()
    await client.delete(`/containers/${id}`)
    let text = ''
    for await (const piece of wire.body(head)) {
      text += piece.toString()
      if (text.includes('"destroy"')) break
    }
    wire.leave()
    expect(records(text)).toEqual([expect.objectContaining({ status: 'destroy', id })])
  })
})

const NEWEST = { [PODMAN_4_3]: ['1.41'], [PODMAN]: ['1.41'], [PODMAN_5_8]: ['1.41', '1.44'] }

await asLegacyClients(NEWEST, ({ client, own }) => {
  test('follows the containers of an image that have two labels', async () => {
    const name = own('labels')
    const wire = client.send('GET', `/events?${filtered({ image: ['busybox'], label: ['a=b', 'c'] })}`)
    const head = await wire.head()
    await client.create({ Cmd: ['true'], Labels: { a: 'b' } })
    await client.create({ Cmd: ['true'], Labels: { a: 'b', c: 'd' } }, name)
    let text = ''
    for await (const piece of wire.body(head)) {
      text += piece.toString()
      if (text.includes('create')) break
    }
    wire.leave()
    expect(records(text)).toMatchObject([{ Action: 'create', Actor: { Attributes: { name } } }])
  })

  test('is told what a container that removes itself ended with, once it is gone', async () => {
    const id = await client.create({ Cmd: ['sh', '-c', 'exit 7'], HostConfig: { AutoRemove: true } })
    const wire = client.send('POST', `/containers/${id}/wait?condition=removed`)
    const head = await wire.head()
    await client.post(`/containers/${id}/start`)
    let text = ''
    for await (const piece of wire.body(head)) text += piece.toString()
    expect(records(text)).toMatchObject([{ StatusCode: 7 }])
    expect((await client.get(`/containers/${id}/json`)).status).toBe(404)
  })

  test('removes by force what would take its time to end, at once and for good', async () => {
    const Cmd = ['sh', '-c', 'trap "" TERM; while :; do sleep 1; done']
    const hosts = [{}, { AutoRemove: true }, { RestartPolicy: { Name: 'always' } }]
    const ids = await Promise.all(hosts.map((HostConfig) => client.run({ Cmd, HostConfig })))
    const began = performance.now()
    const removed = await Promise.all(ids.map((id) => client.delete(`/containers/${id}?force=1`)))
    expect(removed.map(({ status }) => status)).toEqual([204, 204, 204])
    expect(performance.now() - began).toBeLessThan(5_000)
    for (const id of ids) expect((await client.get(`/containers/${id}/json`)).status).toBe(404)
  })

  test('is told 0 of a container that never ran, once it is gone', async () => {
    const id = await client.create({ Cmd: ['true'] })
    const wire = client.send('POST', `/containers/${id}/wait?condition=removed`)
    const head = await wire.head()
    await client.delete(`/containers/${id}`)
    let text = ''
    for await (const piece of wire.body(head)) text += piece.toString()
    expect(records(text)).toMatchObject([{ StatusCode: 0 }])
  })

  test('commits a container with another command, beside its own entrypoint and signal', async () => {
    const id = await client.create({ Entrypoint: ['/e'], Cmd: ['a'], StopSignal: 'SIGINT' })
    const [conf, changes] = [own('conf'), own('changes')]
    await client.post(`/commit?container=${id}&repo=${conf}`, { Cmd: ['b'], Env: ['A=b "c"'], Labels: { l: 'm n' } })
    await client.post(`/commit?container=${id}&repo=${changes}&changes=${encodeURIComponent('CMD ["b"]')}`)
    const [asked, changed] = [await client.get(`/images/${conf}/json`), await client.get(`/images/${changes}/json`)]
    const made = { Entrypoint: ['/e'], Cmd: ['b'], StopSignal: '2' }
    expect(asked.at('Config')).toMatchObject({
      ...{ ...made, Labels: { l: 'm n' }, Env: expect.arrayContaining(['A=b "c"']) },
    })
    expect(changed.at('Config')).toMatchObject(made)
  })

  test('sees the ids of the networks of a container', async () => {
    const Name = own('ids')
    const network = (await client.post('/networks/create', { Name })).at('Id')
    const id = await client.run({ Cmd: ['sleep', '600'], HostConfig: { NetworkMode: Name } })
    const endpoint = ['NetworkSettings', 'Networks', Name, 'NetworkID']
    expect((await client.get(`/containers/${id}/json`)).at(...endpoint)).toBe(network)
    expect((await client.get(`/containers/json?${filtered({ id: [id] })}`)).at(0, ...endpoint)).toBe(network)
  })

  test('prunes all unused images that have a label', async () => {
    const label = own('unused')
    const id = await client.create({ Cmd: ['true'] })
    await client.post(`/commit?container=${id}&repo=${label}`, { Labels: { [label]: '' } })
    const pruned = await client.post(`/images/prune?${filtered({ dangling: ['false'], label: [label] })}`)
    expect(pruned.at('ImagesDeleted', 0, 'Deleted')).toMatch(/^sha256:/)
    expect((await client.get(`/images/${label}/json`)).status).toBe(404)
    expect((await client.get('/images/busybox/json')).status).toBe(200)
  })

  test('finds its host by `host-gateway`', async () => {
    const Name = own('gateway')
    await client.post('/networks/create', { Name })
    const HostConfig = { NetworkMode: Name, ExtraHosts: ['up:host-gateway'] }
    const id = await client.finish({ Cmd: ['grep', '-w', 'up', '/etc/hosts'], HostConfig })
    expect(demultiplex((await client.get(`/containers/${id}/logs?stdout=1`)).bytes).stdout).toMatch(
      /^10\.\d+\.\d+\.1\s/,
    )
  })

  test('sees the processes of a container in columns', async () => {
    const id = await client.run({ Cmd: ['sleep', '600'] })
    const top = await client.get(`/containers/${id}/top?ps_args=${encodeURIComponent('-o pid,args')}`)
    expect([top.at('Titles'), top.at('Processes', 0)]).toEqual([
      ['PID', 'COMMAND'],
      ['1', 'sleep 600'],
    ])
  })

  test('sees no health where there is no check, and which restart policy', async () => {
    const shown = await client.get(`/containers/${await client.run({ Cmd: ['sleep', '600'] })}/json`)
    expect([shown.at('State', 'Health'), shown.at('HostConfig', 'RestartPolicy', 'Name')]).toEqual([undefined, 'no'])
  })

  test('imports an image with its tag', async () => {
    const image = own('imported')
    const bytes = tar({ file: 'content' })
    await client.call('POST', `/images/create?fromSrc=-&repo=${image}&tag=t1`, { bytes, type: 'application/x-tar' })
    expect((await client.get(`/images/${image}:t1/json`)).status).toBe(200)
  })

  test('reads statistics beside those of a second before', async () => {
    const id = await client.run({ Cmd: ['sleep', '600'] })
    const before = (await client.get(`/containers/${id}/stats?stream=0`)).at('precpu_stats', 'system_cpu_usage')
    expect(before).toBeGreaterThan(0)
  })

  test('is told in Docker’s words what is not valid', async () => {
    const create = (more: object) => client.post('/containers/create', { Image: 'busybox', Cmd: ['true'], ...more })
    const replies = [
      await create({ StopSignal: 'SIGBOGUS' }),
      await create({ HostConfig: { CapDrop: ['bogus'] } }),
      await create({ HostConfig: { RestartPolicy: { Name: 'bogus' } } }),
      await create({ HostConfig: { LogConfig: { Type: 'gelf' } } }),
      await create({ HostConfig: { Binds: ['a b:/x'] } }),
      await client.post('/volumes/create', { Name: 'a b' }),
      await client.delete('/networks/bridge'),
      await client.get(`/networks?${filtered({ bogus: ['x'] })}`),
      await client.get(`/containers/json?${filtered({ status: ['bogus'] })}`),
      await client.get(`/volumes?${filtered({ bogus: ['x'] })}`),
    ]
    expect(replies.map((reply) => `${reply.status} ${reply.at('message')}`)).toEqual([
      '400 Invalid signal: SIGBOGUS',
      '400 invalid CapDrop: unknown capability: "CAP_BOGUS"',
      "400 invalid restart policy 'bogus'",
      '400 error looking up logging plugin gelf: plugin "gelf" not found',
      expect.stringMatching(/^400 create a b: "a b" includes invalid characters/),
      expect.stringMatching(/^400 create a b: "a b" includes invalid characters/),
      '403 bridge is a pre-defined network and cannot be removed',
      "400 Invalid filter 'bogus'",
      "400 Invalid filter 'status=bogus'",
      "400 Invalid filter 'bogus'",
    ])
    expect((await client.get('/plugins')).json()).toEqual([])
  })

  test('lists no volume that only one of several filters names, and keeps it when it prunes', async () => {
    const [name, label] = [own('kept'), own('other')]
    await client.post('/volumes/create', { Name: name, Labels: { [label]: '' } })
    const both = { label: [own('absent')], 'label!': [own('none')] }
    expect((await client.post(`/volumes/prune?${filtered(both)}`)).text).toContain('any of several filters')
    const one = { name: [name], label: [own('absent')] }
    expect((await client.get(`/volumes?${filtered(one)}`)).at('Volumes')).toEqual([])
    expect((await client.get(`/volumes/${name}`)).status).toBe(200)
  })

  test('prunes builds, of which there are none', async () => {
    expect((await client.post('/build/prune')).json()).toEqual({ CachesDeleted: null, SpaceReclaimed: 0 })
  })

  test('sees names with a slash in statistics and disk usage', async () => {
    const id = await client.run({ Cmd: ['sleep', '600'] })
    const stats = await client.get(`/containers/${id}/stats?stream=0`)
    expect([stats.type, stats.at('name')]).toEqual(['application/json', expect.stringMatching(/^\//)])
    expect((await client.get('/system/df')).at('Containers', 0, 'Names', 0)).toMatch(/^\//)
  })
})

await asLegacyClients({ [PODMAN_5_8]: ['1.44'] }, ({ client, own }) => {
  test('keeps a volume with a name when it prunes the anonymous ones, and not when it prunes all', async () => {
    const [name, label] = [own('volume'), own('pruned')]
    await client.post('/volumes/create', { Name: name, Labels: { [label]: '' } })
    const prune = (filters: object) => client.post(`/volumes/prune?${filtered({ label: [label], ...filters })}`)
    expect((await prune({})).text).toContain('Podman prunes all unused volumes')
    expect((await client.get(`/volumes/${name}`)).status).toBe(200)
    expect((await prune({ all: ['true'] })).json()).toMatchObject({ VolumesDeleted: [name] })
  })
})

await asLegacyClients({ [PODMAN_4_3]: ['1.22', '1.41'] }, ({ client, own }) => {
  test('gives a container that is stopped the time of Docker, where its create says none', async () => {
    const Cmd = ['sh', '-c', 'trap "echo ends; exit" TERM; echo ready; while :; do sleep 0.1; done']
    const id = await client.run({ Cmd })
    const said = async () => demultiplex((await client.get(`/containers/${id}/logs?stdout=1`)).bytes).stdout
    await vi.waitUntil(async () => (await said()) === 'ready\n', { timeout: 20_000 })
    await client.post(`/containers/${id}/stop`)
    expect(await said()).toBe('ready\nends\n')
  })

  test('commits a container without saying a configuration', async () => {
    const id = await client.create({ Cmd: ['true'] })
    expect((await client.post(`/commit?container=${id}&repo=${own('commit')}`)).status).toBe(201)
  })

  test('sees the address of a published port, and is told in Docker’s statuses what is there and what does not run', async () => {
    const HostConfig = { PortBindings: { '80/tcp': [{ HostPort: '' }] } }
    const id = await client.create({ Cmd: ['true'], ExposedPorts: { '80/tcp': {} }, HostConfig })
    const shown = await client.get(`/containers/${id}/json`)
    expect(shown.at('NetworkSettings', 'Ports', '80/tcp', 0, 'HostIp')).toBe('0.0.0.0')
    expect((await client.post(`/containers/${id}/kill`)).status).toBe(client.minor < 25 ? 500 : 409)
    const Name = own('twice')
    await client.post('/networks/create', { Name })
    const again = await client.post('/networks/create', { Name, CheckDuplicate: true })
    expect(again.text).toContain(`network with name ${Name} already exists`)
  })

  test('is told that a container whose processes it asks for does not run', async () => {
    const id = await client.create({ Cmd: ['true'] })
    expect((await client.get(`/containers/${id}/top`)).text).toContain('is not running')
  })

  test('is refused rules for devices, which this Podman ignores', async () => {
    const HostConfig = { DeviceCgroupRules: ['c 13:* rwm'] }
    const reply = await client.post('/containers/create', { Image: 'busybox', HostConfig })
    expect(reply.text).toContain(client.minor < 28 ? 'Id' : 'ignores the device rule c 13:* rwm')
  })

  test('is told that this Podman cannot update a container', async () => {
    const id = await client.create({ Cmd: ['true'] })
    const reply = await client.post(`/containers/${id}/update`, { CpuShares: 512 })
    expect(reply.said).toMatch(/^501 .*this Podman cannot update a container/)
  })
})
