import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually, RawConnection } from '../support/client.ts'
import { RawEngine } from '../support/raw-engine.ts'

/**
 * A client that left while the bridge still asked the engine for its version was waited for ever on three lanes: its
 * connection had closed before anybody listened for that. Found by `npm run chaos`.
 */
const BODY = '{"Image":"x","HostConfig":{}}'
const CALLS: readonly [lane: string, bytes: string][] = [
  ['tunnel', 'POST /v1.44/containers/x/attach HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\nhello'],
  ['tunnel', 'POST /v1.44/exec/x/start HTTP/1.1\r\nHost: d\r\nContent-Length: 2\r\n\r\n{}'],
  ['tunnel', 'POST /v1.44/exec/x/start HTTP/1.1\r\nHost: d\r\nContent-Length: 9\r\n\r\n{}'],
  ['pass', 'GET /v1.44/containers/x/export HTTP/1.1\r\nHost: d\r\n\r\n'],
  ['pass', 'GET /v1.44/foo HTTP/1.1\r\nHost: d\r\n\r\n'],
  ['body', `POST /v1.18/containers/create HTTP/1.1\r\nHost: d\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`],
  ['records', 'GET /v1.18/events HTTP/1.1\r\nHost: d\r\n\r\n'],
  ['pass', 'POST /v1.44/containers/x/kill HTTP/1.1\r\nHost: d\r\n\r\n'],
]

describe('a client that leaves before its call is on its way', () => {
  const stage = stages()
  let engine: RawEngine
  afterEach(() => engine.close())

  it.each(CALLS)('is not waited for: %s, %j', async (lane, bytes) => {
    engine = new RawEngine(join(stage.folder(), 'raw.sock'))
    const version = Promise.withResolvers<void>()
    engine.held = version.promise
    await engine.listen()
    const bridge = await stage.bridge(engine.socket)
    const client = new RawConnection(bridge.socket)
    client.send(bytes)
    await new Promise((resolve) => client.socket.write('', resolve))
    await new Promise((resolve) => setTimeout(resolve, 50)) // until it is read; nothing shows that it was
    client.socket.destroy()
    await eventually(() => client.closed, 'the client is gone')
    await new Promise((resolve) => setTimeout(resolve, 50)) // and until that is seen
    version.resolve()
    const end = (): Record<string, unknown> | undefined =>
      bridge.audit.find(({ stage: at }) => at === 'complete' || at === 'failed')
    await eventually(() => end() !== undefined, 'its record has an end')
    expect(end()).toMatchObject({ lane })
    // Of a connection taken over an end is a half-close, which is no leaving (`echo x | docker exec -i`).
    if (lane !== 'tunnel') expect(engine.seen).toEqual([])
  })
})
