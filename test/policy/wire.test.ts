import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, RawConnection } from '../support/client.ts'
import { DockerLike } from '../support/docker-like.ts'
import { engine28 } from '../support/scripted-engine.ts'

const count = { tried: 0, held: 0 }
afterAll(() => process.stdout.write(`policy on paths: ${count.tried} requests tried, ${count.held} held\n`))

const answer = { onRequest: (_req: unknown, res: { end(text: string): void }) => res.end('{}') }

/** Allows only lists of containers and pings: every other path that passes is a way around the policy. */
const NARROW = 'rules:\n  allow: [ContainerList, SystemPing]\n'

describe('a path that is not allowed', () => {
  const stage = stages()
  const start = (policy: string, flags: readonly string[] = []): ReturnType<typeof stage> => {
    const file = join(stage.folder(), 'policy.yaml')
    writeFileSync(file, policy)
    return stage(answer, ['--policy', file, ...flags])
  }

  const forbidden = [
    ...['/v1.51/info', '/info', '/v1.51/info?x=/containers/json', '/v1.51/info#/containers/json', '//info'],
    ...['/v1.51//info', '/v1.51/./info', '/v1.51/containers/../info', '/v1.51/containers/json/../../info'],
    ...['/v1.51/containers/%2e%2e/info', '/v1.51/containers/%2E%2E/info', '/v1.51/containers/..%2finfo'],
    ...['/v1.51/%69nfo', '/v1.51/containers%2f..%2finfo', '/v1.51/containers/%252e%252e/info', '/%76%31.51/info'],
    ...['/v1.51/v1.51/info', '/v1.51/v1.51/containers/json', '/v1.51/v1.44/info', '/containers/json/v1.51/info'],
    ...['/v1.51/Info', '/V1.51/info', '/v1.51/info/', '/v1.51/info%00', '/v1.51/info%0a', '/v1.51/info%20'],
    ...['/v1.51/containers/json/', '/v1.51/containers/json%00', '/v1.51/containers/json%3f/../../info'],
    ...['/v1.51\\info', '/v1.51/containers\\..\\info', '/v1.51/containers/json;/info', '/v1.51/;/info'],
    ...['/libpod/info', '/v1.51/libpod/info', '/v5.0.0/libpod/containers/json', '/v1.51/debug/pprof', '/metrics'],
    ...['http://docker/v1.51/info', 'http://docker/containers/json/../../v1.51/info', 'unix://x/info'],
    ...['/v1.51/containers/x/json', '/v1.51/containers/json/json', '/v1.51/images/json', '/v1.51/grpc'],
  ]
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'QUERY']

  it('does not reach the engine under any spelling or method, also by an upgrade', async () => {
    const { socket, engine } = await start(NARROW)
    const wrong: string[] = []
    const cases = [
      ...forbidden.flatMap((path) => ['GET', 'POST'].map((method) => ({ method, path, upgrade: '' }))),
      ...methods.map((method) => ({ method, path: '/v1.51/info', upgrade: '' })),
      ...methods
        .filter((method) => method !== 'GET')
        .map((method) => ({ method, path: '/v1.51/containers/json', upgrade: '' })),
      ...['tcp', 'websocket', 'h2c', 'TCP'].flatMap((upgrade) =>
        ['/v1.51/info', '/v1.51/session', '/grpc', '/v1.51/containers/x/attach', '/v1.51/exec/x/start'].map((path) => ({
          method: 'POST',
          path,
          upgrade: `Connection: Upgrade\r\nUpgrade: ${upgrade}\r\n`,
        })),
      ),
      { method: 'POST', path: '/v1.51/containers/x/attach', upgrade: '' }, // a hijack without asking
      { method: 'POST', path: '/v5.4.2/libpod/exec/x/start', upgrade: '' }, // Podman's own, also without asking
      {
        method: 'GET',
        path: '/v1.51/containers/x/attach/ws',
        upgrade: 'Connection: Upgrade\r\nUpgrade: websocket\r\n',
      },
    ]
    for (const { method, path, upgrade } of cases) {
      count.tried++
      const raw = new RawConnection(socket)
      raw.send(
        `${method} ${path} HTTP/1.1\r\nHost: d\r\nContent-Length: 0\r\n${upgrade || 'Connection: close\r\n'}\r\n`,
      )
      const text = await raw.until((got) => /^HTTP\/1\.1 \d/.test(got) || got.includes('400'), 10_000).catch(String)
      raw.socket.destroy()
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])
      if (engine.seen.length === 0 && [301, 400, 403, 404, 501].includes(status)) count.held++
      else wrong.push(`${method} ${path} ${upgrade.trim()}: ${status}, the engine saw ${engine.seen.splice(0)}`)
    }
    expect(wrong).toEqual([])
    expect((await call(socket, '/v1.51/containers/json')).status).toBe(200)
  }, 60_000)

  it('is refused behind an allowed request on the same connection', async () => {
    const { socket, engine } = await start(NARROW)
    const raw = new RawConnection(socket)
    raw.send('GET /v1.51/containers/json HTTP/1.1\r\nHost: d\r\n\r\nGET /v1.51/info HTTP/1.1\r\nHost: d\r\n\r\n')
    await raw.until((text) => text.includes('403'))
    expect(engine.seen).toEqual(['GET /v1.51/containers/json'])
    raw.socket.destroy()
  })

  it('gets 403 in the form of the client, with the rule in the answer and in the audit record', async () => {
    const { socket, audit } = await start('rules:\n  sections: {CONTAINERS: 1}\n')
    const json = await call(socket, '/v1.44/containers/x/start', { method: 'POST' })
    expect([json.status, json.headers['enginebridge-error'], JSON.parse(json.text).message]).toEqual([
      403,
      'forbidden',
      'policy: ContainerStart (POST /containers/x/start) is not allowed (rule POST=0)',
    ])
    expect(audit.at(-1)?.['policy']).toMatchObject({ decision: 'denied', rule: 'POST=0' })
    const text = await call(socket, '/v1.20/containers/x/stop', { method: 'POST' })
    expect([text.status, text.headers['content-type'], text.text]).toEqual([
      403,
      'text/plain; charset=utf-8',
      'policy: ContainerStop (POST /containers/x/stop) is not allowed (rule POST=0)\n',
    ])
  })
})

