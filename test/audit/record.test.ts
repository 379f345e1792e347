import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { readCall } from '../../src/api/read-call.ts'
import type { AuditRecord } from '../../src/audit/audit.ts'
import { namesOf } from '../../src/audit/record/names.ts'
import { lineOf } from '../../src/audit/sink.ts'
import { Headers } from '../../src/http/headers.ts'
import { complaint } from '../support/audit-schema.ts'
import { stages } from '../support/bridge.ts'
import { Authority } from '../support/certificates.ts'
import { call, eventually, RawConnection } from '../support/client.ts'
import { record } from './support.ts'

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const HEAD_101 = 'HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'
const UPGRADE = 'POST /v1.44/containers/x/attach HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'
const json = { 'Content-Type': 'application/json' }

it('a line of the log has the control characters that a client sends as escapes, those above DEL and separators of lines too', () => {
  const path = '/a\u001b[2J\u007f\u009b2J\u0085\u2028\u2029é\ufffd'
  const line = lineOf({ time: '2026-11-21T12:00:00.000000Z', stage: 'complete', path } as unknown as AuditRecord)
  expect(line).not.toMatch(/[^\P{Cc}\n]|\p{Zl}|\p{Zp}/u)
  expect(JSON.parse(line)).toMatchObject({ path })
})

