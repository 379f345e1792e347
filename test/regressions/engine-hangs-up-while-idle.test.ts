import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parseAddress } from '../../src/http/address.ts'
import { Connector } from '../../src/http/engine/connector.ts'
import { EnginePool, KEPT_MS } from '../../src/http/engine/pool.ts'
import type { ResponseSink } from '../../src/http/engine/request.ts'
import { Headers } from '../../src/http/headers.ts'

/**
 * Engine 20.10 hangs up on a connection that was idle for 300 s. The bridge kept it for 600: a POST that was written in that
 * moment got 502 `write EPIPE`, and could not be sent again.
 */
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK'

async function engineThatNeverHangsUp(): Promise<{ path: string; connection: Promise<net.Socket> }> {
  const path = join(mkdtempSync(join(tmpdir(), 'idle-')), 'engine.sock')
  const server = net.createServer((socket) => socket.on('data', () => socket.write(ANSWER)))
  const connection = once(server, 'connection').then(([socket]: net.Socket[]) => socket as net.Socket)
  await once(server.listen(path), 'listening')
  onTestFinished(() => void server.close())
  return { path, connection }
}

function ping(engine: EnginePool): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const sink: ResponseSink = { head: () => undefined, data: () => undefined, end: resolve, failed: reject }
  engine.send({ method: 'GET', path: '/_ping', headers: new Headers([['Host', 'd']]), body: null }, sink)
  return promise
}

it('an idle connection to the engine is closed by the bridge when it was kept for its time', async () => {
  const { path, connection } = await engineThatNeverHangsUp()
  const engine = new EnginePool(
    new Connector(parseAddress(`unix://${path}`)),
    { 'max-header': 1024, 'answer-timeout': 0 },
    500,
  )
  onTestFinished(() => engine.close())
  await ping(engine)
  const { lastClosed } = engine
  await once(await connection, 'close')
  await expect.poll(() => engine.lastClosed).not.toBe(lastClosed)
})

it('an idle connection is kept for less than the 60 s after which balancers hang up, and the 300 s of engine 20.10', () => {
  expect(KEPT_MS).toBeLessThan(60_000)
})
