import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startFakeEngine } from '../../src/tools/fake-engine/engine.ts'
import { BadConfig, type BridgeSettings, createBridge } from '../../src/tools/library/library.ts'
import { RawConnection } from '../support/client.ts'
import { scriptedEngine } from '../support/scripted-engine.ts'

const listen = 'unix:///nowhere/bridge.sock'

it.each<[BridgeSettings, RegExp]>([
  [{ listen: [] }, /^listen: "": an address is/],
  [{ listen, workers: 2 }, /^workers 2: only `enginebridge serve` supports several processes$/],
  [{ listen, state: undefined as never }, /^state: must not be empty$/],
  [
    { listen: 'tcp://127.0.0.1:0', 'tls-cert': '/nowhere/cert', 'tls-key': '/nowhere/key' },
    /^\/nowhere\/cert, \/nowhere\/key cannot be used for TLS: ENOENT/,
  ],
  [{ listen, engine: listen }, /^the engine unix:\S+ is the bridge's own listener: name the engine with engine$/],
  [{ listen, policy: '/nowhere/policy.yaml' }, /^policy \/nowhere\/policy.yaml: neither a preset/],
])('a bridge inside a program is refused with a BadConfig that names the setting: %j', async (settings, problem) => {
  const cause = await createBridge({ settings: { state: 'off', ...settings } }).catch((error: unknown) => error)
  expect(cause).toBeInstanceOf(BadConfig)
  expect((cause as BadConfig).problems).toEqual([expect.stringMatching(problem)])
})

it('a bridge inside a program takes empty lists where none is the default', async () => {
  const bridge = await createBridge({
    settings: {
      state: 'off',
      listen: 'tcp://127.0.0.1:0',
      engine: 'unix:///nowhere/engine.sock',
      'allowed-hosts': [],
      'unversioned-api': [],
    },
  })
  expect(bridge.addresses).toHaveLength(1)
  await bridge.close()
})

it.each([true, false])(
  'a bridge inside a program hands over its records, and writes them where audit-log says: %s',
  async (named) => {
    const folder = await mkdtemp(join(tmpdir(), 'enginebridge-library-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const [socketPath, log] = [join(folder, 'bridge.sock'), join(folder, 'audit.log')]
    const settings: BridgeSettings = {
      state: 'off',
      listen: `unix://${socketPath}`,
      engine: 'unix:///nowhere/engine.sock',
    }
    const ids: string[] = []
    const bridge = await createBridge({
      settings: named ? { ...settings, 'audit-log': log } : settings,
      audit: ({ auditId }) => ids.push(auditId),
    })
    await new Promise((resolve) => {
      http.get({ socketPath, path: '/_ping' }, (answer) => answer.resume().on('end', resolve))
    })
    await bridge.close()
    const written = await readFile(log, 'utf8').catch(() => '')
    const lines = written.split('\n').filter((line) => line !== '')
    expect(ids).not.toEqual([])
    expect(lines.map((line) => JSON.parse(line).auditId)).toEqual(named ? ids : [])
  },
)

it('a bridge inside a program goes on in a new audit log after reload', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'enginebridge-library-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [socketPath, log] = [join(folder, 'bridge.sock'), join(folder, 'audit.log')]
  const engine = 'unix:///nowhere/engine.sock'
  const settings = { state: 'off', listen: `unix://${socketPath}`, engine, 'audit-log': log }
  const bridge = await createBridge({ settings })
  await rename(log, `${log}.1`)
  await bridge.reload()
  await new Promise((resolve) => {
    http.get({ socketPath, path: '/_ping' }, (answer) => answer.resume().on('end', resolve))
  })
  await bridge.close()
  expect([await readFile(`${log}.1`, 'utf8'), await readFile(log, 'utf8')]).toEqual([
    '',
    expect.stringContaining('_ping'),
  ])
})

const full = () => {
  throw new Error('full')
}
const FAILING = [
  ['throws', full],
  ['rejects', () => Promise.reject(new Error('full'))],
] as const

it.each(FAILING)(
  'a callback for records that %s ends neither the program nor the answer at a malformed request',
  async (_how, audit) => {
    const folder = await mkdtemp(join(tmpdir(), 'enginebridge-library-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'bridge.sock')
    const logged: string[] = []
    const bridge = await createBridge({
      settings: { state: 'off', listen: `unix://${path}`, engine: 'unix:///nowhere/engine.sock' },
      audit,
      log: ({ message }) => logged.push(message),
    })
    const client = new RawConnection(path)
    client.send('nonsense\r\n\r\n')
    expect(await client.untilEnd()).toMatch(/^HTTP\/1\.1 400 /)
    await bridge.close()
    expect(logged).toContain('cannot write an audit record')
  },
)

it.each(FAILING)(
  'a callback for records that %s after a call was forwarded is logged, and the call gets its answer',
  async (_how, fails) => {
    const folder = await mkdtemp(join(tmpdir(), 'enginebridge-library-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const [socketPath, engine] = [join(folder, 'bridge.sock'), await startFakeEngine(join(folder, 'engine.sock'))]
    onTestFinished(() => engine.close())
    const logged: string[] = []
    const bridge = await createBridge({
      settings: { state: 'off', listen: `unix://${socketPath}`, engine: `unix://${engine.path}` },
      audit: ({ stage }) => (stage === 'received' ? undefined : fails()),
      log: ({ message }) => logged.push(message),
    })
    onTestFinished(() => bridge.close())
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const status = (path: string): Promise<number | undefined> => {
      const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
      http
        .get({ socketPath, path, agent }, (answer) => answer.resume().on('end', () => resolve(answer.statusCode)))
        .on('error', reject)
      return promise
    }
    expect(await status('/v1.44/events?since=0&until=1')).toBe(200)
    expect(await status('/v1.44/containers/json')).toBe(200)
    expect(await status('/v1.44/containers/json')).toBe(200)
    await bridge.reload()
    expect(new Set(logged.filter((message) => !message.startsWith('the engine speaks')))).toEqual(
      new Set(['cannot write an audit record']),
    )
  },
)

it.each(FAILING)('a callback for records that %s at the first record of a call refuses it', async (_how, audit) => {
  const folder = await mkdtemp(join(tmpdir(), 'enginebridge-library-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [path, engine] = [join(folder, 'bridge.sock'), await scriptedEngine(join(folder, 'engine.sock'), {})]
  onTestFinished(() => engine.close())
  const bridge = await createBridge({
    settings: { state: 'off', listen: `unix://${path}`, engine: `unix://${engine.socket}` },
    audit,
  })
  onTestFinished(() => bridge.close())
  const client = new RawConnection(path)
  client.send('POST /v1.44/containers/x/start HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect(await client.untilEnd()).toMatch(/^HTTP\/1\.1 503 .*\r\nEnginebridge-Error: audit\r\n/s)
  expect(engine.seen).toEqual([])
})

it('a bridge inside a program with an inspector tells its URL with the token', async () => {
  const bridge = await createBridge({
    settings: {
      state: 'off',
      listen: 'tcp://127.0.0.1:0',
      engine: 'unix:///nowhere/engine.sock',
      inspect: 'tcp://127.0.0.1:0',
    },
  })
  onTestFinished(() => bridge.close())
  const page = await fetch(bridge.inspect ?? '')
  expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
    status: 200,
    type: expect.stringContaining('text/html'),
  })
})
