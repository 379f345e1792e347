import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, eventually } from '../support/client.ts'
import { answer, RawEngine } from '../support/raw-engine.ts'
import { engine28 } from '../support/scripted-engine.ts'

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

  it('waits for GET /version alone, and keeps what is known of the same engine', async () => {
    const { engine, bridge } = await start()
    const known = await bridge.ready()
    await eventually(() => engine.connections.size === 0, 'they are idle again')
    const before = engine.requests.length
    expect(await call(bridge.socket, '/v1.40/containers/json')).toMatchObject({ status: 200 })
    expect(targets(engine).slice(before)).toEqual(['GET /v1.44/containers/json'])
    expect(await bridge.ready()).toBe(known)
    await engine.close()
  })

  it.each([
    ['changes something', 'POST', '/v1.40/containers/x/kill'],
    ['follows a stream', 'GET', '/v1.40/events'],
    ['reads', 'GET', '/v1.40/containers/json'],
  ])('goes by what the engine says now if it %s', async (_, method, path) => {
    const { engine, bridge } = await start()
    engine.version = engine26
    await call(bridge.socket, path, { method })
    expect(targets(engine).at(-1)).toBe(`${method} ${path}`)
    await engine.close()
  })

  it('waits for GET /version again when one was not answered', async () => {
    const { engine, bridge } = await start()
    await engine.close()
    expect((await call(bridge.socket, '/v1.40/containers/json')).status).toBe(503)
    const next = new RawEngine(engine.socket, () => answer('200 OK', SHORT, '[]'))
    next.version = engine26
    await next.listen()
    await call(bridge.socket, '/v1.40/containers/json')
    expect(targets(next)).toEqual(['GET /v1.40/containers/json'])
    await next.close()
  })
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
