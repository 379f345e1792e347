import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { RawConnection } from '../support/client.ts'
import { answer, RawEngine } from '../support/raw-engine.ts'

/**
 * Calls that may hijack their connection, and were answered without, had `Connection: close` added, where engines keep it:
 * ClientConn of Go's httputil (clients up to 2016) then fails with "persistent connection closed".
 */
const JSON_TYPE = 'Content-Type: application/json\r\n'
const TEXT = 'Content-Type: text/plain; charset=utf-8\r\n'
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: tcp\r\n'
const WEBSOCKET =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n'
const missing = answer('404 Not Found', JSON_TYPE, '{"message":"No such container: x"}')
const paused = answer(
  '409 Conflict',
  JSON_TYPE,
  '{"message":"container x is paused, unpause the container before attach"}',
)
/** As engines from 1.12 on do: a raw stream that ends with the connection. */
const rawMissing =
  'HTTP/1.1 404 Not Found\r\nContent-Type: application/vnd.docker.raw-stream\r\n\r\nNo such container: x\r\n'
const DETACHED = '{"Detach":true,"Tty":false}'
const post = (path: string, headers: string, body = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: d\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`

const CALLS: readonly [what: string, request: string, said: string, status: number][] = [
  ['a detached exec start', post('/v1.22/exec/x/start', JSON_TYPE, DETACHED), answer('200 OK', '', ''), 200],
  [
    'a detached exec start with Upgrade',
    post('/v1.44/exec/x/start', JSON_TYPE + UPGRADE, DETACHED),
    answer('200 OK', '', ''),
    200,
  ],
  [
    'exec start of an unknown id',
    post('/v1.22/exec/x/start', JSON_TYPE, '{}'),
    answer('404 Not Found', JSON_TYPE, '{"message":"No such exec instance: x"}'),
    404,
  ],
  ['attach to an unknown container', post('/v1.22/containers/x/attach', TEXT), missing, 404],
  ['attach to an unknown container, told raw', post('/v1.22/containers/x/attach', TEXT), rawMissing, 404],
  ['attach with Upgrade to an unknown container', post('/v1.44/containers/x/attach', UPGRADE), missing, 404],
  ['attach to a paused container', post('/v1.44/containers/x/attach', UPGRADE), paused, 409],
  [
    'attach/ws to an unknown container',
    `GET /v1.44/containers/x/attach/ws HTTP/1.1\r\nHost: d\r\n${WEBSOCKET}\r\n`,
    missing,
    404,
  ],
  [
    'attach/ws to a paused container',
    `GET /v1.22/containers/x/attach/ws HTTP/1.1\r\nHost: d\r\n${WEBSOCKET}\r\n`,
    paused,
    409,
  ],
]

describe('a connection that could have been hijacked and was not', () => {
  const stage = stages()
  let engine: RawEngine
  afterEach(() => engine.close())

  it.each(CALLS)('is kept, and carries the next call: %s', async (_what, request, said, status) => {
    engine = new RawEngine(join(stage.folder(), 'raw.sock'), ({ target, connection }) => {
      if (target.endsWith('_ping')) return answer('200 OK', '', 'pong')
      if (said.includes('Content-Length')) return said
      connection.end(said)
      return ''
    })
    await engine.listen()
    const { socket } = await stage.bridge(engine.socket)
    const client = new RawConnection(socket)
    client.send(request)
    const first = await client.until((text) => text.includes('\r\n\r\n'))
    expect(first).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(first).not.toMatch(/^connection: close/im)
    client.send('GET /v1.44/_ping HTTP/1.1\r\nHost: d\r\n\r\n')
    expect(await client.until((text) => text.endsWith('pong'))).toContain('HTTP/1.1 200 OK\r\n')
    client.socket.destroy()
  })

  it('is closed where the client wrote raw bytes ahead: they are no request', async () => {
    engine = new RawEngine(join(stage.folder(), 'raw.sock'), () => missing)
    await engine.listen()
    const { socket } = await stage.bridge(engine.socket)
    const client = new RawConnection(socket)
    client.send(`${post('/v1.44/containers/x/attach', UPGRADE)}GET /v1.44/_ping HTTP/1.1\r\nHost: d\r\n\r\n`)
    const text = await client.untilEnd()
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(text).toMatch(/^connection: close\r$/im)
    expect(engine.requests).toHaveLength(1)
  })
})
