import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Bridge, startBridge } from '../../src/proxy/bridge.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'
import { Client, type Reply, records } from '../live/support/client.ts'
import { socketFolder } from '../support/scripted-engine.ts'
import { type ReplayEngine, replayEngine } from './engine.ts'
import { AFTER_RECORDINGS, loadEngine, loadRecording, RECORDED_ENGINES } from './exchange.ts'

/** Requests that an old engine accepted and the bridge or the engine behind it refuses, with the reason. */
const REFUSED: Readonly<Record<string, string>> = {
  'create-cfg-exposed-bad': 'a port that is no port: newer engines refuse it, and nothing can be made of it',
  'create-error-trailing': 'something behind the JSON: newer engines refuse it in their own words',
  'network-create-duplicate': 'newer engines have no two networks of one name',
  'list-filters-map': 'an engine of the versions below 1.22 read lists only; 20.10 is more lenient',
  'create-hc-blkioweight-bad': 'native engines below 1.30 refused it; 20.10 is more lenient',
  'create-hc-kernelmemory': 'asks for a kernel memory limit, which newer engines ignore: a lost limit is refused',
  'create-legacy-full': 'the same limit among its members',
  'start-hostconfig': 'the container would have to be made again: the live tests of start with a body',
  update: 'asks for a kernel memory limit, which newer engines ignore: a lost limit is refused',
  push: 'without X-Registry-Auth, which native engines of those versions refused',
}
/** These calls take the connection over (see the live tests) or test the version itself. */
const NOT_PLAYED = /upgrade|^exec-|^session|^attach|error-version|no-prefix/

const VERSIONS = ['1.18', '1.20', '1.22', '1.24', '1.30', '1.41'] as const

