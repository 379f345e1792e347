import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Discovery } from '../../src/engine/discovery.ts'
import { parseAddress } from '../../src/http/address.ts'
import { Connector } from '../../src/http/engine/connector.ts'
import { EnginePool } from '../../src/http/engine/pool.ts'
import { stages } from '../support/bridge.ts'
import { call, eventually } from '../support/client.ts'
import { answer, RawEngine } from '../support/raw-engine.ts'
import { engine28, socketFolder } from '../support/scripted-engine.ts'

/** Makes the bridge close its connection after a second instead of 50: it closes two seconds before what it is told. */
const SHORT = 'Content-Type: application/json\r\nKeep-Alive: timeout=3\r\n'
const targets = ({ requests }: RawEngine): string[] => requests.map(({ method, target }) => `${method} ${target}`)
const engine26 = { ...engine28, ApiVersion: '1.45', MinAPIVersion: '1.24', Version: '26.1.5' }

/**
 * When the bridge had closed its idle connections to the engine, the next call waited for four questions, and what is
 * remembered of the engine was forgotten, though it was the same.
 */
describe('the first call after all connections to the engine were idle', () => {
  const stage = stages()
  const start = async (): Promise<{ engine: RawEngine; bridge: Awaited<ReturnType<typeof stage.bridge>> }> => {
    const engine = new RawEngine(join(stage.folder(), 'engine.sock'), () => answer('200 OK', SHORT, '[]'))
    engine.headers = SHORT
    await engine.listen()
    const bridge = await stage.bridge(engine.socket)
    await call(bridge.socket, '/v1.40/containers/json')
    await eventually(() => engine.connections.size === 0, 'the bridge has closed its idle connections')
    return { engine, bridge }
  }

  it('does not wait for GET /version if it reads, and keeps what is known of the same engine', async () => {
    const { engine, bridge } = await start()
    const known = await bridge.ready()
    await eventually(() => engine.connections.size === 0, 'they are idle again')
    const held = Promise.withResolvers<void>()
    engine.held = held.promise
    expect(await call(bridge.socket, '/v1.40/containers/json')).toMatchObject({ status: 200 })
    held.resolve()
    expect(await bridge.ready()).toBe(known)
    await engine.close()
  })

  it.each([
    ['changes something', 'POST', '/v1.40/containers/x/kill'],
    ['follows a stream', 'GET', '/v1.40/events'],
  ])('waits for GET /version if it %s', async (_, method, path) => {
    const { engine, bridge } = await start()
    const held = Promise.withResolvers<void>()
    engine.held = held.promise
    engine.version = engine26
    const answered = call(bridge.socket, path, { method })
    await eventually(() => engine.connections.size === 1, 'the bridge asks')
    expect(await call(bridge.socket, '/v1.40/containers/json')).toMatchObject({ status: 200 })
    expect(targets(engine).slice(1)).toEqual(['GET /v1.44/containers/json'])
    held.resolve()
    await answered
    expect(targets(engine).at(-1)).toBe(`${method} ${path}`)
    await call(bridge.socket, '/v1.40/containers/json')
    expect(targets(engine).at(-1)).toBe('GET /v1.40/containers/json')
    await engine.close()
  })

  it('waits for GET /version as soon as one was not answered', async () => {
    const { engine, bridge } = await start()
    await engine.close()
    expect((await call(bridge.socket, '/v1.40/containers/json')).status).toBeGreaterThanOrEqual(500)
    expect((await call(bridge.socket, '/v1.40/containers/json')).status).toBe(503)
    const next = new RawEngine(engine.socket, () => answer('200 OK', SHORT, '[]'))
    next.version = engine26
    await next.listen()
    await call(bridge.socket, '/v1.40/containers/json')
    expect(targets(next)).toEqual(['GET /v1.40/containers/json'])
    await next.close()
  })
})

it('facts are trusted for a while after the bridge closed its last connection, not for ever', async () => {
  const { path, remove } = await socketFolder()
  const engine = new RawEngine(join(path, 'engine.sock'))
  await engine.listen()
  const connection = new EnginePool(
    new Connector(parseAddress(`unix://${engine.socket}`)),
    { 'max-header': 1024, 'answer-timeout': 0 },
    100,
  )
  const discovery = new Discovery(connection, () => undefined, 0, 2_000)
  const { lastClosed } = connection
  const known = await discovery.ask()
  await expect.poll(() => connection.lastClosed, { timeout: 10_000 }).not.toBe(lastClosed)
  const first = connection.lastClosed
  expect(discovery.facts(true)).toBe(known)
  await expect.poll(() => connection.lastClosed, { timeout: 10_000 }).not.toBe(first)
  await sleep(2_100)
  const waits = discovery.facts(true)
  expect(waits).toBeInstanceOf(Promise)
  expect(await waits, 'and it is the same engine').toBe(known)
  await connection.close()
  await engine.close()
  await remove()
})

describe('an engine that hung up', () => {
  const stage = stages()

  it('is asked before the next call goes, also while the answer is awaited', async () => {
    const engine = new RawEngine(join(stage.folder(), 'engine.sock'), () => answer('200 OK', SHORT, '[]'))
    await engine.listen()
    const bridge = await stage.bridge(engine.socket)
    await call(bridge.socket, '/v1.40/containers/json')
    await engine.close()
    const next = new RawEngine(engine.socket, () => answer('200 OK', SHORT, '[]'))
    const held = Promise.withResolvers<void>()
    next.held = held.promise
    next.version = engine26
    await next.listen()
    const calls = [call(bridge.socket, '/v1.40/containers/json')]
    await eventually(() => next.connections.size === 1, 'the bridge asks')
    calls.push(call(bridge.socket, '/v1.40/images/json'))
    await sleep(200) // time to go wrong: by the facts of the engine that has gone
    held.resolve()
    await Promise.all(calls)
    expect(targets(next).sort()).toEqual(['GET /v1.40/containers/json', 'GET /v1.40/images/json'])
    await next.close()
  })
})
