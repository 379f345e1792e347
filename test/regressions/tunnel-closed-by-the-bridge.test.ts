import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parseAddress } from '../../src/http/address.ts'
import { Connector } from '../../src/http/engine/connector.ts'
import { EnginePool } from '../../src/http/engine/pool.ts'
import type { EngineTunnel } from '../../src/http/engine/request.ts'
import { Headers } from '../../src/http/headers.ts'
import { join as joined } from '../../src/http/tunnel.ts'

/**
 * A tunnel that the bridge closed, because its client had left, counted as hung up by the engine: what the bridge knew of the
 * engine was thrown away, and the next call waited for `GET /version` and three lists.
 */
const SWITCHED = 'HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'

/** Resolves once it listens, to its first connection. */
async function serverAt(path: string): Promise<{ first: Promise<net.Socket> }> {
  const server = net.createServer({ allowHalfOpen: true })
  const first = once(server, 'connection').then(([one]: net.Socket[]) => one as net.Socket)
  await once(server.listen(path), 'listening')
  onTestFinished(() => void server.close())
  return { first }
}

/** A pool whose one connection is a tunnel. */
async function opened(): Promise<{ pool: EnginePool; engine: net.Socket; tunnel: EngineTunnel; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'tunnel-'))
  const { first } = await serverAt(join(folder, 'engine'))
  const address = parseAddress(`unix://${join(folder, 'engine')}`)
  const pool = new EnginePool(new Connector(address), { 'max-header': 1024, 'answer-timeout': 0 })
  onTestFinished(() => pool.close())
  const { promise, resolve, reject } = Promise.withResolvers<EngineTunnel>()
  const idle = (): void => undefined
  pool.send(
    { method: 'POST', path: '/attach', headers: new Headers(), body: null, hijackAs: 'tunnel' },
    { head: idle, data: idle, end: idle, failed: reject, switched: (...[, , , tunnel]) => resolve(tunnel) },
  )
  const engine = await first
  engine.on('error', () => engine.destroy())
  engine.once('data', () => engine.write(SWITCHED))
  return { pool, engine, tunnel: await promise, folder }
}

it('a tunnel that the bridge closes once its client has left is not hung up by the engine', async () => {
  const { pool, tunnel, folder } = await opened()
  const { first } = await serverAt(join(folder, 'client'))
  const client = net.connect(join(folder, 'client'))
  const over = joined({ socket: await first, early: Buffer.alloc(0) }, tunnel, {
    passed: () => undefined,
    endedBy: () => undefined,
  })
  client.destroy()
  await over
  await expect.poll(() => pool.lastClosed.at).toBeGreaterThan(0)
  expect(pool.lastClosed.closedByEngine).toBe(0)
})

it('a tunnel that the engine has ended before the bridge closes it is hung up by the engine', async () => {
  const { pool, engine, tunnel } = await opened()
  engine.end()
  await once(tunnel.socket.resume(), 'end')
  tunnel.close()
  await expect.poll(() => pool.lastClosed.closedByEngine).toBe(1)
})