describe.each(RECORDED_ENGINES)('before a recorded Engine %s', (name) => {
  let engine: ReplayEngine
  let bridge: Bridge
  let folder: Awaited<ReturnType<typeof socketFolder>>
  beforeAll(async () => {
    folder = await socketFolder()
    engine = await replayEngine(join(folder.path, 'e.sock'), loadEngine(name))
    const flags = ['--listen', `unix://${join(folder.path, 'b.sock')}`, '--engine', `unix://${engine.socket}`]
    const config = readConfig([...flags, '--grace', '0', '--state', 'off'], {})
    bridge = await startBridge(config, { log: pino({ level: 'silent' }), audit: { write: () => undefined } })
  })
  afterAll(async () => {
    await bridge.close()
    await engine.close()
    await folder.remove()
  })
  const client = (version: string): Client => new Client(join(folder.path, 'b.sock'), version)

  test.each(VERSIONS)(
    'a client of %s is refused nothing that an old engine took',
    { tags: 'slow' },
    async (version) => {
      const refused: Record<string, string> = {}
      for (const { name: exchange, method, path, body, status } of loadRecording(`20.10@${version}`).exchanges) {
        if (NOT_PLAYED.test(exchange) || status >= 400) continue
        const type = 'application/json'
        const json = body === undefined ? { type } : { type, bytes: Buffer.from(body) }
        const reply = await client(version).call(method, path, json)
        if (reply.status >= 400 && REFUSED[exchange] === undefined) refused[exchange] = reply.said
      }
      expect(refused).toEqual({})
    },
  )

  test.each(['041-create-hc-restart-always-retries', '042-create-hc-restart-bad'])(
    'a client of 1.41 is refused in the words of its engine: %s',
    async (wanted) => {
      const found = loadRecording('20.10@1.41').exchanges.find(({ name: own }) => wanted.endsWith(own))
      if (found?.body === undefined) throw new Error(`${wanted} is not recorded`)
      const json = { type: 'application/json', bytes: Buffer.from(found.body) }
      const reply = await client('1.41').call(found.method, found.path, json)
      expect({ status: reply.status, text: reply.text }).toEqual({ status: 400, text: found.text })
    },
  )

  test.each(['1.18', '1.24', '1.41'])('asked directly with %s it refuses as it was recorded to', async (version) => {
    const reply = await new Client(engine.socket, version).get('/version')
    const words = `client version ${version} is too old. Minimum supported API version is 1.44, please upgrade your client to a newer version`
    const text = version === '1.18' ? `400 ${words}\n` : `400 ${JSON.stringify({ message: words })}\n`
    expect(reply.said).toBe(text)
  })

  describe.each(['1.18', '1.22'])('a client of %s', (version) => {
    const get = (path: string): Promise<Reply> => client(version).get(path)
    const create = (query: string, body: object): Promise<Reply> =>
      client(version).post(`/containers/create?name=${query}`, { Image: 'busybox', ...body })

    test('creates with a scalar Cmd and Entrypoint, which the engine gets as lists', async () => {
      const reply = await create('rec-strcmd', { Cmd: 'sleep 1000', Entrypoint: '/bin/sh' })
      expect(reply.status).toBe(201)
      const sent = engine.asked.findLast(({ exchange }) => exchange === 'create-string-cmd')?.body ?? ''
      expect(JSON.parse(sent)).toMatchObject({ Cmd: ['sleep 1000'], Entrypoint: ['/bin/sh'] })
    })

    test('is refused the same by the engine itself', async () => {
      const direct = new Client(engine.socket, '1.44')
      const reply = await direct.post('/containers/create?name=rec-strcmd', {
        Image: 'busybox',
        Cmd: 'sleep 1000',
        Entrypoint: '/bin/sh',
      })
      expect(reply.said).toMatch(/^400 .*cannot unmarshal string/)
    })

    test('creates with sloppy ports', async () => {
      const PortBindings = { '80': [{ HostPort: '0' }], '81/tcp': [{ HostIp: '', HostPort: '' }] }
      const reply = await create('sloppy', { ExposedPorts: { '80': {} }, HostConfig: { PortBindings } })
      expect(reply.status).toBe(201)
      const sent = JSON.parse(engine.asked.at(-1)?.body ?? '') as { ExposedPorts: object }
      expect(Object.keys(sent.ExposedPorts)).toEqual(['80/tcp'])
    })

    test('finds ContainerConfig, Container and VirtualSize in an image', async () => {
      const image = await get('/images/busybox/json')
      expect(image.at('VirtualSize')).toBe(image.at('Size'))
      expect(image.at('ContainerConfig')).toBeTypeOf('object')
      expect(image.at('Container')).toBeTypeOf('string')
    })

    test('finds an address and every member of Config in a container', async () => {
      const container = await get('/containers/rec-full/json')
      expect(container.at('NetworkSettings', 'IPAddress')).toBeTypeOf('string')
      expect(container.at('NetworkSettings', 'Gateway')).toBeTypeOf('string')
      expect(container.at('Config')).toHaveProperty('OnBuild')
      expect(container.at('Config')).toHaveProperty('Entrypoint')
    })

    test('finds VirtualSize and a name in every image of the list', async () => {
      for (const image of (await get('/images/json?all=1')).json() as { RepoTags: string[]; VirtualSize: number }[]) {
        expect(image.VirtualSize).toBeTypeOf('number')
        expect(image.RepoTags.length).toBeGreaterThan(0)
      }
    })

    test('finds status, id and from in every event of a container', async () => {
      const seen = records((await get(`/events?since=1&until=${AFTER_RECORDINGS}`)).text) as Record<string, unknown>[]
      const ofContainers = seen.filter((event) => event['from'] !== undefined)
      expect(ofContainers.length).toBeGreaterThan(0)
      for (const event of ofContainers)
        expect(event).toMatchObject({ status: expect.any(String), id: expect.any(String), time: expect.any(Number) })
    })

    test('is told errors as text', async () => {
      const reply = await get('/containers/nonesuch/json')
      expect([reply.status, reply.type]).toEqual([404, 'text/plain; charset=utf-8'])
      expect(reply.text).toMatch(/^no such (id|container): nonesuch\n$/i)
    })
  })
})
