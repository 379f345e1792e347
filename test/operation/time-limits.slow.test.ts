import net from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, eventually, RawConnection } from '../support/client.ts'
import { Process } from '../support/processes.ts'

const KEPT = 'GET /v1.44/_ping HTTP/1.1\r\nHost: d\r\n\r\n'
/** Node waits as much longer than it was told, so that its `Keep-Alive` header is true (keepAliveTimeoutBuffer). */
const BUFFER_MS = 1000

describe('--idle-timeout', () => {
  const stage = stages()
  const answers = { onRequest: (_req: unknown, res: { end(text: string): void }) => res.end('OK') }

  it('closes a connection between two calls, not before its time', async () => {
    const { socket } = await stage(answers, ['--idle-timeout', '300ms'])
    const client = new RawConnection(socket)
    client.send(KEPT)
    await client.until((text) => text.endsWith('OK'), 20_000)
    client.send(KEPT)
    await client.until((text) => /200 [\s\S]*200 [\s\S]*OK$/.test(text), 20_000)
    const idle = performance.now()
    await client.untilEnd(20_000)
    expect(performance.now() - idle).toBeGreaterThan(250)
    expect(client.text.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
  })

  it('does not close one whose call is under way', async () => {
    const { socket } = await stage({ onRequest: (_req, res) => res.flushHeaders() }, ['--idle-timeout', '100ms'])
    const client = new RawConnection(socket)
    client.send('GET /v1.44/events HTTP/1.1\r\nHost: d\r\n\r\n')
    await client.until((text) => text.includes('\r\n\r\n'), 20_000)
    await sleep(BUFFER_MS + 1000)
    expect(client.ended).toBe(false)
    client.socket.destroy()
  })
})

/** A frozen engine on TCP whose queue of connections is full: the kernel answers nobody any more, as behind a firewall. */
async function deafEngine(): Promise<{ port: number; freeze(): Promise<void>; end(): Promise<void> }> {
  const script = join(import.meta.dirname, '../support/ledger-engine.ts')
  const engine = new Process([process.execPath, script, '--backlog', '1'])
  await eventually(() => engine.out.includes('ready'), 'the engine listens', 60_000)
  const port = Number(/ready (\d+)/.exec(engine.out)?.[1])
  const fillers: net.Socket[] = []
  return {
    port,
    freeze: async () => {
      engine.child.kill('SIGSTOP')
      for (let n = 0; n < 8; n++) fillers.push(net.connect(port, '127.0.0.1').on('error', () => undefined))
      // Two are in the queue; those behind them hang.
      await eventually(() => fillers.filter(({ connecting }) => !connecting).length >= 2, 'the queue is full')
      await sleep(200)
    },
    end: async () => {
      for (const filler of fillers) filler.destroy()
      await engine.kill()
    },
  }
}

describe('--connect-timeout', () => {
  const stage = stages()

  async function beforeDeafEngine(ask: (socket: string) => Promise<void>): Promise<void> {
    const engine = await deafEngine()
    try {
      const { socket } = await stage.bridge(`tcp://127.0.0.1:${engine.port}`, ['--connect-timeout', '400ms'])
      expect((await call(socket, '/v1.44/_ping')).status).toBe(200)
      await engine.freeze()
      await ask(socket)
    } finally {
      await engine.end()
    }
  }

  it.each([
    ['an upload', 'PUT /v1.44/containers/x/archive?path=/', 'Content-Length: 1\r\n\r\nx'],
    ['a tunnel', 'POST /v1.44/containers/x/attach?stream=1', 'Connection: Upgrade\r\nUpgrade: tcp\r\n\r\n'],
    ['a websocket', 'GET /v1.44/containers/x/attach/ws?stream=1', 'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ])(
    'gives %s 504 when the engine does not accept a connection',
    async (_, line, rest) => {
      await beforeDeafEngine(async (socket) => {
        const first = new RawConnection(socket) // takes the connection that is still up
        first.send('GET /v1.44/events HTTP/1.1\r\nHost: d\r\n\r\n')
        await new Promise((resolve) => setTimeout(resolve, 100))
        const begun = performance.now()
        const client = new RawConnection(socket)
        client.send(`${line} HTTP/1.1\r\nHost: d\r\n${rest}`)
        const text = await client.until((seen) => seen.includes('did not accept a connection in time'), 20_000)
        expect(text).toMatch(/^HTTP\/1\.1 504 /)
        expect(text).toContain('Enginebridge-Error: engine-timeout\r\n')
        expect(performance.now() - begun).toBeGreaterThan(350)
        first.socket.destroy()
        client.socket.destroy()
      })
    },
    60_000,
  )

  it('gives ordinary calls 504 when they need another connection than those of before', async () => {
    await beforeDeafEngine(async (socket) => {
      const clients = Array.from({ length: 8 }, () => new RawConnection(socket))
      for (const client of clients) client.send('GET /v1.44/info HTTP/1.1\r\nHost: d\r\n\r\n')
      const refused = (): RawConnection[] => clients.filter(({ text }) => /^HTTP\/1\.1 504 [\s\S]*in time/.test(text))
      await eventually(() => refused().length > 0, 'a call is refused')
      for (const client of clients) client.socket.destroy()
    })
  }, 60_000)
})
