import { expect, test } from 'vitest'
import { bridgeTo } from './support/bridge.ts'
import { Client, type Reply } from './support/client.ts'
import { asLegacyClients, type Matrix } from './support/suites.ts'
import { tar } from './support/tar.ts'

/** 20.10 takes the body itself from these clients; asked at 1.41 alone it refuses it as later engines do. */
const REFUSING: Matrix = { '26.1': ['1.18'], '28.5-min1.44': ['1.22'] }
const OLDER: Matrix = { '20.10': ['1.18'] }

const forever = { Cmd: ['sh', '-c', 'hostname; cat /mnt/hello 2>/dev/null; exec sleep 600'] }

for (const [matrix, flags] of [
  [REFUSING, []],
  [OLDER, ['--engine-api', '1.41']],
] as const) {
  await asLegacyClients(
    matrix,
    ({ client, engine, own }) => {
      const direct = Client.ofEngine(engine.socket)
      const inspect = (name: string): Promise<Reply> => client.get(`/containers/${name}/json`)
      const start = (name: string, hostConfig: object): Promise<Reply> =>
        client.post(`/containers/${name}/start`, hostConfig)
      /** The names of this suite's containers that were set aside: other suites kill bridges that set theirs aside. */
      const setAside = async (): Promise<string[]> => {
        const names = (await direct.get('/containers/json?all=1')).text.match(/[^"]*set-aside[^"]*/g) ?? []
        return names.filter((name) => name.endsWith(own('')))
      }
      const volumes = async (): Promise<unknown[]> => {
        // Without a name, and unused: other suites have volumes meanwhile.
        const list = (await direct.get('/volumes?filters={"dangling":["true"]}')).at('Volumes')
        const names = Array.isArray(list) ? list.map((volume) => String(volume.Name)) : []
        return names.filter((name) => /^[0-9a-f]{64}$/.test(name))
      }

      test('has all that the start asked for, and what the create gave beside it', async () => {
        const name = own('full')
        const db = await client.create(forever, own('db'))
        await client.post(`/containers/${db}/start`)
        const id = await client.create(
          {
            ...forever,
            Memory: 67108864,
            CpuShares: 7,
            Labels: { a: 'b' },
            Env: ['X=1'],
            Volumes: { '/data': {} },
            HostConfig: { CapDrop: ['MKNOD'] },
          },
          name,
        )
        const hostConfig = {
          Binds: ['/usr:/usr2:ro'],
          PortBindings: { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '' }] },
          Links: [`${own('db')}:data`],
          VolumesFrom: [db],
          Dns: ['9.9.9.9'],
          ExtraHosts: ['elsewhere:10.1.2.3'],
          ...(engine.name === '20.10' ? {} : { Privileged: true }), // more than that engine's own sandbox may grant
        }
        expect((await start(id, hostConfig)).said).toBe('204 ')
        const inspected = await inspect(id)
        expect(inspected.at('Id')).toBe(id)
        expect(inspected.at('Name')).toBe(`/${name}`)
        expect(inspected.at('State', 'Running')).toBe(true)
        expect(inspected.at('HostConfig')).toMatchObject({
          ...hostConfig,
          Links: [`/${own('db')}:/${name}/data`],
          Memory: 67108864,
          CpuShares: 7,
          CapDrop: ['MKNOD'],
        })
        expect(inspected.at('Config')).toMatchObject({
          Hostname: id.slice(0, 12),
          Env: ['X=1'],
          Volumes: { '/data': {} },
        })
        expect(inspected.at('Config', 'Labels')).toEqual({ a: 'b' })
        expect(await setAside()).toEqual([])
      })

      test('goes on under the id that create gave, in every call and answer', async () => {
        const id = await client.create(forever, own('id'))
        expect((await start(id, { Binds: ['/etc:/mnt:ro'] })).said).toBe('204 ')
        for (const said of [id, id.slice(0, 12), own('id')]) expect((await inspect(said)).at('Id')).toBe(id)
        expect((await client.get('/containers/json')).text).toContain(id)
        const filters = encodeURIComponent(JSON.stringify({ id: [id] }))
        expect((await client.get(`/containers/json?filters=${filters}`)).at(0, 'Id')).toBe(id)
        expect((await client.get(`/containers/${id}/logs?stdout=1`)).text).toContain(id.slice(0, 12))
        expect((await client.get(`/containers/${id}/top`)).status).toBe(200)
        if (client.minor > 18) expect((await client.get(`/containers/${id}/stats?stream=0`)).status).toBe(200)
        expect((await client.get(`/containers/${id}/changes`)).status).toBe(200)
        expect((await client.post(`/containers/${id}/stop?t=0`)).said).toBe('204 ')
        expect((await client.post(`/containers/${id}/wait`)).status).toBe(200)
        expect((await client.post(`/containers/${id}/restart?t=0`)).said).toBe('204 ')
        expect((await client.delete(`/containers/${id}?force=1`)).said).toBe('204 ')
        const gone = await inspect(id)
        expect(gone.status).toBe(404)
        expect(gone.text).toContain(id)
      })

      test('gives execs, an attached client and other containers the right one', async () => {
        const id = await client.create(forever, own('exec'))
        expect((await start(id, { ExtraHosts: ['a:1.2.3.4'] })).said).toBe('204 ')
        const made = await client.post(`/containers/${id}/exec`, { Cmd: ['hostname'], AttachStdout: true })
        const exec = String(made.at('Id'))
        expect((await client.post(`/exec/${exec}/start`, {})).text).toContain(id.slice(0, 12))
        const shown = await client.get(`/exec/${exec}/json`)
        expect(shown.at('ContainerID') ?? shown.at('Container', 'ID')).toBe(id)
        const { wire, head } = await client.hijack(`/containers/${id}/attach?logs=1&stream=1&stdout=1`, 'plain')
        expect(head.status).toBe(200)
        expect((await wire.some())?.toString()).toContain(id.slice(0, 12))
        wire.leave()
        const other = await client.create({ ...forever, HostConfig: { NetworkMode: `container:${id}` } }, own('other'))
        expect((await client.post(`/containers/${other}/start`)).said).toBe('204 ')
        expect((await inspect(other)).at('HostConfig', 'NetworkMode')).toBe(`container:${id}`)
      })

      test('is known by its id to a bridge that has just been started', async () => {
        const id = await client.create(forever, own('again'))
        expect((await start(id, { Binds: ['/etc:/mnt:ro'] })).said).toBe('204 ')
        const bridge = await bridgeTo(engine.socket)
        const later = new Client(bridge.socket, client.version)
        expect((await later.get(`/containers/${id}/json`)).at('Id')).toBe(id)
        expect((await later.post(`/containers/${id.slice(0, 12)}/stop?t=0`)).said).toBe('204 ')
        expect((await later.delete(`/containers/${id}?force=1`)).said).toBe('204 ')
        await bridge.stop()
      })

      test('shows in the events as one container, created once', async () => {
        const since = Math.floor(Date.now() / 1000)
        const id = await client.create(forever, own('events'))
        expect((await start(id, { Binds: ['/etc:/mnt:ro'] })).said).toBe('204 ')
        await client.post(`/containers/${id}/kill`)
        await client.post(`/containers/${id}/wait`)
        await client.delete(`/containers/${id}?force=1`)
        await new Promise((resolve) => setTimeout(resolve, 1_000)) // events have whole seconds
        const events = (await client.get(`/events?since=${since}&until=${Math.floor(Date.now() / 1000)}`)).text
        const seen = events.split(/(?<=\})\s*(?=\{)/).filter((event) => event.includes(id))
        const states = seen.flatMap((event) => /"status":"(\w+)"/.exec(event)?.[1] ?? [])
        expect(states.filter((state) => state !== 'kill')).toEqual(['create', 'start', 'die', 'destroy'])
        expect(events).not.toMatch(/enginebridge[.-](?:replaces|set-aside)/) // other suites run bridges as containers
      })

      test('leaves the container as it was when it cannot be made', async () => {
        const name = own('bad')
        const id = await client.create(forever, name)
        const before = await direct.get(`/containers/${id}/json`)
        const reply = await start(id, { Binds: ['/usr:/mnt', '/etc:/mnt'] })
        expect(reply.status).toBeGreaterThanOrEqual(400)
        expect(reply.text).toMatch(/Duplicate (?:bind )?mount(?: point:?)? '?\/mnt/)
        expect(reply.text).not.toContain('cannot make container')
        const after = await direct.get(`/containers/${name}/json`)
        expect(after.json()).toEqual(before.json())
        expect(await setAside()).toEqual([])
        expect((await client.post(`/containers/${name}/start`)).said).toBe('204 ')
      })

      test('is made again once more when its first start failed', async () => {
        const id = await client.create({ Cmd: ['sleep', '600'] }, own('twice'))
        const failed = await start(id, {
          Devices: [{ PathOnHost: '/dev/nosuch', PathInContainer: '/dev/x', CgroupPermissions: 'r' }],
        })
        expect(failed.status).toBeGreaterThanOrEqual(400)
        expect(failed.text).not.toContain('set-aside')
        const again = await start(id, {
          Devices: [{ PathOnHost: '/dev/null', PathInContainer: '/dev/x', CgroupPermissions: 'r' }],
        })
        expect(again.said).toBe('204 ')
        expect((await inspect(id)).at('Id')).toBe(id)
        expect((await inspect(id)).at('Config', 'Hostname')).toBe(id.slice(0, 12))
      })

      test('is refused where files were put into the container or its volumes', async () => {
        for (const [place, said] of [
          ['/tmp', '/tmp/hello'],
          ['/data', 'its volumes at /data'],
        ] as const) {
          const id = await client.create({ ...forever, Volumes: { '/data': {} } })
          const bytes = tar({ hello: 'hi\n' })
          const put = await Client.ofEngine(engine.socket).put(`/containers/${id}/archive?path=${place}`, {
            bytes,
            type: 'application/x-tar',
          })
          expect(put.said).toBe('200 ')
          const reply = await start(id, { Binds: ['/usr:/mnt'] })
          expect(reply.status).toBe(400)
          expect(reply.text).toContain(said)
          expect((await direct.get(`/containers/${id}/archive?path=${place}/hello`)).status).toBe(200)
          await client.delete(`/containers/${id}?v=1`)
        }
      })

      test('is refused while a client is attached to it', async () => {
        const id = await client.create(forever, own('attached'))
        const { wire, head } = await client.hijack(`/containers/${own('attached')}/attach?stream=1&stdout=1`, 'plain')
        expect(head.status).toBe(200)
        const reply = await start(id, { Dns: ['9.9.9.9'] })
        expect(reply.status).toBe(400)
        expect(reply.text).toContain('a client is attached to it')
        wire.leave()
      })

      test('keeps its networks, its address and its MAC address', async () => {
        const [mine, further] = [own('mine'), own('further')]
        await direct.post('/networks/create', { Name: mine })
        await direct.post('/networks/create', { Name: further })
        const id = await client.create(
          { ...forever, MacAddress: '02:42:ac:11:00:77', HostConfig: { NetworkMode: mine } },
          own('networks'),
        )
        expect((await direct.post(`/networks/${further}/connect`, { Container: id })).status).toBe(200)
        expect((await start(id, { Dns: ['9.9.9.9'] })).said).toBe('204 ')
        const networks = (await direct.get(`/containers/${own('networks')}/json`)).at('NetworkSettings', 'Networks')
        expect(networks).toMatchObject({ [mine]: { MacAddress: '02:42:ac:11:00:77' }, [further]: {} })
        const found = await client.post(`/containers/${id}/exec`, {
          Cmd: ['nslookup', id.slice(0, 12)],
          AttachStdout: true,
        })
        expect((await client.post(`/exec/${found.at('Id')}/start`, {})).text).toMatch(/Address.*\d+\.\d+/)
        expect((await client.delete(`/containers/${id}?force=1`)).said).toBe('204 ')
        for (const network of [mine, further]) await direct.delete(`/networks/${network}`)
      })

      // Networks without settings of their own were lost, and the id of one was taken for another network.
      test('stays in every network that it is in, however its NetworkMode is spelled, and in no other', async () => {
        const [mine, further] = [own('mine2'), own('further2')]
        const network = String((await direct.post('/networks/create', { Name: mine })).at('Id'))
        await direct.post('/networks/create', { Name: further })
        const networksOf = async (name: string): Promise<string[]> =>
          Object.keys(Object((await direct.get(`/containers/${name}/json`)).at('NetworkSettings', 'Networks'))).sort()
        const cases: (readonly [NetworkMode: string, joins: string | undefined, body: object, networks: string[]])[] = [
          [network, undefined, {}, [mine]],
          [network.slice(0, 12), undefined, {}, [mine]],
          ['', further, {}, ['bridge', further]],
          ['', undefined, { NetworkMode: network.slice(0, 12) }, [mine]],
          [network, undefined, { NetworkMode: further }, [further]],
          [mine, further, { NetworkMode: 'bridge' }, ['bridge', further]],
          ['', undefined, { NetworkMode: mine, Links: ['nobody:db'] }, [mine]],
          ['', further, { NetworkMode: 'none' }, ['none']],
          ['', further, { NetworkMode: 'host', Dns: null }, ['host']],
        ]
        for (const [i, [NetworkMode, joins, body, networks]] of cases.entries()) {
          const name = own(`net${i}`)
          const id = await client.create({ ...forever, HostConfig: { NetworkMode } }, name)
          if (joins !== undefined) await direct.post(`/networks/${joins}/connect`, { Container: id })
          expect([i, (await start(id, { Dns: ['9.9.9.9'], ...body })).said]).toEqual([i, '204 '])
          expect([i, await networksOf(name)]).toEqual([i, networks.sort()])
          await client.post(`/containers/${id}/stop?t=0`)
          expect([i, (await start(id, { Dns: ['9.9.9.9'], ...body })).said]).toEqual([i, '204 '])
          await client.delete(`/containers/${id}?force=1`)
        }
        const moved = await client.create(forever, own('moved'))
        await direct.post('/networks/bridge/disconnect', { Container: moved })
        await direct.post(`/networks/${further}/connect`, { Container: moved })
        expect((await start(moved, { Dns: ['9.9.9.9'] })).said).toBe('204 ')
        expect(await networksOf(own('moved'))).toEqual([further])
        await client.delete(`/containers/${moved}?force=1`)
        const aliased = await client.create(forever, own('aliased'))
        const EndpointConfig = { Aliases: ['known'] }
        await direct.post(`/networks/${further}/connect`, { Container: aliased, EndpointConfig })
        expect((await start(aliased, { NetworkMode: 'none' })).text).toContain(
          `lose Aliases of its endpoint in ${further}`,
        )
        await client.delete(`/containers/${aliased}?force=1`)
        const left = await client.create(forever, own('left'))
        await direct.post('/networks/bridge/disconnect', { Container: left })
        expect((await start(left, { Dns: ['9.9.9.9'] })).text).toContain('it was taken out of the network bridge')
        await client.delete(`/containers/${left}?force=1`)
        for (const one of [mine, further]) await direct.delete(`/networks/${one}`)
      }, 240_000) // twelve containers, most of them made again twice: a minute where two processors are slow and busy

      test('changes a limit of memory beside every limit of swap', async () => {
        for (const MemorySwap of [-1, 100_000_000]) {
          const id = await client.create({ ...forever, HostConfig: { Memory: 67108864, MemorySwap } })
          expect((await start(id, { Memory: 134217728 })).said).toBe('204 ')
          await client.delete(`/containers/${id}?force=1`)
        }
      })

      test('is refused where another container has one of its volumes or waits for its namespaces', async () => {
        const id = await client.create({ ...forever, Volumes: { '/data': {} } }, own('shared'))
        for (const HostConfig of [
          { VolumesFrom: [id] },
          { IpcMode: `container:${id}` },
          { PidMode: `container:${id}` },
        ]) {
          const other = (await direct.post('/containers/create', { Image: 'busybox', Cmd: ['true'], HostConfig })).at(
            'Id',
          )
          const reply = await start(id, { Dns: ['9.9.9.9'] })
          expect([reply.status, reply.text]).toEqual([
            400,
            expect.stringMatching(/has one of its volumes|shares one of its/),
          ])
          await direct.delete(`/containers/${other}?force=1`)
        }
        expect((await start(id, { Dns: ['9.9.9.9'] })).said).toBe('204 ')
        await client.delete(`/containers/${id}?force=1&v=1`)
      })

      // An image with EXPOSE was 409: engines check a create for what has no effect there, and a start never.
      test('joins a container by name and links one by id, with a working directory that its image lacks', async () => {
        const other = await client.create(forever, own('other-one'))
        expect((await client.post(`/containers/${other}/start`)).said).toBe('204 ')
        const joins = await client.create({ ...forever, WorkingDir: '/made/here' }, own('joins'))
        expect((await start(joins, { NetworkMode: `container:${own('other-one')}` })).said).toBe('204 ')
        expect((await inspect(joins)).at('HostConfig', 'NetworkMode')).toBe(`container:${other}`)
        const image = own('exposing').toLowerCase()
        const made = await direct.post(`/commit?container=${other}&repo=${image}&changes=EXPOSE%2080`, {})
        expect(made.said).toMatch(/^201 /)
        const asked = { ...forever, Image: image, Hostname: 'h1', Domainname: 'd1', ExposedPorts: { '81/tcp': {} } }
        const beside = await client.create(asked, own('beside'))
        const inVain = {
          ...{ Dns: ['9.9.9.9'], ExtraHosts: ['a:1.2.3.4'], Links: [`${other}:x`], PublishAllPorts: true },
          PortBindings: { '80/tcp': [{ HostPort: '' }] },
        }
        expect((await start(beside, { NetworkMode: `container:${other}`, ...inVain })).said).toBe('204 ')
        expect((await inspect(beside)).at('State', 'Running')).toBe(true)
        const withHost = await client.create({ ...forever, Image: image, Hostname: 'h1' }, own('with-host'))
        expect((await start(withHost, { NetworkMode: 'host', Links: [`${other}:x`] })).said).toBe('204 ')
        const links = await client.create(forever, own('links'))
        expect((await start(links, { Links: [`${other}:db`] })).said).toBe('204 ')
        expect((await inspect(links)).at('HostConfig', 'Links')).toEqual([`/${own('other-one')}:/${own('links')}/db`])
      })

      // fig, and every data container of an image with VOLUME: the lender's files were taken for the container's own.
      test('takes the volumes of a container that has written to them, where its own image has one, and keeps its links apart', async () => {
        const data = { Volumes: { '/data': {} } }
        const lender = await client.create(
          { ...data, Cmd: ['sh', '-c', 'echo lent > /data/file; sleep 600'] },
          own('lender'),
        )
        await client.post(`/containers/${lender}/start`)
        const id = await client.create({ ...data, Cmd: ['cat', '/data/file'] }, own('borrower'))
        const Links = [`${own('lender')}:db`, `/${own('lender')}:db`, `${own('lender')}:data`]
        const written = `/containers/${own('lender')}/archive?path=/data/file`
        await expect.poll(async () => (await direct.get(written)).status).toBe(200)
        expect((await start(id, { VolumesFrom: [`${own('lender')}:ro`], Links })).said).toBe('204 ')
        await client.post(`/containers/${id}/wait`)
        expect((await client.get(`/containers/${id}/logs?stdout=1`)).text).toContain('lent')
      })

      test('is refused when it has run before', async () => {
        const id = await client.create({ Cmd: ['true'] }, own('ran'))
        await client.post(`/containers/${id}/start`)
        await client.post(`/containers/${id}/wait`)
        const reply = await start(id, { Binds: ['/usr:/mnt'], Dns: ['9.9.9.9'] })
        expect(reply.status).toBe(400)
        expect(reply.text).toContain('HostConfig.Binds, HostConfig.Dns')
        expect(reply.text).toContain('it has been started before')
      })

      test('leaves no volume behind', async () => {
        const before = await volumes()
        const id = await client.create({ ...forever, Volumes: { '/data': {}, '/more': {} } })
        expect((await start(id, { Binds: ['/usr:/more:ro'] })).said).toBe('204 ')
        expect((await client.delete(`/containers/${id}?force=1&v=1`)).said).toBe('204 ')
        expect((await volumes()).filter((volume) => !before.includes(volume))).toEqual([])
      })

      test('is made again once for two starts at a time', async () => {
        const id = await client.create(forever, own('two'))
        const replies = await Promise.all([start(id, { Dns: ['9.9.9.9'] }), start(own('two'), { Dns: ['9.9.9.9'] })])
        expect(replies.map(({ status }) => status).sort()).toEqual([
          204,
          expect.toSatisfy((s) => s === 204 || s === 304),
        ])
        expect((await inspect(own('two'))).at('Id')).toBe(id)
        expect(await setAside()).toEqual([])
      })

      test('gives no image the label that names its id', async () => {
        const id = await client.create(forever, own('commit'))
        expect((await start(id, { Dns: ['9.9.9.9'] })).said).toBe('204 ')
        const image = `recreate-${own('image')}`
        expect((await client.post(`/commit?container=${id}&repo=${image}`, {})).status).toBe(201)
        expect((await client.get(`/images/${image}/json`)).text).not.toContain('enginebridge')
        const labels = (await direct.get(`/images/${image}/json`)).at('Config', 'Labels')
        expect(labels).toEqual({ 'enginebridge.replaces': '' }) // an engine cannot leave it out
        await client.delete(`/images/${image}`)
      })
    },
    flags,
  )
}
