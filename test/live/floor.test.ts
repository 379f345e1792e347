import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client, type Reply, records } from './support/client.ts'
import { type LiveEngine, onEngines, withBridge } from './support/suites.ts'

/**
 * API 1.12 to 1.17, of which no engine is at hand. Engine 20.10 serves them, so the test asks it directly how they differ from 1.18;
 * through the bridge they must have these differences and no others, on every engine.
 */
const OLDEST = ['1.12', '1.13', '1.14', '1.15', '1.16', '1.17'] as const
const NEXT = '1.18'

interface Call {
  readonly method: string
  readonly path: string
  readonly json?: object
}

const get = (path: string): Call => ({ method: 'GET', path })
const post = (path: string, json?: object): Call => ({ method: 'POST', path, ...(json === undefined ? {} : { json }) })

/** Lists only the containers of this file: other suites make theirs meanwhile. */
const MINE = `?filters=${encodeURIComponent(JSON.stringify({ label: ['floor'] }))}`

/** `{id}` is a running container, `{own}` an image that no other suite tags meanwhile. The events are in the past. */
const calls = (since: number, until: number): readonly Call[] => [
  ...['/_ping', '/version', '/info', '/images/json?filter={own}', '/images/{own}/json'].map(get),
  ...['/images/{own}/history', '/containers/json{mine}', '/containers/json{mine}&all=1&size=1'].map(get),
  get('/containers/{id}/json'),
  ...['/containers/{id}/top?ps_args=-o%20pid,args', '/containers/{id}/changes', '/containers/{id}/logs?stdout=1'].map(
    get,
  ),
  ...['/containers/nosuch/json', '/images/nosuch/json', '/containers/{id}/nosuch'].map(get),
  get(`/events?since=${since}&until=${until}`),
  post('/containers/create', { Image: 'nosuch:nosuch' }),
  post('/containers/create', { Image: 'busybox', Memory: 'much' }),
  post('/containers/{id}/start', {}),
  post('/containers/nosuch/start'),
  post('/containers/{id}/exec', { Cmd: [] }),
  post('/containers/{id}/resize?h=no&w=80'),
  post('/images/busybox/tag?repo=A&tag=b'),
  post('/auth', {}),
  post('/commit?container=nosuch'),
  { method: 'DELETE', path: '/containers/{id}' },
  { method: 'DELETE', path: '/images/nosuch' },
]

/** Members of `info` and of the list of containers that change with time or with other suites. */
const OF_THE_MOMENT =
  /"(Containers(?:Running|Paused|Stopped)?|Images|NFd|NGoroutines|SystemTime|Status|NEventsListener|SizeRw)":("[^"]*"|\d+)/g

const told = ({ status, type, text }: Pick<Reply, 'status' | 'type' | 'text'>): string =>
  `${status} ${type} ${text.replaceAll(OF_THE_MOMENT, '"$1":"*"').replaceAll(/\b(v?)1\.1[2-8]\b/g, '$1X')}`

/** Up to 1.23 the newest 64 events are told, those after `until` as well: other suites' come meanwhile, and older ones go. */
const newestOwn = ({ status, type, text }: Reply, id: string): Pick<Reply, 'status' | 'type' | 'text'> => {
  const own = records(text).findLast((event) => JSON.stringify(event).includes(id))
  expect(own, `an event of ${id}`).toBeDefined()
  return { status, type, text: JSON.stringify(own) }
}

interface Stage {
  readonly name: string
  id: string
  asked: readonly Call[]
}

async function answers(client: Client, { name, id, asked }: Stage): Promise<readonly (readonly string[])[]> {
  const all: string[][] = []
  for (const { method, path, json } of asked) {
    const target = path.replace('{id}', id).replace('{own}', name).replace('{mine}', MINE)
    const reply = await client.call(method, target, json === undefined ? {} : { json })
    all.push([`${method} ${path}`, told(path.startsWith('/events') ? newestOwn(reply, id) : reply)])
  }
  return all
}

const engineTime = async (direct: Client): Promise<number> =>
  Math.floor(Date.parse(String((await direct.get('/info')).at('SystemTime'))) / 1000)

function fixture(engine: LiveEngine): Stage {
  const direct = Client.ofEngine(engine.socket)
  const name = `floor-${process.pid}-${engine.name.replaceAll('.', '')}`
  const state: Stage = { name, id: '', asked: [] }
  beforeAll(async () => {
    const empty = { bytes: Buffer.alloc(1024), type: 'application/x-tar' }
    expect((await direct.call('POST', `/images/create?fromSrc=-&repo=${name}`, empty)).text).toContain('sha256:')
    const since = await engineTime(direct)
    state.id = await direct.run(
      { Cmd: ['sh', '-c', 'echo out; exec sleep 600'], Labels: { floor: '' }, HostConfig: { Memory: 1 << 26 } },
      name,
    )
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    state.asked = calls(since, await engineTime(direct))
  })
  afterAll(async () => {
    await direct.delete(`/containers/${name}?force=1&v=1`)
    await direct.delete(`/images/${name}`)
  })
  return state
}

await onEngines(['20.10'], (engine) => {
  const state = fixture(engine)

  test.each(OLDEST)('without the bridge, %s differs from 1.18 in nothing but its number', async (version) => {
    const at = (one: string) => answers(new Client(engine.socket, one, 'docker'), state)
    expect(await at(version)).toEqual(await at(NEXT))
  })
})

await onEngines(['20.10', '28.5-min1.44'], (engine) => {
  const { socket } = withBridge(engine)
  const state = fixture(engine)

  describe('through the bridge', () => {
    test.each(OLDEST)('%s gets what 1.18 gets', async (version) => {
      await Client.ofEngine(engine.socket).post(`/containers/${state.id}/kill?signal=WINCH`)
      expect(await answers(new Client(socket, version), state)).toEqual(await answers(new Client(socket, NEXT), state))
    })

    test('a client of 1.12 creates, starts, waits for and removes a container', async () => {
      const client = new Client(socket, '1.12')
      const id = await client.run({ Cmd: ['sh', '-c', 'exit 3'] })
      expect((await client.post(`/containers/${id}/wait`)).json()).toEqual({ StatusCode: 3 })
      expect((await client.delete(`/containers/${id}`)).said).toBe('204 ')
    })

    test.each([
      ['1.12', false],
      ['1.13', true],
    ])('a commit of %s pauses its container meanwhile: %j', async (version, pauses) => {
      const direct = Client.ofEngine(engine.socket)
      const since = await engineTime(direct)
      const query = `container=${state.id}&repo=floor&tag=v${version}`
      const commit = await new Client(socket, version).post(`/commit?${query}`, {})
      expect(commit.said).toContain('201 {"Id":"')
      await direct.delete(`/images/floor:v${version}`)
      const filters = encodeURIComponent(JSON.stringify({ container: [state.id], event: ['pause', 'commit'] }))
      const { text } = await direct.get(
        `/events?since=${since}&until=${(await engineTime(direct)) + 1}&filters=${filters}`,
      )
      expect(text).toContain('"Action":"commit"')
      expect(text.includes('"Action":"pause"')).toBe(pauses)
    })
  })
})
