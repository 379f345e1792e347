import http from 'node:http'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { formatVersion, NEWEST } from '../../src/api/version.ts'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { engine28, scriptedEngine } from '../support/scripted-engine.ts'

describe('engine discovery', () => {
  const stage = stages()

  it('answers 503 in the client’s form until the engine is there, then serves', async () => {
    const socket = join(stage.folder(), 'late.sock')
    const bridge = await stage.bridge(socket)
    const old = await call(bridge.socket, '/v1.18/containers/json')
    expect(old).toMatchObject({
      status: 503,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'enginebridge-error': 'engine-unknown' },
    })
    expect(await call(bridge.socket, '/containers/json')).toMatchObject({
      status: 503,
      headers: { 'content-type': 'application/json' },
    })
    const engine = await scriptedEngine(socket, { onRequest: (_req, res) => res.end('OK') })
    expect((await call(bridge.socket, '/v1.18/_ping')).text).toBe('OK')
    await engine.close()
  })

  it('says in the engine’s words why it tells no version', async () => {
    const socket = join(stage.folder(), 'starting.sock')
    const engine = http.createServer((_req, res) => res.writeHead(503).end('the daemon is starting\n')).listen(socket)
    const bridge = await stage.bridge(socket)
    const { status, text } = await call(bridge.socket, '/v1.18/info')
    expect(status).toBe(503)
    expect(text).toContain('GET /version returned 503 without a version: the daemon is starting')
    engine.close()
  })

  it('notices an engine that restarts with another version', async () => {
    const socket = join(stage.folder(), 'upgraded.sock')
    const first = await scriptedEngine(socket, { onRequest: (_req, res) => res.end('OK') })
    const bridge = await stage.bridge(socket)
    await call(bridge.socket, '/v1.18/_ping')
    expect(first.seen).toEqual(['GET /v1.44/_ping'])
    await first.close()
    const second = await scriptedEngine(socket, {
      version: { ...engine28, ApiVersion: '1.45', MinAPIVersion: '1.24', Version: '26.1.5' },
      onRequest: (_req, res) => res.end('OK'),
    })
    await call(bridge.socket, '/v1.18/_ping')
    expect(second.seen).toEqual(['GET /v1.24/_ping'])
    await second.close()
  })

  it('speaks exactly the ApiVersion of an engine that reports no minimum', async () => {
    const { socket, engine } = await stage({
      version: { ApiVersion: '1.22', Version: '1.10.3' },
      onRequest: (_req, res) => res.end('OK'),
    })
    await call(socket, '/v1.19/_ping')
    await call(socket, '/_ping')
    expect(engine.seen).toEqual(['GET /v1.22/_ping', 'GET /v1.22/_ping'])
  })

  it('speaks the version that --engine-api names, or the nearest in its range', async () => {
    const script = {
      version: { ...engine28, MinAPIVersion: '1.24' },
      onRequest: (_req: unknown, res: import('node:http').ServerResponse) => res.end('OK'),
    }
    const pinned = await stage(script, ['--engine-api', '1.41'])
    await call(pinned.socket, '/v1.18/_ping')
    const ranged = await stage(script, ['--engine-api', '>=1.30 <1.40'])
    await call(ranged.socket, '/v1.18/_ping')
    await call(ranged.socket, '/v1.51/_ping')
    expect([pinned.engine.seen, ranged.engine.seen]).toEqual([
      ['GET /v1.41/_ping'],
      ['GET /v1.30/_ping', 'GET /v1.39/_ping'],
    ])
  })
})

