import { readFile, stat, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../src/audit/entry/entry.ts'
import { dispatch } from '../../src/cli/dispatch.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'
import { startFakeEngine } from '../../src/tools/fake-engine/engine.ts'
import { toHar } from '../../src/tools/inspect/har.ts'
import { stages } from '../support/bridge.ts'
import { call, eventually, RawConnection } from '../support/client.ts'
import { captured } from '../support/io.ts'
import { checkHar } from './har-schema.ts'
import { Viewer } from './support.ts'

const INSPECT = ['--inspect', 'tcp://127.0.0.1:0']

const ok = (_req: IncomingMessage, res: ServerResponse): void => {
  res.setHeader('Content-Type', 'application/json')
  res.end('[]')
}

describe('the inspector', () => {
  const stage = stages()

  it('lists each call with its versions, lane, changes and status, and shows both sides of it', async () => {
    const { bridge, socket } = await stage(
      {
        onRequest: (_req, res) => {
          res.setHeader('Content-Type', 'application/json')
          res.end('{"Id":"sha256:1","Size":9223372036854775807}')
        },
      },
      INSPECT,
    )
    const viewer = new Viewer(bridge.inspect)
    await call(socket, '/v1.22/images/busybox/json')
    const [summary] = await viewer.calls()
    expect(summary).toMatchObject({
      ...{ id: 1, method: 'GET', endpoint: '/images/{name}/json', target: '/v1.22/images/busybox/json' },
      ...{ operation: 'ImageInspect', client: '1.22', engine: '1.44', lane: 'body', status: 200, open: false },
    })
    expect(summary?.changes).toBeGreaterThan(0)
    const details = await viewer.details(1)
    expect(details.clientRequest?.line).toBe('GET /v1.22/images/busybox/json')
    expect(details.engineRequest?.line).toBe('GET /v1.44/images/busybox/json')
    expect(details.engineResponse?.body?.json).toBe('{"Id":"sha256:1","Size":9223372036854775807}')
    expect(details.clientResponse?.body?.json).toContain('"VirtualSize":9223372036854775807')
    expect(details.applied.response).toContain('1.44/virtual-size')
    expect(details.sentences['1.44/virtual-size']).toMatch(/VirtualSize/)
  })

  it('lists calls that the bridge refuses before it asks the engine', async () => {
    const { bridge, socket, engine } = await stage({ onRequest: ok }, INSPECT)
    const viewer = new Viewer(bridge.inspect)
    expect((await call(socket, '/v1.10/info')).status).toBe(400)
    expect(engine.seen).toEqual([])
    const [summary] = await viewer.calls()
    expect(summary).toMatchObject({ target: '/v1.10/info', status: 400, error: 'version', open: false })
    expect((await viewer.details(1)).record.error?.message).toContain('1.10')
  })

  it('says what was lost', async () => {
    const { bridge, socket } = await stage({ version: { ApiVersion: '1.22', Version: '1.10.3' }, onRequest: ok }, [
      ...INSPECT,
      '--announce-api',
      '1.44',
    ])
    const viewer = new Viewer(bridge.inspect)
    const body = JSON.stringify({ Image: 'busybox', HostConfig: { Annotations: { a: 'b' } } })
    await call(socket, '/v1.44/containers/create', { method: 'POST', body })
    const [summary] = await viewer.calls()
    expect(summary?.losses).toBe(1)
    expect((await viewer.details(1)).record.losses?.[0]).toMatchObject({
      what: 'HostConfig.Annotations',
      needs: '1.43',
    })
  })

  it('keeps as many calls as it was told to, and tells who looks on which of them are gone', async () => {
    const { bridge, socket } = await stage({ onRequest: ok }, [...INSPECT, '--inspect-calls', '3'])
    const viewer = new Viewer(bridge.inspect)
    const feed = viewer.feed()
    for (let i = 0; i < 7; i++) await call(socket, '/v1.44/containers/json')
    expect((await viewer.calls()).map(({ id }) => id)).toEqual([5, 6, 7])
    expect((await viewer.ask('/api/calls/4')).status).toBe(404)
    await eventually(() => feed.text().includes('"id":7'), 'the last call is told')
    feed.leave()
  })

  it('stays within its memory, whatever the bodies are', { tags: 'slow' }, async () => {
    const text = JSON.stringify([{ Id: 'x'.repeat(100_000) }])
    const { bridge, socket } = await stage(
      {
        onRequest: (_req, res) => {
          res.setHeader('Content-Type', 'application/json')
          res.end(text)
        },
      },
      [...INSPECT, '--inspect-memory', '1MB'],
    )
    const viewer = new Viewer(bridge.inspect)
    for (let i = 0; i < 12; i++) await call(socket, '/v1.44/containers/json')
    const { held, count } = JSON.parse((await viewer.ask('/api/about')).text) as { held: number; count: number }
    expect(count).toBe(12)
    expect(held).toBeLessThanOrEqual(1_000_000)
    const kept = (await viewer.calls()).map(({ id }) => id)
    expect(kept.at(-1)).toBe(12)
    expect(kept.length).toBeLessThan(12)
  })

  it('cuts a body at its limit', async () => {
    const { bridge, socket } = await stage(
      {
        onRequest: (_req, res) => {
          res.setHeader('Content-Type', 'application/json')
          res.end(JSON.stringify([{ Id: 'x'.repeat(5000) }]))
        },
      },
      [...INSPECT, '--inspect-body', '1KB'],
    )
    const viewer = new Viewer(bridge.inspect)
    await call(socket, '/v1.44/containers/json')
    const { clientResponse } = await viewer.details(1)
    expect(clientResponse?.body).toMatchObject({ bytes: 5012, cut: true })
    expect(clientResponse?.body?.text?.length).toBe(1000)
  })

  it('shows record streams and tunnels while they grow, and counts what is typed', async () => {
    const open: ServerResponse[] = []
    const { bridge, socket } = await stage(
      {
        onRequest: (req, res) => {
          if (!req.url?.includes('/events')) return ok(req, res)
          res.setHeader('Content-Type', 'application/json')
          res.flushHeaders()
          open.push(res)
        },
        onUpgrade: (_req, connection) => {
          connection.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\nhello from inside\n')
          connection.on('data', (chunk: Buffer) => connection.write(`got ${chunk.length}\n`))
          connection.on('end', () => connection.end())
        },
      },
      INSPECT,
    )
    const viewer = new Viewer(bridge.inspect)
    const events = new RawConnection(socket)
    events.send('GET /v1.21/events HTTP/1.1\r\nHost: d\r\n\r\n')
    await eventually(() => open.length === 1, 'the engine is asked')
    open[0]?.write(
      '{"status":"start","id":"c1","from":"i","Type":"container","Action":"start","Actor":{"ID":"c1","Attributes":{"image":"i"}},"scope":"local","time":1}\n',
    )
    await events.until((text) => text.includes('start'))
    const { clientResponse, engineResponse, summary } = await viewer.details(1)
    expect(summary).toMatchObject({ open: true, lane: 'records' })
    expect(engineResponse?.stream?.text).toContain('"Action":"start"')
    expect(clientResponse?.stream?.text).toBe('{"status":"start","id":"c1","from":"i","time":1}\n')

    const tunnel = new RawConnection(socket)
    tunnel.send(
      'POST /v1.24/containers/c1/attach?stream=1&stdin=1 HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n',
    )
    await tunnel.until((text) => text.includes('inside'))
    tunnel.send('my password\n')
    await tunnel.until((text) => text.includes('got 12'))
    const second = await viewer.details(2)
    expect(second.tunnel).toMatchObject({
      client: { bytes: 12, text: '', withheld: 'typed' },
      engine: { text: 'hello from inside\ngot 12\n' },
    })
    tunnel.finish()
    events.socket.destroy()
    await eventually(() => tunnel.ended, 'the tunnel ends')
  })

  it('shows what is typed when it is told to', async () => {
    const { bridge, socket } = await stage(
      {
        onUpgrade: (_req, connection) => {
          connection.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
          connection.on('data', (chunk: Buffer) => connection.write(chunk))
          connection.on('end', () => connection.end())
        },
      },
      [...INSPECT, '--inspect-input'],
    )
    const tunnel = new RawConnection(socket)
    tunnel.send(
      'POST /v1.44/containers/c1/attach?stream=1&stdin=1 HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n',
    )
    await tunnel.until((text) => text.includes('101'))
    tunnel.send('ls -l\n')
    await tunnel.until((text) => text.includes('ls -l'))
    expect((await new Viewer(bridge.inspect).details(1)).tunnel?.client.text).toBe('ls -l\n')
    tunnel.finish()
    await eventually(() => tunnel.ended, 'the tunnel ends')
  })

  it('forgets what is over when it is told to', async () => {
    const { bridge, socket } = await stage({ onRequest: ok }, INSPECT)
    const viewer = new Viewer(bridge.inspect)
    await call(socket, '/v1.44/containers/json')
    expect((await viewer.ask('/api/clear', { method: 'POST' })).status).toBe(200)
    expect(await viewer.calls()).toEqual([])
  })

  it('exports a valid HTTP Archive, of all calls or of chosen ones', async () => {
    const { bridge, socket } = await stage({ onRequest: ok }, INSPECT)
    const viewer = new Viewer(bridge.inspect)
    await call(socket, '/v1.22/containers/json?all=1')
    await call(socket, '/v1.10/info')
    await call(socket, '/v1.22/containers/create', { method: 'POST', body: '{"Image":"busybox"}' })
    const { text, headers } = await viewer.ask('/api/har')
    expect(headers['content-disposition']).toMatch(/^attachment; filename="enginebridge-.*\.har"$/)
    const har = checkHar(JSON.parse(text))
    expect(har.log.entries.map(({ request: { method, url } }) => `${method} ${url}`)).toEqual([
      'GET http://engine/v1.22/containers/json?all=1',
      'GET http://engine/v1.10/info',
      'POST http://engine/v1.22/containers/create',
    ])
    expect(har.log.entries[2]?.request.postData?.text).toBe('{"Image":"busybox"}')
    const chosen = await viewer.ask('/api/har', { method: 'POST', body: '[3]' })
    expect(checkHar(JSON.parse(chosen.text)).log.entries).toHaveLength(1)
    expect((await viewer.ask('/api/har', { method: 'POST', body: '["x"]' })).status).toBe(400)
  })

  it('exports all parameters of a query, also those after a second question mark', async () => {
    const { bridge, socket } = await stage({ onRequest: ok }, INSPECT)
    await call(socket, '/v1.44/containers/json')
    const details = await new Viewer(bridge.inspect).details(1)
    const target = '/v1.44/images/create??repo=x&fromSrc=http://host/x?a=b&tag=1'
    const har = checkHar(toHar([{ ...details, summary: { ...details.summary, target } }], { version: '1' }))
    expect(har.log.entries[0]?.request.queryString).toEqual([
      { name: '?repo', value: 'x' },
      { name: 'fromSrc', value: 'http://host/x?a=b' },
      { name: 'tag', value: '1' },
    ])
  })

  it('exports a recording that replay reads', async () => {
    const engine = await startFakeEngine(join(stage.folder(), 'standin.sock'))
    const bridge = await stage.bridge(engine.path, INSPECT)
    const viewer = new Viewer(bridge.inspect)
    const created = await call(bridge.socket, '/v1.22/containers/create?name=web', {
      method: 'POST',
      body: JSON.stringify({ Image: 'busybox', Cmd: 'sleep 9', HostConfig: { Memory: 8_388_608 } }),
    })
    expect(created.text).toContain('Id')
    await call(bridge.socket, '/v1.22/containers/json?all=1')
    await call(bridge.socket, '/v1.22/containers/web/json')
    const file = join(stage.folder(), 'calls.jsonl')
    await writeFile(file, (await viewer.ask('/api/recording')).text)
    const rules = captured()
    expect(await dispatch(['replay', file, '--engine', '1.44', '--json'], rules)).toBe(0)
    const told = JSON.parse(rules.out()) as { calls: { operation: string }[] }
    expect(told.calls.map(({ operation }) => operation)).toEqual([
      'ContainerCreate',
      'ContainerList',
      'ContainerInspect',
    ])
    const asked = captured()
    expect(await dispatch(['replay', file, '--engine', `unix://${engine.path}`, '--json'], asked)).toBe(0)
    expect(
      (JSON.parse(asked.out()) as { calls: { asked: { kind: string } }[] }).calls.map((one) => one.asked.kind),
    ).toEqual(['skipped', 'same', 'same'])
    await engine.close()
  })

  it('says why it exports no recording while the engine is unknown', async () => {
    const bridge = await stage.bridge(join(stage.folder(), 'none.sock'), INSPECT)
    expect((await call(bridge.socket, '/v1.44/info')).status).toBe(503)
    const viewer = new Viewer(bridge.inspect)
    expect(await viewer.calls()).toHaveLength(1)
    const { status, text } = await viewer.ask('/api/recording')
    expect(status).toBe(503)
    expect(JSON.parse(text).message).toContain('the engine has not answered yet')
  })

  it('ends its feeds and its socket with the bridge', async () => {
    const { bridge } = await stage({ onRequest: ok }, ['--inspect', `unix://${join(stage.folder(), 'i.sock')}`])
    const viewer = new Viewer(bridge.inspect)
    expect((await stat(join(stage.folder(), 'i.sock'))).mode & 0o777).toBe(0o600)
    const feed = viewer.feed()
    await feed.res
    await bridge.close()
    await eventually(() => feed.ended(), 'the feed ends')
    await expect(stat(join(stage.folder(), 'i.sock'))).rejects.toThrow('ENOENT')
  })
})

describe('without --inspect', () => {
  it('nothing of the inspector is loaded but what loads it', async () => {
    const root = join(import.meta.dirname, '../..')
    const seen = new Set<string>()
    const visit = async (file: string): Promise<void> => {
      if (seen.has(file)) return
      seen.add(file)
      const source = await readFile(file, 'utf8')
      for (const [, kind = '', path = ''] of source.matchAll(/^(import|export)\b(?! type\b)[^;]*?from '(\.[^']+)'/gms))
        if (kind !== '') await visit(join(dirname(file), path))
    }
    for (const start of ['src/main.ts', 'src/proxy/bridge.ts', 'src/cli/commands/serve.ts'])
      await visit(join(root, start))
    expect(seen.size).toBeGreaterThan(100)
    expect([...seen].filter((file) => file.includes('/src/tools/inspect/'))).toEqual([
      join(root, 'src/tools/inspect/lazily.ts'),
    ])
  })

  it('nobody looks at a call', async () => {
    const watched: unknown[] = []
    const { bridge, socket } = await stage({ onRequest: ok }, [], {
      observers: [(seen) => void watched.push(seen.entry)],
    })
    const none = await stage({ onRequest: ok })
    await call(socket, '/v1.22/containers/json')
    expect(bridge.inspect).toBeUndefined()
    expect(none.bridge.inspect).toBeUndefined()
    // What a change did is found out where somebody asks for it only: the audit asks for the request's.
    expect(watched.map((entry) => (entry as Entry).changes.measures('response'))).toEqual([false])
  })

  const stage = stages()
})

describe('the settings of the inspector', () => {
  it('do not go with several processes', () => {
    expect(() => readConfig(['--inspect', 'tcp://127.0.0.1:0', '--workers', '2'], {})).toThrow('--workers 1')
  })

  it.each([
    ['tcp://0.0.0.0:9100', /--inspect beyond loopback/],
    ['tcp://bridge.example:9100', /--inspect beyond loopback/],
  ])('refuse %s unless --insecure is said', (address, why) => {
    expect(() => readConfig(['--inspect', address], {})).toThrow(why)
    expect(readConfig(['--inspect', address, '--insecure'], {}).inspect).toBeDefined()
  })

  it.each([
    ['--inspect-calls', '0'],
    ['--inspect-calls', '100000'],
    ['--inspect-body', '2MiB'],
    ['--inspect-memory', '2GiB'],
  ])('refuse %s %s', (flag, value) => {
    expect(() => readConfig([flag, value], {})).toThrow(flag)
  })
})
