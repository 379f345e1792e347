import { expect, test, vi } from 'vitest'
import { formatVersion, NEWEST } from '../../src/api/version.ts'
import { Client } from './support/client.ts'
import { onEngines, withBridge } from './support/suites.ts'

const NEWEST_CLIENT = formatVersion(NEWEST)

const PATIENCE = { timeout: 20_000, interval: 100 }

await onEngines(['20.10', '26.1', '28.5'], (engine) => {
  const { socket } = withBridge(engine, ['--announce-api', NEWEST_CLIENT])
  const client = new Client(socket, NEWEST_CLIENT)
  const direct = Client.ofEngine(engine.socket)

  test('disk usage of a newest client has a usage for each kind, counted from the engine’s own lists', async () => {
    const name = `newest-df-${process.pid}`
    await client.run({ Cmd: ['sh', '-c', 'echo 12345678 >/f; sleep 60'], Volumes: { '/v': {} } }, name)
    await client.create({}, `${name}-idle`)
    let reply = await client.get('/system/df?verbose=1')
    // Other suites make and remove containers meanwhile.
    await vi.waitFor(async () => {
      const own = await direct.get('/system/df')
      reply = await client.get('/system/df?verbose=1')
      const containers = own.at('Containers') as { State: string }[]
      expect(reply.at('ContainerUsage')).toMatchObject({
        ActiveCount: containers.filter(({ State }) => State === 'running').length,
        TotalCount: containers.length,
        TotalSize: expect.any(Number),
        Items: containers.map(({ State }) => expect.objectContaining({ State })),
      })
      expect(reply.at('ImageUsage', 'TotalSize')).toBe(own.at('LayersSize'))
      expect(reply.at('ImageUsage', 'TotalCount')).toBe((own.at('Images') as unknown[]).length)
      expect(reply.at('VolumeUsage', 'TotalCount')).toBe((own.at('Volumes') as unknown[]).length)
    }, PATIENCE)
    expect(Object.keys(reply.json() as object).sort()).toEqual([
      'BuildCacheUsage',
      'ContainerUsage',
      'ImageUsage',
      'VolumeUsage',
    ])
  })

  test('disk usage of a newest client that asks for volumes has volumes alone, flat too without verbose', async () => {
    const reply = await client.get('/system/df?type=volume')
    expect(Object.keys(reply.json() as object).sort()).toEqual(['VolumeUsage', 'Volumes'])
    expect(reply.at('VolumeUsage', 'Items')).toEqual(reply.at('Volumes'))
  })

  test('the list of images counts the containers of each, stopped ones too', async () => {
    await client.create({}, `newest-uses-${process.pid}`)
    await vi.waitFor(async () => {
      const containers = (await direct.get('/containers/json?all=1')).json() as { ImageID: string }[]
      const images = (await client.get('/images/json')).json() as { Id: string; Containers: number }[]
      expect(images.some(({ Containers }) => Containers > 0)).toBe(true)
      for (const { Id, Containers } of images)
        expect(Containers).toBe(containers.filter(({ ImageID }) => ImageID === Id).length)
    }, PATIENCE)
  })

  test('a prune of the build cache that reserves space is taken by an engine that calls it keep-storage', async () => {
    const reply = await client.post('/build/prune?all=1&reserved-space=1000000')
    expect([reply.said, reply.at('SpaceReclaimed')]).toEqual([expect.stringMatching(/^200 /), expect.any(Number)])
  })

  test.each([
    ['/containers/json?limit=abc', '400 {"message":"strconv.Atoi: parsing \\"abc\\": invalid syntax"}'],
    [
      '/events?since=abc&until=1',
      `400 {"message":"invalid value for 'since': invalid timestamp \\"abc\\": invalid seconds \\"abc\\": invalid syntax"}`,
    ],
    [
      '/events?since=1.x&until=2',
      `400 {"message":"invalid value for 'since': invalid timestamp \\"1.x\\": invalid nanoseconds: invalid character 'x' at position 0"}`,
    ],
    ['/containers/nosuch/logs', `400 {"message":"must specify at least one of 'stdout' or 'stderr'"}`],
  ])('%s is refused to a newest client as its engines do', async (path, said) => {
    expect((await client.get(path)).said.trim()).toBe(said)
  })

  test.each([
    [
      '/containers/create',
      { Image: 'busybox', HostConfig: { PortBindings: { 'x/tcp': [] } } },
      "invalid port 'x': invalid syntax",
    ],
    [
      '/containers/create',
      { Image: 'busybox', HostConfig: { Dns: ['nowhere'] } },
      'ParseAddr("nowhere"): unable to parse IP',
    ],
    [
      '/networks/create',
      { Name: 'n', IPAM: { Config: [{ Subnet: '10.9.0.0/99' }] } },
      'netip.ParsePrefix("10.9.0.0/99"): prefix length out of range',
    ],
    [
      '/networks/create',
      { Name: 'n', IPAM: { Config: [{ Subnet: '10.9.0.0/24', Gateway: 'nope' }] } },
      'ParseAddr("nope"): unable to parse IP',
    ],
  ])('%s with a port or an address that is none is refused in the newest words: %j', async (path, body, words) => {
    const reply = await client.post(path, body)
    expect([reply.status, reply.at('message')]).toEqual([400, `invalid JSON: ${words}`])
  })

  test('an archive without images is told so, in the stream', async () => {
    const reply = await client.post('/images/load')
    expect([reply.status, reply.at('error')]).toEqual([200, 'invalid archive: does not contain a manifest.json'])
  })

  test('attestations, which the engine has not, are 501 and not a missing image', async () => {
    expect((await client.get('/images/busybox/attestations')).status).toBe(501)
  })

  test('events come to a newest client as application/jsonl', async () => {
    expect((await client.get('/events?since=1&until=2')).type).toBe('application/jsonl')
  })

  test.each([{ path: '?stdout=1&format=json' }, { path: '?stdout=1', headers: { Accept: 'application/x-ndjson' } }])(
    'logs as JSON are refused, however they are asked for: $path',
    async ({ path, headers }) => {
      const id = await client.create()
      const reply = await client.call('GET', `/containers/${id}/logs${path}`, headers === undefined ? {} : { headers })
      await client.delete(`/containers/${id}`)
      expect(reply.said).toMatch(/^400 .*logs as JSON is not supported by the engine: it needs API 1\.54/)
    },
  )

  test('port bindings that were not asked for are {} to a newest client', async () => {
    const id = await client.create()
    const reply = await client.get(`/containers/${id}/json`)
    await client.delete(`/containers/${id}`)
    expect(reply.at('HostConfig', 'PortBindings')).toEqual({})
  })
})
