import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, RawConnection } from '../support/client.ts'
import type { Script } from '../support/scripted-engine.ts'

const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (_req: unknown, res: ServerResponse): void => {
    const json = typeof body === 'object' ? { 'Content-Type': 'application/json' } : {}
    res.writeHead(status, { ...json, ...headers })
    res.end(typeof body === 'object' ? JSON.stringify(body) : body)
  }
const STAT = Buffer.from('{"name":"f"}').toString('base64')
const LOGS = Buffer.concat([Buffer.from([1, 0, 0, 0, 0, 0, 0, 3]), Buffer.from('hi\n')])
const logs: Script['onRequest'] = (_req, res) => {
  res.writeHead(200, { 'Content-Type': 'application/vnd.docker.multiplexed-stream' })
  res.end(LOGS)
}
const upgrade = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: docker\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n`
const SPEC = ['--profile', 'spec']

describe('the two profiles, over real sockets', () => {
  const stage = stages()

  it('answers the resize of an exec with 200 as engines do, and with 201 as the specification has it', async () => {
    const script = { onRequest: answer(200, '') }
    const [engine, spec] = [await stage(script), await stage(script, SPEC)]
    const resize = '/v1.22/exec/e1/resize?h=10&w=10'
    expect((await call(engine.socket, resize, { method: 'POST' })).status).toBe(200)
    expect(await call(spec.socket, resize, { method: 'POST' })).toMatchObject({ status: 201, reason: 'Created' })
    expect((await call(spec.socket, resize.replace('1.22', '1.44'), { method: 'POST' })).status).toBe(200)
  })

  it('sends the stat of a path under its wire name, with the profile spec under both', async () => {
    const script = { onRequest: answer(200, 'tar', { 'X-Docker-Container-Path-Stat': STAT }) }
    const [engine, spec] = [await stage(script), await stage(script, SPEC)]
    for (const method of ['HEAD', 'GET']) {
      const path = '/v1.21/containers/c/archive?path=/f'
      expect((await call(engine.socket, path, { method })).headers).not.toHaveProperty('x-engine-container-path-stat')
      expect((await call(spec.socket, path, { method })).headers).toMatchObject({
        'x-docker-container-path-stat': STAT,
        'x-engine-container-path-stat': STAT,
      })
    }
  })

  it('grants logs the upgrade that is asked for with the profile spec only', async () => {
    // An engine keeps to HTTP whatever is asked for: 200, in chunks.
    const script: Script = {
      onUpgrade: (_req, duplex) =>
        duplex.end(
          Buffer.concat([
            Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n'),
            LOGS,
            Buffer.from('\r\n0\r\n\r\n'),
          ]),
        ),
    }
    const [engine, spec] = [await stage(script), await stage(script, SPEC)]
    const path = '/v1.22/containers/c/logs?stdout=1'
    const ordinary = new RawConnection(engine.socket)
    ordinary.send(upgrade(path))
    expect(await ordinary.until((text) => text.endsWith('0\r\n\r\n'))).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    const hijacked = new RawConnection(spec.socket)
    hijacked.send(upgrade(path))
    const [head, body] = (await hijacked.untilEnd()).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 101 UPGRADED\r\n/)
    expect(head).toMatch(/\r\nConnection: Upgrade/)
    expect(head).toMatch(/\r\nUpgrade: tcp/)
    expect(head).toContain('Content-Type: application/vnd.engine.raw-stream')
    expect(head?.toLowerCase()).not.toMatch(/transfer-encoding|content-length/)
    expect(body).toBe(LOGS.toString('latin1'))
    for (const connection of [ordinary, hijacked]) connection.socket.destroy()
  })

  it('holds an engine back whose client does not read upgraded logs, and loses nothing', { tags: 'slow' }, async () => {
    const size = 8 << 20
    const engines: Duplex[] = []
    const { socket } = await stage(
      {
        onUpgrade: (_req, duplex) => {
          engines.push(duplex)
          duplex.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`)
          duplex.end(Buffer.alloc(size))
        },
      },
      SPEC,
    )
    const client = new RawConnection(socket)
    client.socket.pause()
    client.send(upgrade('/v1.22/containers/c/logs?stdout=1'))
    await sleep(300)
    expect(engines[0]?.writableLength).toBeGreaterThan(size / 2)
    client.socket.resume()
    const text = await client.untilEnd(20_000)
    expect(text.length - text.indexOf('\r\n\r\n') - 4).toBe(size)
    client.socket.destroy()
  })

  it('answers logs without an upgrade with 200 in either profile, the type only with spec', async () => {
    const [engine, spec] = [await stage({ onRequest: logs }), await stage({ onRequest: logs }, SPEC)]
    const path = '/v1.22/containers/c/logs?stdout=1'
    expect((await call(engine.socket, path)).headers).not.toHaveProperty('content-type')
    expect(await call(spec.socket, path)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/vnd.engine.raw-stream' },
    })
  })

  it('names the stream of an attach neutrally with the profile spec', async () => {
    const head =
      'HTTP/1.1 101 UPGRADED\r\nContent-Type: application/vnd.docker.raw-stream\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'
    const { socket } = await stage({ onUpgrade: (_req, duplex) => duplex.end(`${head}bye`) }, SPEC)
    const client = new RawConnection(socket)
    client.send(upgrade('/v1.18/containers/c/attach?stream=1').replace('GET', 'POST'))
    expect(await client.until((text) => text.endsWith('bye'))).toBe(`${head.replace('docker', 'engine')}bye`)
    client.socket.destroy()
  })

  it('answers a mistake in a call of archive with 400 and JSON with the profile spec', async () => {
    const script = { onRequest: answer(500, { message: 'extraction point is not a directory' }) }
    const [engine, spec] = [await stage(script), await stage(script, SPEC)]
    const put = { method: 'PUT', body: 'tar' }
    const path = '/v1.22/containers/c/archive?path=/etc/passwd'
    expect(await call(engine.socket, path, put)).toMatchObject({
      status: 500,
      text: 'extraction point is not a directory\n',
    })
    const refused = await call(spec.socket, path, put)
    expect([refused.status, refused.headers['content-type']]).toEqual([400, 'application/json'])
    expect(JSON.parse(refused.text)).toEqual({ message: 'extraction point is not a directory' })
  })

  it.each([
    ['engine', '?t=a', '?t=a'],
    ['engine', '?t=a&enginefile=x%2FEnginefile', '?t=a&dockerfile=x/Enginefile'],
    ['engine', '?dockerfile=a&enginefile=b', '?dockerfile=a'],
    ['spec', '?t=a', '?t=a&dockerfile=Enginefile'],
    ['spec', '?t=a&enginefile=b', '?t=a&dockerfile=b'],
    ['spec', '?t=a&dockerfile=Dockerfile', '?t=a&dockerfile=Dockerfile'],
  ])('with the profile %s a build with %s asks the engine for %s', async (profile, asked, expected) => {
    const { socket, engine } = await stage({ onRequest: answer(200, '') }, ['--profile', profile])
    await call(socket, `/v1.22/build${asked}`, { method: 'POST', body: 'tar' })
    const [query = ''] = engine.seen
      .filter((line) => line.includes('/build'))
      .map((line) => decodeURIComponent(line.slice(line.indexOf('?'))))
    expect(new URLSearchParams(query).toString()).toBe(new URLSearchParams(expected).toString())
  })

  it('shows the six members of an image to a client of 1.18 with the profile spec', async () => {
    const image = {
      Id: 'sha256:1',
      Parent: '',
      Created: 't',
      Size: 5,
      Container: '',
      ContainerConfig: null,
      Os: 'linux',
    }
    const { socket } = await stage({ onRequest: answer(200, image) }, SPEC)
    const shown = JSON.parse((await call(socket, '/v1.18/images/a/json')).text)
    expect(Object.keys(shown).sort()).toEqual(['Container', 'ContainerConfig', 'Created', 'Id', 'Parent', 'Size'])
  })
})

