import net from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { startBridge } from '../../src/proxy/bridge.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'
import { stages } from '../support/bridge.ts'
import { call, eventually, RawConnection } from '../support/client.ts'
import { scriptedEngine } from '../support/scripted-engine.ts'

/**
 * Answers that a client had not taken yet were cut by the end of the bridge and by the idle timeout, and a client that wrote calls
 * ahead and read nothing had the answer to each of them held for it.
 */
const BIG = 'x'.repeat(4 << 20)
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: d\r\n\r\n`

describe('a client that does not read its answers', () => {
  const stage = stages()

  it('has no further call begun before it has taken what is there', async () => {
    const { socket, engine } = await stage({ onRequest: (_req, res) => res.end('x'.repeat(60_000)) })
    const client = net.connect(socket)
    client.write(get('/v1.44/containers/x/json').repeat(300))
    await eventually(() => engine.seen.length > 2, 'calls are carried')
    await sleep(300)
    expect(engine.seen.length).toBeLessThan(60)
    let got = 0
    client.on('data', (chunk) => {
      got += chunk.length
    })
    await eventually(() => got > 300 * 60_000, 'the rest is carried when it reads', 20_000)
    client.destroy()
  })

  it('gets the whole of an answer that was written when the bridge was told to end', async () => {
    const engine = await scriptedEngine(join(stage.folder(), 'engine.sock'), { onRequest: (_req, res) => res.end(BIG) })
    const socket = join(stage.folder(), 'bridge.sock')
    const config = readConfig(
      ['--listen', `unix://${socket}`, '--engine', `unix://${engine.socket}`, '--grace', '20', '--state', 'off'],
      {},
    )
    const log = pino({ level: 'silent' })
    const bridge = await startBridge(config, { log, audit: { write: () => undefined } })
    const client = net.connect(socket)
    client.write(get('/v1.44/containers/x/json'))
    await eventually(() => engine.seen.length > 0, 'the engine is asked')
    await sleep(100)
    const closed = bridge.close()
    await sleep(50)
    let got = 0
    client.on('data', (chunk) => {
      got += chunk.length
    })
    await closed
    await eventually(() => got > BIG.length, 'all of it has come')
    await engine.close()
  })

  it('gets the whole of an answer that it takes longer over than the idle timeout', async () => {
    const { socket } = await stage({ onRequest: (_req, res) => res.end('x'.repeat(400_000)) }, [
      '--idle-timeout',
      '200ms',
    ])
    const client = new RawConnection(socket)
    client.send(get('/v1.22/containers/x/logs'))
    client.socket.pause()
    for (let i = 0; i < 8; i++) {
      await sleep(100)
      client.socket.resume()
      await sleep(1)
      client.socket.pause()
    }
    client.socket.resume()
    await eventually(() => client.received.length > 400_000, 'all of it')
    client.socket.destroy()
  })

  it('a body in chunks of one byte takes memory in proportion to its size', { tags: 'slow' }, async () => {
    const { socket } = await stage({ onRequest: (_req, res) => res.end('{}') })
    const body = `{"Image":"${'x'.repeat(1 << 20)}"}`
    const chunks = [...body].map((letter) => `1\r\n${letter}\r\n`).join('')
    const before = process.memoryUsage().heapUsed
    const client = new RawConnection(socket)
    client.send(
      `POST /v1.44/containers/create HTTP/1.1\r\nHost: d\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
    )
    await client.until((text) => text.includes('\r\n\r\n'), 20_000)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 << 20)
    expect((await call(socket, '/v1.44/_ping')).status).toBe(200)
    client.socket.destroy()
  })
})
