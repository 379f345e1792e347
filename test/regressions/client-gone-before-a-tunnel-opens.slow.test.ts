import net from 'node:net'
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

  it('ends the call of one that wrote more ahead than is held', async () => {
    engine = new RawEngine(join(stage.folder(), 'raw.sock'), () => undefined)
    await engine.listen()
    const bridge = await stage.bridge(engine.socket)
    const client = new RawConnection(bridge.socket)
    client.send(CALLS[0]?.[1] ?? '')
    await eventually(() => engine.requests.length === 1, 'the request at the engine')
    client.send(Buffer.alloc(100_000))
    await new Promise((resolve) => setTimeout(resolve, 50)) // until it is read, as far as it is
    client.socket.destroy()
    await eventually(() => bridge.audit.some(({ stage: at }) => at === 'complete'), 'its last record', 10_000)
    expect(bridge.audit.at(-1)).toMatchObject({ endedBy: 'client' })
  })

  it('ends the call of one in an upload that the engine does not take', async () => {
    const { socket, audit, engine: scripted } = await stage({ onRequest: (req) => req.pause() })
    engine = new RawEngine(join(stage.folder(), 'raw.sock'))
    await engine.listen()
    const client = new RawConnection(socket)
    client.send('POST /v1.44/build HTTP/1.1\r\nHost: d\r\nContent-Length: 100000000\r\n\r\n')
    client.send(Buffer.alloc(5_000_000))
    await eventually(() => scripted.seen.length === 1, 'the upload at the engine')
    await new Promise((resolve) => setTimeout(resolve, 100)) // until it stands
    client.socket.destroy()
    const over = (): boolean => audit.some(({ stage: at }) => at === 'complete' || at === 'failed')
    await eventually(over, 'its last record', 10_000)
    expect(audit.at(-1)).toMatchObject({ endedBy: 'client' })
  })

  it.each(['resets its connection', 'ends it'])('ends the call of one over TCP that %s', async (how) => {
    engine = new RawEngine(join(stage.folder(), 'raw.sock'), () => undefined)
    await engine.listen()
    const bridge = await stage.bridge(engine.socket, ['--listen', 'tcp://127.0.0.1:0', '--insecure'])
    const at = bridge.addresses.find(({ kind }) => kind === 'tcp')
    if (at?.kind !== 'tcp') throw new Error('it does not listen on TCP')
    const client = net.connect(at.port, '127.0.0.1')
    client.write((CALLS[0]?.[1] ?? '').replace('Host: d', 'Host: localhost'))
    await eventually(() => engine.requests.length === 1, 'the request at the engine')
    if (how === 'ends it') client.destroy()
    else client.resetAndDestroy()
    const over = (): boolean => bridge.audit.some(({ stage: is }) => is === 'complete' || is === 'failed')
    await eventually(over, 'its last record', 10_000)
    expect(bridge.audit.at(-1)).toMatchObject({ stage: 'complete', endedBy: 'client' })
    const open = (): boolean => engine.requests.some(({ connection }) => engine.connections.has(connection))
    await eventually(() => !open(), 'its connection to the engine closed')
  })
})
