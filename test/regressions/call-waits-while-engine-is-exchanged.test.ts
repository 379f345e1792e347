import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, eventually, RawConnection } from '../support/client.ts'
import { answer, RawEngine } from '../support/raw-engine.ts'
import { engine28 } from '../support/scripted-engine.ts'

/**
 * systemd holds the socket of an engine while it is exchanged: a connection made meanwhile waits there for the next engine.
 * It counted as one to the old engine, so the facts about that held as long as any connection was open.
 */
describe('an engine that is exchanged behind a socket that stays', () => {
  const stage = stages()

  it('is asked for its version when it ends, also while a call waits in the socket for the next one', async () => {
    const engine = new RawEngine(join(stage.folder(), 'engine.sock'), ({ target }) => {
      if (target.includes('/stop')) return undefined
      const type = 'Content-Type: application/json\r\n'
      if (target.includes('/events')) return `HTTP/1.1 200 OK\r\n${type}Transfer-Encoding: chunked\r\n\r\n`
      return answer('200 OK', type, '[]')
    })
    engine.version = { ...engine28, ApiVersion: '1.41', MinAPIVersion: '1.12', Version: '20.10.24' }
    await engine.listen()
    const bridge = await stage.bridge(engine.socket)
    const events = new RawConnection(bridge.socket)
    events.send('GET /v1.40/events HTTP/1.1\r\nHost: d\r\n\r\n')
    await events.until((text) => text.startsWith('HTTP/1.1 200'))
    const old = engine.requests[0]?.connection
    for (const idle of engine.connections) if (idle !== old) idle.destroy()
    await eventually(() => engine.connections.size === 1, 'only the stream is left')
    const waits = call(bridge.socket, '/v1.40/containers/x/stop', { method: 'POST' })
    await eventually(() => engine.requests.length === 2, 'the call waits')

    engine.version = engine28
    old?.destroy()
    await events.untilEnd()
    const { status, text } = await call(bridge.socket, '/v1.51/containers/json')
    expect([status, text]).toEqual([200, '[]'])
    expect(engine.requests.at(-1)?.target).toBe('/v1.51/containers/json')

    engine.requests[1]?.connection.write('HTTP/1.1 204 No Content\r\n\r\n')
    expect((await waits).status).toBe(204)
    await engine.close()
  })
})
