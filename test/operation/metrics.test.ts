import { once } from 'node:events'
import type http from 'node:http'
import net from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { portOf, stages } from '../support/bridge.ts'
import { call, eventually, RawConnection } from '../support/client.ts'

/** The value of a metric whose line begins so. */
const metricAt = (text: string, start: string): number | undefined => {
  const line = text.split('\n').find((one) => one.startsWith(start))
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1))
}

describe('metrics on --admin', () => {
  const stage = stages()
  const admin = (): string => join(stage.folder(), 'admin.sock')
  const metrics = async (): Promise<string> => (await call(admin(), '/metrics')).text

  it('count calls by operation and by the template of their route, never by name', async () => {
    const { socket } = await stage({ onRequest: (_req, res) => res.end('{}') }, ['--admin', `unix://${admin()}`])
    await call(socket, '/v1.44/containers/my-secret-name/json')
    await call(socket, '/v1.44/nosuch/my-secret-path')
    const text = await metrics()
    const labels = 'operation="ContainerInspect",method="GET",route="/containers/{name}/json"'
    expect(metricAt(text, `enginebridge_calls_total{${labels}`)).toBe(1)
    expect(metricAt(text, 'enginebridge_call_seconds_count{operation="ContainerInspect"')).toBe(1)
    expect(metricAt(text, 'enginebridge_calls_total{operation="unknown",method="",route=""')).toBe(1)
    expect(text).not.toContain('my-secret')
    expect(text).toMatch(/enginebridge_build_info\{version="\d+\.\d+\.\d+[^"]*",node="v\d+/)
  })

  it('count changes, losses and what the policy said', async () => {
    const { socket } = await stage({ onRequest: (_req, res) => res.end('[]') }, [
      ...['--admin', `unix://${admin()}`, '--policy', 'read-only'],
    ])
    await call(socket, '/v1.18/containers/json')
    await call(socket, '/v1.18/containers/json')
    await call(socket, '/v1.44/containers/x/start', { method: 'POST' })
    const text = await metrics()
    const changes = text.split('\n').filter((line) => line.startsWith('enginebridge_changes_total{'))
    expect(changes.length).toBeGreaterThan(0)
    for (const line of changes) expect(line).toMatch(/change="1\.\d\d\/[^"]+"\} \d+$/)
    const said = (decision: string, operation: string): number | undefined =>
      metricAt(text, `enginebridge_policy_decisions_total{decision="${decision}",operation="${operation}"}`)
    expect([said('allowed', 'ContainerList'), said('denied', 'ContainerStart')]).toEqual([2, 1])
  })

  it('show tunnels while they are open', async () => {
    const { socket } = await stage(
      {
        onUpgrade: (_req, engine) => {
          engine.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
          engine.on('data', () => engine.end())
        },
      },
      ['--admin', `unix://${admin()}`],
    )
    const client = new RawConnection(socket)
    client.send('POST /v1.44/containers/x/attach HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
    await client.until((text) => text.includes('101'))
    expect(metricAt(await metrics(), 'enginebridge_tunnels_open')).toBe(1)
    client.send('x')
    client.finish()
    await client.untilEnd()
    let open: number | undefined
    for (const end = Date.now() + 5_000; open !== 0 && Date.now() < end; )
      open = metricAt(await metrics(), 'enginebridge_tunnels_open')
    expect(open).toBe(0)
  })

  it('say over /readyz whether the engine answers a real call, over /livez that the process does', async () => {
    const { socket: _, engine } = await stage({}, ['--admin', `unix://${admin()}`])
    expect(await call(admin(), '/readyz')).toMatchObject({ status: 200, text: 'ok: engine 28.5.2\n' })
    await engine.close()
    expect((await call(admin(), '/readyz')).status).toBe(503)
    expect((await call(admin(), '/livez')).status).toBe(200)
  })
})

describe('limits on calls', () => {
  const stage = stages()
  const waiting: http.ServerResponse[] = []
  const slow = {
    onRequest: (_req: http.IncomingMessage, res: http.ServerResponse) => {
      waiting.push(res)
    },
  }

  it('with --max-calls answer 503 in the form of the client, until a call has ended', async () => {
    const { socket } = await stage(slow, ['--max-calls', '2'])
    const open = [call(socket, '/v1.44/info'), call(socket, '/v1.44/info')]
    await eventually(() => waiting.length === 2, 'two calls are at the engine')
    const third = await call(socket, '/v1.20/info')
    expect([third.status, third.headers['enginebridge-error'], third.headers['retry-after']]).toEqual([
      503,
      'busy',
      '1',
    ])
    expect(third.text).toMatch(/^2 calls are under way.*\n$/)
    for (const res of waiting.splice(0)) res.end('{}')
    for (const reply of await Promise.all(open)) expect(reply.status).toBe(200)
    const later = call(socket, '/v1.44/info')
    await eventually(() => waiting.length === 1, 'a call is at the engine again')
    for (const res of waiting.splice(0)) res.end('{}')
    expect((await later).status).toBe(200)
  })

  it('with --rate answer 429 to a peer that asks too often, and let it in again', async () => {
    const { socket } = await stage({ onRequest: (_req, res) => res.end('{}') }, ['--rate', '5'])
    const statuses = await Promise.all(Array.from({ length: 20 }, () => call(socket, '/v1.44/_ping')))
    const refused = statuses.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(statuses.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5)
    expect(JSON.parse(refused[0]?.text ?? '').message).toMatch(/more than 5 calls in a second/)
    let status = 429
    for (const end = Date.now() + 10_000; status === 429 && Date.now() < end; )
      status = (await call(socket, '/v1.44/_ping')).status
    expect(status).toBe(200)
  })

  it.each([
    ['//v1.44/info', 301],
    ['/v1.44/%zz', 400],
  ])('with --rate count also what the bridge answers itself: %s', async (path, status) => {
    const { socket } = await stage({}, ['--rate', '5'])
    const replies = await Promise.all(Array.from({ length: 20 }, () => call(socket, path)))
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([status, 429]))
  })

  it('with --rate do not count what a web page of another site sends', async () => {
    const { bridge } = await stage({ onRequest: (_req, res) => res.end('{}') }, [
      '--rate',
      '2',
      '--listen',
      'tcp://127.0.0.1:0',
    ])
    const at = `http://127.0.0.1:${portOf(bridge)}/v1.44/_ping`
    for (let n = 0; n < 5; n++)
      expect((await fetch(at, { method: 'POST', headers: { Origin: 'http://evil.example' } })).status).toBe(403)
    expect((await fetch(at)).status).toBe(200)
  })

  it('count each peer of a TCP listener for itself', async () => {
    const { admission } = await import('../../src/proxy/load/admission.ts')
    const admit = admission({ 'max-calls': undefined, rate: 1 })
    admit(1, 'a', 0)
    expect(() => admit(1, 'a', 0)).toThrow(/more than 1 calls/)
    admit(1, 'b', 0)
    admit(1, 'a', 1_000)
  })

  it('remember a bounded number of peers', async () => {
    const { admission } = await import('../../src/proxy/load/admission.ts')
    const admit = admission({ 'max-calls': undefined, rate: 1 })
    for (let i = 0; i <= 10_000; i++) admit(1, String(i), 0)
    admit(1, '0', 0) // forgotten, and so begun anew
    expect(() => admit(1, '10000', 0)).toThrow(/more than/)
  })
})