describe('versions', () => {
  const stage = stages()

  it('a call without a prefix is of the highest version', async () => {
    const { socket, engine } = await stage({ onRequest: answer(200, { ID: 'x' }) }, SPEC)
    await call(socket, '/info')
    expect(engine.seen).toContain('GET /v1.51/info')
  })
})

describe('cross-origin requests', () => {
  const stage = stages()
  const script = { onRequest: answer(200, { ID: 'x' }) }

  it('get no header where none is configured, or a blank one', async () => {
    for (const flags of [[], ['--api-cors-header', '']]) {
      const { socket } = await stage(script, flags)
      const { headers } = await call(socket, '/v1.22/info', { headers: { Origin: 'http://a.example' } })
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  it.each(['*', 'http://a.example'])(
    'get the configured origin %s on answers, errors and preflights',
    async (origin) => {
      const { socket, engine } = await stage(script, ['--api-cors-header', origin])
      const preflight = {
        method: 'OPTIONS',
        headers: { Origin: 'http://b.example', 'Access-Control-Request-Method': 'PUT' },
      }
      const answers = [
        await call(socket, '/v1.22/info'),
        await call(socket, '/v9.99/info'),
        await call(socket, '/v1.18/containers/create', preflight),
        await call(socket, '/no/such/path', preflight),
      ]
      expect(answers.map(({ status }) => status)).toEqual([200, 400, 200, 200])
      for (const { headers } of answers)
        expect(headers).toMatchObject({
          'access-control-allow-origin': origin,
          'access-control-allow-methods': 'HEAD, GET, POST, DELETE, PUT, OPTIONS',
          'access-control-allow-headers': 'Origin, X-Requested-With, Content-Type, Accept, X-Registry-Auth',
        })
      expect(engine.seen.filter((line) => line.startsWith('OPTIONS'))).toEqual([]) // the bridge answers preflights
    },
  )
})