describe('a policy', () => {
  const stage = stages()
  const policy = (text: string): string => {
    const file = join(stage.folder(), 'policy.yaml')
    writeFileSync(file, text)
    return file
  }

  it('differs from listener to listener', async () => {
    const other = `unix://${join(stage.folder(), 'other.sock')}`
    const text = `rules:\n  preset: read-only\nlisteners:\n  ${other}:\n    preset: all\n`
    const { socket } = await stage(answer, ['--listen', other, '--policy', policy(text)])
    const start = (at: string): Promise<number> =>
      call(at, '/v1.51/containers/x/start', { method: 'POST' }).then(({ status }) => status)
    expect([await start(socket), await start(other.slice('unix://'.length))]).toEqual([403, 200])
  })

  it('that names an unknown listener does not start', async () => {
    const text = 'listeners:\n  unix:///nowhere.sock:\n    preset: all\n'
    await expect(stage(answer, ['--policy', policy(text)])).rejects.toThrow(/unix:\/\/\/nowhere\.sock/)
  })

  it('in observe mode refuses nothing and records what it would have refused', async () => {
    const { socket, audit } = await stage(answer, ['--policy', 'read-only', '--policy-mode', 'observe'])
    expect((await call(socket, '/v1.51/containers/x/start', { method: 'POST' })).status).toBe(200)
    expect(audit.at(-1)?.['policy']).toMatchObject({ decision: 'observed', rule: 'not listed' })
    expect((await call(socket, '/v1.51/containers/json')).status).toBe(200)
    expect(audit.at(-1)?.['policy']).toMatchObject({ decision: 'allowed', rule: 'preset read-only' })
  })

  it('is read again on request, and a broken file leaves the rules as they were', async () => {
    const file = policy('rules:\n  preset: all\n')
    const { socket, bridge } = await stage(answer, ['--policy', file])
    const start = (): Promise<number> =>
      call(socket, '/v1.51/containers/x/start', { method: 'POST' }).then(({ status }) => status)
    writeFileSync(file, 'rules: [')
    await bridge.reload()
    expect(await start()).toBe(200)
    writeFileSync(file, 'rules:\n  preset: read-only\n')
    await bridge.reload()
    expect(await start()).toBe(403)
  })

  it('judges what the engine sees after translation, not what the client said', async () => {
    // 1.18's /copy becomes GET archive on today's engines: the rule for archives decides, with the path in the body.
    const text = 'rules:\n  allow: [ContainerArchive, ContainerArchiveInfo]\n  bodies: {container-paths: [/data]}\n'
    const { socket, engine } = await stage(answer, ['--policy', policy(text)])
    const copy = (Resource: string): ReturnType<typeof call> =>
      call(socket, '/v1.18/containers/x/copy', { method: 'POST', body: JSON.stringify({ Resource }) })
    const refused = await copy('/etc/shadow')
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('rule bodies.container-paths')])
    expect(engine.seen).toEqual([])
    await copy('/data/a')
    expect(engine.seen.some((line) => line.includes('archive?path=%2Fdata%2Fa'))).toBe(true)
  })

  it('judges the path in the body of a copy where the engine has no archive', async () => {
    const text = 'rules:\n  allow: [ContainerCopy]\n  bodies: {container-paths: [/data]}\n'
    const version = { ApiVersion: '1.18', Version: '1.6.2' }
    const { socket, engine } = await stage({ ...answer, version }, ['--policy', policy(text)])
    for (const [body, status] of [
      ['{"Resource":"data/a"}', 200],
      ['{"Resource":"/data/../etc/shadow"}', 403],
      ['{"Resource":"/data/a","resource":"/etc/shadow"}', 403],
      ['{"Resource":["/data/a"]}', 403],
    ] as const)
      expect((await call(socket, '/v1.18/containers/x/copy', { method: 'POST', body })).status).toBe(status)
    expect(engine.seen.filter((line) => line.startsWith('POST'))).toEqual(['POST /v1.18/containers/x/copy'])
  })

  it('judges members in other letters also where a step has rewritten the body', async () => {
    const { socket, engine } = await stage(answer, ['--policy', 'ci'])
    for (const version of ['1.18', '1.24', '1.44', '1.51']) {
      const body = '{"Image":"a","hostCONFIG":{"privileged":false,"PRIVILEGED":true}}'
      const reply = await call(socket, `/v${version}/containers/create`, { method: 'POST', body })
      expect([version, reply.status]).toEqual([version, 403])
    }
    // The bridge's own calls to its engine are not the client's.
    expect(engine.seen.filter((line) => !line.endsWith('/info'))).toEqual([])
  })

  it('judges the calls that an emulation makes', async () => {
    const list = JSON.stringify([{ Id: 'sha256:1', RepoTags: ['a'], Created: 1, Size: 1, Labels: null }])
    const script = {
      version: { ...engine28, MinAPIVersion: '1.44' },
      onRequest: (
        req: { url?: string | undefined },
        res: { end(text: string): void; setHeader(n: string, v: string): void },
      ) => {
        res.setHeader('Content-Type', 'application/json')
        res.end(req.url?.includes('/images/json') === true ? list : '{"Id":"sha256:1","Config":{}}')
      },
    }
    const { socket, engine } = await stage(script, ['--policy', policy('rules:\n  allow: [ContainerStart]\n')])
    // A start with a body inspects the container first, which is not allowed here.
    const reply = await call(socket, '/v1.20/containers/x/start', { method: 'POST', body: '{"Binds":["/etc:/x"]}' })
    expect([reply.status, reply.text]).toEqual([
      403,
      expect.stringMatching(/the bridge needs a further call for this one: ContainerInspect/),
    ])
    expect(engine.seen).toEqual([])
  })

  it.each([
    {
      ...{ what: 'container with a second network', engine: ['1.41', '20.10.24'], client: '1.51' },
      ...{ path: '/containers/create', body: { NetworkingConfig: { EndpointsConfig: { a: {}, b: {} } } } },
      denied: 'NetworkConnect',
    },
    {
      ...{ what: 'image with a second tag', engine: ['1.21', '1.9.1'], client: '1.22' },
      ...{ path: '/build?t=a&t=b', body: undefined },
      denied: 'ImageTag',
    },
  ] as const)(
    'makes no $what where the policy denies $denied, a further call of the bridge',
    async ({ engine: [ApiVersion, Version], client, path, body, denied }) => {
      const script = { ...answer, version: { ...engine28, ApiVersion, Version, MinAPIVersion: '1.12' } }
      const rules = policy(`rules:\n  preset: all\n  deny: [${denied}]\n`)
      const { socket, engine } = await stage(script, ['--policy', rules, '--announce-api', '1.51'])
      const said = body === undefined ? {} : { body: JSON.stringify(body) }
      const reply = await call(socket, `/v${client}${path}`, { method: 'POST', ...said })
      expect([reply.status, reply.text]).toEqual([403, expect.stringContaining(`(rule deny ${denied})`)])
      expect(engine.seen.filter((line) => line.startsWith('POST'))).toEqual([])
    },
  )

  it('lets a container be made again where its rules on bodies allow what it gets', async () => {
    const engine = new DockerLike()
    const text = 'rules:\n  preset: all\n  bodies: {base: strict, host-mounts: [/usr]}\n'
    const { socket } = await stage(engine.script, ['--policy', policy(text)])
    const body = JSON.stringify({ Image: 'busybox', Cmd: ['true'] })
    const made = await call(socket, '/v1.22/containers/create?name=web', { method: 'POST', body })
    const { Id: id } = JSON.parse(made.text)
    const binds = JSON.stringify({ Binds: ['/usr:/mnt'] })
    const reply = await call(socket, `/v1.22/containers/${id}/start`, { method: 'POST', body: binds })
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect(engine.held).toMatchObject([{ Name: '/web', running: true }])
  })

  it.each([
    ['rules:\n  preset: all\n  bodies: strict\n', 'bodies.host-mounts'],
    ['rules:\n  preset: all\n  deny: [ContainerDelete]\n', 'deny ContainerDelete'],
    ['rules:\n  preset: all\n  deny: [ContainerRename]\n', 'deny ContainerRename'],
  ])('stops a container from being made again before anything is done to it: %j', async (text, rule) => {
    const engine = new DockerLike()
    const { socket } = await stage(engine.script, ['--policy', policy(text)])
    const body = JSON.stringify({ Image: 'busybox', Cmd: ['true'] })
    const made = await call(socket, '/v1.22/containers/create?name=web', { method: 'POST', body })
    const { Id: id } = JSON.parse(made.text)
    engine.seen.length = 0
    const binds = JSON.stringify({ Binds: ['/usr:/mnt'] })
    const reply = await call(socket, `/v1.22/containers/${id}/start`, { method: 'POST', body: binds })
    expect([reply.status, reply.text]).toEqual([403, expect.stringContaining(`(rule ${rule})`)])
    expect(engine.seen.filter((step) => !step.startsWith('GET'))).toEqual([])
    expect(engine.held).toMatchObject([{ Id: id, Name: '/web', running: false }])
  })
})
