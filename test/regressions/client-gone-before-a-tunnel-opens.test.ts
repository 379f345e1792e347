import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually, RawConnection } from '../support/client.ts'
import { RawEngine } from '../support/raw-engine.ts'

/** A client that left attach or exec before the engine had answered was never noticed: its tunnel and both descriptors stayed. */
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: tcp\r\n'
const CALLS: readonly [what: string, bytes: string][] = [
  ['attach', `POST /v1.44/containers/x/attach?stream=1 HTTP/1.1\r\nHost: d\r\n${UPGRADE}\r\n`],
  [
    'attach with input written ahead',
    `POST /v1.44/containers/x/attach?stdin=1 HTTP/1.1\r\nHost: d\r\n${UPGRADE}\r\nhello`,
  ],
  ['attach without Upgrade', 'POST /v1.18/containers/x/attach HTTP/1.1\r\nHost: d\r\nContent-Length: 0\r\n\r\n'],
  ['exec', `POST /v1.44/exec/x/start HTTP/1.1\r\nHost: d\r\n${UPGRADE}Content-Length: 2\r\n\r\n{}`],
  ['session', `POST /v1.44/session HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`],
  [
    'attach/ws',
    `GET /v1.44/containers/x/attach/ws HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  ],
]

describe('clients that leave before the engine has answered', () => {
  const stage = stages()
  let engine: RawEngine
  afterEach(() => engine.close())

  it.each(CALLS)('end their calls on both sides, with a record: %s', async (_what, bytes) => {
    engine = new RawEngine(join(stage.folder(), 'raw.sock'), () => undefined)
    await engine.listen()
    const bridge = await stage.bridge(engine.socket)
    const clients = Array.from({ length: 10 }, () => new RawConnection(bridge.socket))
    for (const client of clients) client.send(bytes)
    await eventually(() => engine.requests.length === 10, 'ten requests at the engine')
    for (const client of clients) client.socket.destroy()
    await eventually(
      () => bridge.audit.filter(({ stage: at }) => at === 'complete').length === 10,
      'ten last records',
      10_000,
    )
    expect(bridge.audit.filter(({ endedBy }) => endedBy === 'client')).toHaveLength(10)
    const open = (): boolean => engine.requests.some(({ connection }) => engine.connections.has(connection))
    await eventually(() => !open(), 'their connections to the engine closed')
    const metrics = await bridge.metrics.metrics()
    expect(metrics).toMatch(/^enginebridge_tunnels_open(\{.*\})? 0$/m)
  })
})