describe('an audit record', () => {
  const stage = stages()
  const isLast = ({ stage: at }: Record<string, unknown>): boolean => at === 'complete' || at === 'failed'

  it('names what was ignored in each of many objects once', async () => {
    const { socket, audit } = await stage({ onRequest: (_req, res) => res.writeHead(201, json).end('{"Id":"x"}') })
    const body = { Image: 'x', HostConfig: { Mounts: Array.from({ length: 3 }, () => ({ Consistency: 'cached' })) } }
    await call(socket, '/v1.26/containers/create', { method: 'POST', headers: json, body: JSON.stringify(body) })
    await eventually(() => audit.some(isLast), 'the last record')
    expect(audit.find(isLast)?.ignored).toEqual(['HostConfig.Mounts[].Consistency'])
  })

  it('says who calls: address, certificate, user agent, and the trace that the call belongs to', async () => {
    const authority = new Authority(join(stage.folder(), 'ca'))
    const bridge = authority.issue('bridge', join(stage.folder(), 'bridge'))
    const alice = authority.issue('alice', join(stage.folder(), 'alice')).pem()
    const tcp = [
      '--listen',
      'tcp://127.0.0.1:0',
      '--tls-cert',
      bridge.cert,
      '--tls-key',
      bridge.key,
      '--tls-ca',
      bridge.ca,
    ]
    const { bridge: running, audit } = await stage({ onRequest: (_req, res) => res.end('{}') }, tcp)
    const address = running.addresses.find(({ kind }) => kind === 'tcp')
    const port = address !== undefined && 'port' in address ? address.port : 0
    const headers = { traceparent: TRACEPARENT, 'User-Agent': 'docker/28' }
    const asked = https.get({ host: '127.0.0.1', port, path: '/v1.51/info', agent: false, headers, ...alice })
    const [answer] = (await once(asked, 'response')) as [http.IncomingMessage]
    answer.resume()
    await eventually(() => audit.some(isLast), 'the last record')
    const fingerprint = expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
    const certificate = { subject: expect.stringContaining('CN=alice'), fingerprint, verified: true }
    const who = { address: '127.0.0.1', port: expect.any(Number), certificate }
    for (const one of audit)
      expect(one).toMatchObject({ peer: who, userAgent: 'docker/28', traceparent: TRACEPARENT, listener: /^tcp:/ })
  })

  it('says what was forwarded, which changes did something, and what the bridge asked for beside it', async () => {
    const onRequest: http.RequestListener = (req, res) => {
      req.resume()
      res.writeHead(req.method === 'POST' ? 201 : 200, json).end('{"Id":"abc","Warnings":null}')
    }
    const { socket, audit } = await stage({ onRequest }, ['--audit-level', 'requestResponse'])
    const body = '{"Image":"busybox","Cmd":"true","Hostname":""}'
    await call(socket, '/v1.18/containers/create?name=web', { method: 'POST', body })
    await eventually(() => audit.some(isLast), 'the last record')
    const last = audit.find(isLast)
    expect(last).toMatchObject({
      container: 'web',
      clientVersion: '1.18',
      targetVersion: '1.44',
      query: '?name=web',
      forwarded: { method: 'POST', path: '/v1.44/containers/create?name=web' },
      furtherCalls: [{ method: 'GET', path: '/v1.44/info' }],
      bytesIn: body.length,
    })
    const { changes, applied } = last as { changes: string[]; applied: { request: string[]; response?: string[] } }
    expect(applied.request.length).toBeGreaterThan(0)
    expect(applied.request.length).toBeLessThan(changes.length / 2)
    expect(changes).toEqual(expect.arrayContaining(applied.request))
  })

  it('says which file the call asks for that stands for a copy, with its secrets taken out', async () => {
    const { socket, audit } = await stage({ onRequest: (_req, res) => res.writeHead(404, json).end('{"message":"x"}') })
    const body = '{"Resource":"/etc/shadow?password=hunter2"}'
    await call(socket, '/v1.18/containers/web/copy', { method: 'POST', headers: json, body })
    await eventually(() => audit.some(isLast), 'the last record')
    const path = '/v1.44/containers/web/archive?path=%2Fetc%2Fshadow%3Fpassword%3D%5Bredacted%5D'
    expect(audit.find(isLast)).toMatchObject({ operation: 'ContainerCopy', furtherCalls: [{ method: 'HEAD', path }] })
  })

  it('names no change as applied where a message already is what its reader expects', async () => {
    const { socket, audit } = await stage({ onRequest: (_req, res) => res.writeHead(200, json).end('[]') }, [
      '--audit-level',
      'requestResponse',
    ])
    await call(socket, '/v1.18/containers/json')
    await eventually(() => audit.some(isLast), 'the last record')
    expect(audit.find(isLast)).toMatchObject({ changes: expect.any(Array) })
    expect(audit.find(isLast)?.applied).toBeUndefined()
  })

  it('splits the time between engine and bridge', async () => {
    const { socket, audit } = await stage({
      onRequest: async (_req, res) => {
        await sleep(200)
        res.write('{')
        await sleep(400) // more than is expected: a busy machine sees the first half late
        res.end('}')
      },
    })
    await call(socket, '/v1.51/info')
    await eventually(() => audit.some(isLast), 'the last record')
    const { duration } = audit.find(isLast) as { duration: { total: number; engine: number; bridge: number } }
    expect(duration.engine).toBeGreaterThan(195)
    expect(duration.total).toBeGreaterThan(duration.engine + duration.bridge + 195)
    const times = audit.map(({ time }) => String(time))
    expect(times).toEqual(times.toSorted())
    expect(Math.abs(Date.parse(times[0] ?? '') - Date.now())).toBeLessThan(60_000)
  })

  it('counts the bytes of an upload, also where no length announces them', async () => {
    const { socket, audit } = await stage({ onRequest: (req, res) => void req.resume().on('end', () => res.end('{}')) })
    const asked = http.request({ socketPath: socket, path: '/v1.51/images/load', method: 'POST', agent: false })
    for (let i = 0; i < 20; i++) asked.write('x'.repeat(50_000))
    asked.end()
    const [answer] = (await once(asked, 'response')) as [http.IncomingMessage]
    answer.resume()
    await eventually(() => audit.some(isLast), 'the last record')
    expect(audit.find(isLast)).toMatchObject({ bytesIn: 1_000_000, bytesOut: 2 })
  })

  it.each([
    ['engine', 'ends its side', (_client: RawConnection, engine: Duplex) => engine.end()],
    [
      'engine',
      'ends after the client has ended its side',
      (client: RawConnection, engine: Duplex) => {
        client.socket.end()
        engine.once('end', () => engine.end())
      },
    ],
    ['engine', 'vanishes', (_client: RawConnection, engine: Duplex) => engine.destroy()],
    [
      'client',
      'vanishes and the engine goes on',
      (client: RawConnection, engine: Duplex) => {
        client.socket.destroy()
        const goesOn = setInterval(() => engine.write('more'), 10)
        engine.on('error', () => engine.destroy()).once('close', () => clearInterval(goesOn))
      },
    ],
  ] as const)('says that the %s ended a tunnel when it %s', async (who, _how, end) => {
    const opened = Promise.withResolvers<Duplex>()
    const onUpgrade = (_req: unknown, duplex: Duplex): void => {
      duplex.write(HEAD_101)
      duplex.resume()
      opened.resolve(duplex)
    }
    const { socket, audit } = await stage({ onUpgrade })
    const client = new RawConnection(socket)
    client.send(UPGRADE)
    await client.until((text) => text.endsWith('\r\n\r\n'))
    end(client, await opened.promise)
    if (who === 'engine') {
      await client.untilEnd()
      client.finish()
    }
    await eventually(() => audit.some(isLast), 'the last record')
    expect(audit.find(isLast)).toMatchObject({ stage: 'complete', endedBy: who })
    expect(audit.map(({ stage: at }) => at)).toEqual(['received', 'answered', 'complete'])
  })

  it.each([
    ['GET', '/containers/web/json', { container: 'web' }],
    ['POST', '/containers/create?name=web', { container: 'web' }],
    ['DELETE', '/images/registry.example/team/app:1', { image: 'registry.example/team/app:1' }],
    ['POST', '/images/create?fromImage=busybox&tag=1', { image: 'busybox:1' }],
    ['POST', '/images/create?fromImage=busybox&tag=sha256:ab', { image: 'busybox@sha256:ab' }],
    ['POST', '/commit?container=web&repo=app&tag=2', { container: 'web', image: 'app:2' }],
    ['POST', '/exec/abc/start', { exec: 'abc' }],
    ['GET', '/networks/n', { network: 'n' }],
    ['DELETE', '/volumes/v', { volume: 'v' }],
    ['POST', '/plugins/pull?remote=https://u:secret@example/p', { plugin: 'https://[redacted]@example/p' }],
    ['GET', '/info', {}],
    ['GET', '/nowhere/x', {}],
    ['POST', '/containers/create?name=web&name=web&x=1&x=2', { container: 'web' }],
    ['POST', '/containers/create?name=/web', { container: 'web' }], // the engine drops the slash
    ['POST', '/commit?container=/web', { container: 'web' }],
    ['POST', '/images/create?fromImage=&repo=app', { image: 'app' }],
    ['POST', '/plugins/pull?name=&remote=p', { plugin: 'p' }],
  ])('names what %s %s names', (method, path, names) => {
    expect(namesOf(readCall(method, `/v1.51${path}`), new Headers())).toEqual(names)
  })

  it.each([
    '/containers/create?name=test&name=web', // Docker makes `test`, Podman `web`
    '/containers/create?name=test&Name=web',
    '/containers/create?Name=web',
    '/containers/create?x;name=web&name=test',
    '/containers/create?name=test-%zz',
    '/build?t=test&t=web',
  ])('has no name where engines could read another: %s', (path) => {
    expect(namesOf(readCall('POST', `/v1.51${path}`), new Headers())).toBeUndefined()
  })

  it.each([
    ['application/x-www-form-urlencoded', 'fromImage=prod', ['request']],
    [
      'Multipart/Form-Data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="repo"\r\n\r\nprod\r\n--x--',
      ['request'],
    ],
    ['application/x-www-form-urlencoded', '', []],
  ])(
    'with a body of %s, %j, which could name another image, fits rules on names that record, and no others',
    async (type, body, levels) => {
      const policy = join(stage.folder(), 'names.yaml')
      writeFileSync(policy, 'rules: [{ level: none, names: [test-*] }, { level: request, names: [prod] }]')
      const { socket, audit } = await stage({ onRequest: (_req, res) => res.end('{}') }, ['--audit-policy', policy])
      const headers = { 'Content-Type': type }
      await call(socket, '/v1.51/images/create?fromImage=test-a', { method: 'POST', headers, body })
      await call(socket, '/v1.51/_ping')
      await eventually(
        () => audit.some(({ operation, stage: at }) => operation === 'SystemPing' && at === 'complete'),
        'the last record',
      )
      const pulls = audit.filter((record) => record.operation === 'ImageCreate' && isLast(record))
      expect(pulls.map(({ level, image }) => [level, image])).toEqual(levels.map((level) => [level, undefined]))
    },
  )

  it.each([
    ['a member that the schema does not have', { surprise: 1 }],
    ['a time without microseconds', { time: '2026-11-21T12:00:00Z' }],
    ['a stage that there is not', { stage: 'begun' }],
    ['another version', { schema: 1 }],
  ])('with %s is not valid by the published schema', (_what, more) => {
    const { n: _n, ...valid } = { ...record(1), auditId: '4bf92f35-77b3-4da6-a3ce-929d0e0e4736', n: 0 }
    expect(complaint(valid)).toBeUndefined()
    expect(complaint({ ...valid, ...more })).toBeDefined()
  })
})