describe('versions', () => {
  const stage = stages()
  const ok = { onRequest: (_req: unknown, res: import('node:http').ServerResponse) => res.end('OK') }

  it.each([
    [
      '/v1.11/info',
      400,
      'client version 1.11 is too old. Minimum supported API version is 1.12, please upgrade your client to a newer version\n',
      'text/plain; charset=utf-8',
    ],
    [
      '/v1/info',
      400,
      'client version 1 is too old. Minimum supported API version is 1.12, please upgrade your client to a newer version\n',
      'text/plain; charset=utf-8',
    ],
    [
      '/v1.52/info',
      400,
      '{"message":"client version 1.52 is too new. Maximum supported API version is 1.51"}\n',
      'application/json',
    ],
    [
      '/v1.51.1/info',
      400,
      '{"message":"client version 1.51.1 is too new. Maximum supported API version is 1.51"}\n',
      'application/json',
    ],
    [
      '/v2.0/info',
      400,
      '{"message":"client version 2.0 is too new. Maximum supported API version is 1.51"}\n',
      'application/json',
    ],
    ['/v1.99/nosuch', 404, '{"message":"page not found"}\n', 'application/json'],
    ['/v1.2/nosuch', 404, 'page not found\n', 'text/plain; charset=utf-8'],
  ])('answers %s as a real engine does', async (path, status, text, type) => {
    const { socket, engine } = await stage(ok)
    expect(await call(socket, path)).toMatchObject({ status, text, headers: { 'content-type': type } })
    expect(engine.seen).toEqual([])
  })

  it.each([
    '/v1.18.1/_ping',
    '/v01.18/_ping',
    '/v1.18./_ping',
    '/v1.018/_ping',
    '/v1%2e18/_ping',
    'http://docker/v1.18/_ping',
  ])('takes %s for version 1.18', async (path) => {
    const { socket, engine } = await stage(ok)
    await call(socket, path)
    expect(engine.seen).toEqual(['GET /v1.44/_ping'])
  })

  it.each([
    ['//version', '/version'],
    ['/v1.20//info?a=1', '/v1.20/info?a=1'],
    ['/v1.20/../info', '/info'],
    ['/v1.20/%2e%2e/info', '/info'],
  ])('redirects %s to the clean path', async (path, location) => {
    const { socket } = await stage(ok)
    expect(await call(socket, path)).toMatchObject({ status: 301, headers: { location } })
  })

  it('tells negotiating clients its own range', async () => {
    const { socket } = await stage(
      {
        onRequest: (_req, res) => {
          res.setHeader('Api-Version', '1.51')
          res.setHeader('Content-Type', 'application/json')
          res.end(
            JSON.stringify({
              ...engine28,
              Components: [{ Name: 'Engine', Details: { ApiVersion: '1.51', MinAPIVersion: '1.44' } }],
            }),
          )
        },
      },
      ['--announce-api', '1.52'],
    )
    const version = await call(socket, '/v1.52/version')
    expect(JSON.parse(version.text)).toMatchObject({
      ApiVersion: '1.52',
      MinAPIVersion: '1.12',
      Components: [{ Details: { ApiVersion: '1.52', MinAPIVersion: '1.12' } }],
    })
    expect(version.headers['api-version']).toBe('1.52')
    expect((await call(socket, '/_ping')).headers['api-version']).toBe('1.52')
  })

  it('serves a client of a version newer than the newest rules as of the newest, with a warning', async () => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
    const { socket, engine } = await stage(ok, ['--announce-api', '1.99'], { log })
    expect((await call(socket, '/v1.99/_ping')).text).toBe('OK')
    expect(engine.seen).toEqual(['GET /v1.51/_ping'])
    expect(lines.join()).toContain(`--announce-api 1.99: the rules end with ${formatVersion(NEWEST)}`)
  })

  it('offers no version between two that no rules know: above the newest rules, the engine’s own', async () => {
    const version = { ...engine28, ApiVersion: '1.98' }
    const { socket } = await stage({ ...ok, version }, ['--announce-api', '1.99'])
    const refused = await call(socket, '/v1.99/_ping')
    expect([refused.status, refused.text, refused.headers['api-version']]).toEqual([
      400,
      expect.stringContaining('client version 1.99 is too new. Maximum supported API version is 1.98'),
      '1.98',
    ])
    expect((await call(socket, '/v1.98/_ping')).text).toBe('OK')
  })
})