describe('draining', () => {
  const stage = stages()

  it('lets calls and tunnels end, refuses new ones, and tells its progress', { tags: 'slow' }, async () => {
    const { pino } = await import('pino')
    const { startBridge } = await import('../../src/proxy/bridge.ts')
    const { readConfig } = await import('../../src/proxy/settings/config.ts')
    const { scriptedEngine } = await import('../support/scripted-engine.ts')
    const engine = await scriptedEngine(join(stage.folder(), 'e.sock'), {
      onUpgrade: (_req, socket) => {
        socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
        socket.on('data', (chunk) => socket.end(`last: ${chunk}`))
      },
    })
    const lines: string[] = []
    const path = join(stage.folder(), 'b.sock')
    const running = await startBridge(
      readConfig(
        ['--listen', `unix://${path}`, '--engine', `unix://${engine.socket}`, '--grace', '20', '--state', 'off'],
        {},
      ),
      {
        log: pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) }),
        audit: { write: () => undefined },
      },
    )
    const client = new RawConnection(path)
    client.send('POST /v1.44/containers/x/attach HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
    await client.until((text) => text.includes('101'))
    const closing = running.close()
    await eventually(() => lines.some((line) => line.startsWith('draining for ')), 'progress is told', 10_000)
    expect(lines).toContain('draining: 1 calls are open, 1 of them tunnels')
    await expect(once(net.connect(path), 'connect')).rejects.toThrow()
    client.send('bye')
    client.finish()
    expect(await client.untilEnd()).toMatch(/last: bye$/)
    await closing
    expect(lines.at(-1)).toBe('drained: no call is open')
    await engine.close()
  })

  it('refuses calls that have arrived and are not read yet, and resets no connection', async () => {
    const { bridge, socket } = await stage({ onRequest: (_req, res) => res.end('[]') })
    const clients = [new RawConnection(socket), new RawConnection(socket)]
    await Promise.all(clients.map((client) => once(client.socket, 'connect')))
    await call(socket, '/v1.44/containers/json') // so both are accepted by now
    for (const client of clients) client.send('GET /v1.44/containers/json HTTP/1.1\r\nHost: d\r\n\r\n')
    await bridge.close()
    for (const client of clients) expect(await client.untilEnd()).toMatch(/^HTTP\/1\.1 503 [\s\S]*shutting down/)
  })
})
