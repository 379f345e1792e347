import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually, RawConnection } from '../support/client.ts'
import { RawEngine } from '../support/raw-engine.ts'

/** A session whose last chunk came in a packet of its own: `0\r\n\r\n` reached the engine as bytes of the tunnel. */
const HEAD =
  'POST /v1.44/session HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nTransfer-Encoding: chunked\r\n\r\n'
const SWITCHED = 'HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'

describe('the empty body of a session', () => {
  const stage = stages()
  let engine: RawEngine
  afterEach(() => engine.close())

  it.each([
    ['before the engine answers', 0, ['0\r\n\r\n', 'hello over']],
    ['behind the engine’s answer', 100, ['0\r\n\r\n', 'hello over']],
    ['with the first bytes of the tunnel', 100, ['0\r\n\r\nhello over']],
    ['byte by byte', 100, [...'0\r\n\r\nhello over']],
  ] as const)('never reaches the engine’s tunnel: %s', async (_when, pause, parts) => {
    engine = new RawEngine(join(stage.folder(), 'raw.sock'), () => SWITCHED)
    await engine.listen()
    const bridge = await stage.bridge(engine.socket)
    const client = new RawConnection(bridge.socket)
    client.socket.setNoDelay(true)
    client.send(HEAD)
    if (pause > 0) await client.until((text) => text.endsWith('\r\n\r\n'))
    for (const part of parts) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      client.send(part)
    }
    const tunnel = (): string => [...engine.rest.values()].join('')
    await eventually(() => tunnel().endsWith('over'), 'the bytes behind it')
    expect(tunnel()).toBe('hello over')
    client.socket.destroy()
  })
})
