import { describe, expect, it } from 'vitest'
import { operationNamed, operationNames } from '../../src/api/operations.ts'
import { BadConfig } from '../../src/config/bad-config.ts'
import { environmentPolicy } from '../../src/policy/file/environment.ts'
import { presets } from '../../src/policy/file/presets.ts'
import { parsePolicy, readPolicy } from '../../src/policy/file/read-policy.ts'
import { CompiledRules } from '../../src/policy/file/ruleset.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'

const by = async (
  variables: Record<string, string>,
): Promise<(method: string, path: string, body?: Buffer) => boolean> => {
  const rules = new CompiledRules((await readPolicy(environmentPolicy(variables))).rules ?? {})
  return (method, path, body) => rules.judge({ method, path, contentType: undefined, body }).allowed
}

describe('the variables of other socket proxies', () => {
  it('let events, ping and version through by themselves, and nothing else', async () => {
    const may = await by({})
    for (const path of ['/v1.44/events', '/_ping', '/v1.44/version']) expect(may('GET', path)).toBe(true)
    expect(may('HEAD', '/_ping')).toBe(true)
    for (const path of ['/v1.44/containers/json', '/info', '/images/json']) expect(may('GET', path)).toBe(false)
  })

  it('open a section for reading, and with POST=1 for writing', async () => {
    const reading = await by({ CONTAINERS: '1' })
    expect(reading('GET', '/v1.44/containers/json')).toBe(true)
    expect(reading('POST', '/v1.44/containers/x/start')).toBe(false)
    expect(reading('DELETE', '/v1.44/containers/x')).toBe(false)
    expect(reading('GET', '/v1.44/images/json')).toBe(false)
    const writing = await by({ CONTAINERS: '1', POST: '1' })
    expect(writing('POST', '/v1.44/containers/x/start')).toBe(true)
    expect(writing('DELETE', '/v1.44/containers/x')).toBe(true)
    expect(writing('POST', '/v1.44/images/create?fromImage=a')).toBe(false)
  })

  it('open single deeds without their section', async () => {
    const may = await by({ ALLOW_START: '1', POST: '0' })
    expect(may('POST', '/v1.44/containers/x/start')).toBe(true)
    expect(may('POST', '/v1.44/containers/x/stop')).toBe(false)
    expect(may('GET', '/v1.44/containers/json')).toBe(false)
    const restarts = await by({ ALLOW_RESTARTS: '1' })
    for (const deed of ['stop', 'restart', 'kill']) expect(restarts('POST', `/v1.44/containers/x/${deed}`)).toBe(true)
    expect(restarts('POST', '/v1.44/containers/x/start')).toBe(false)
  })

  it('close single deeds within their section', async () => {
    const may = await by({ CONTAINERS: '1', POST: '1', ALLOW_EXEC: '0', ALLOW_LOGS: '0' })
    expect(may('POST', '/v1.44/containers/x/exec')).toBe(false)
    expect(may('GET', '/v1.44/containers/x/logs')).toBe(false)
    expect(may('POST', '/v1.44/containers/x/kill')).toBe(true)
  })

  it('take DELETE and PUT with POST, unless they are said', async () => {
    const may = await by({ CONTAINERS: '1', POST: '1', DELETE: '0' })
    expect(may('DELETE', '/v1.44/containers/x')).toBe(false)
    expect(may('PUT', '/v1.44/containers/x/archive?path=/')).toBe(true)
  })

  it('take the input of a process for writing, although it is a GET', async () => {
    expect((await by({ CONTAINERS: '1' }))('GET', '/v1.44/containers/x/attach/ws')).toBe(false)
  })

  it('understand patterns for paths, whole paths only', async () => {
    const may = await by({ SP_ALLOW_GET: '/v1\\..{1,2}/(version|containers/.*|events.*)', SP_ALLOW_HEAD: '/_ping' })
    expect(may('GET', '/v1.44/containers/json')).toBe(true)
    expect(may('GET', '/v1.44/version')).toBe(true)
    expect(may('HEAD', '/_ping')).toBe(true)
    expect(may('GET', '/v1.44/images/json')).toBe(false)
    expect(may('POST', '/v1.44/containers/x/start')).toBe(false)
    expect(may('GET', '/_ping')).toBe(false)
  })

  it('let containers mount the listed folders of the host, and volumes', async () => {
    const may = await by({ SP_ALLOW_POST: '/.*', SP_ALLOWBINDMOUNTFROM: '/data, /srv/log' })
    const mounts = (bind: string): boolean =>
      may('POST', '/v1.44/containers/create', Buffer.from(JSON.stringify({ HostConfig: { Binds: [bind] } })))
    expect(['/data/a:/a', '/srv/log:/a:ro', 'volume:/a'].map(mounts)).toEqual([true, true, true])
    expect(['/srv:/a', '/data2:/a', '/data/../etc:/a'].map(mounts)).toEqual([false, false, false])
  })

  it.each([
    [{ CONTAINERS: 'maybe' }, /neither 0 nor 1/],
    [{ ALLOW_NOTHING: '1', CONTAINERS: '1' }, /is not a section/],
    [{ SP_ALLOW_GET: '(' }, /invalid path pattern/],
    [{ SP_ALLOWFROM: '10.0.0.0/8' }, /SP_ALLOWFROM is not understood/],
  ])('refuse to mean nothing: %o', async (variables, message) => {
    const cause = await by(variables as Record<string, string>).catch((error: unknown) => error)
    expect(cause).toBeInstanceOf(BadConfig) // ends the program with 2
    expect(String(cause)).toMatch(message)
  })

  it('are heard when this program is put in the place of another, unless the policy is off', () => {
    expect(readConfig([], { CONTAINERS: '1', POST: '0' }).policy).toBe('env:{"CONTAINERS":"1","POST":"0"}')
    expect(readConfig([], { BUILD: '1', VERSION: '2' }).policy).toBeUndefined()
    // Without CONTAINERS and POST, as for Traefik on a swarm: nothing that was closed may be open.
    expect(readConfig([], { NETWORKS: '1', SERVICES: '1' }).policy).toBe('env:{"NETWORKS":"1","SERVICES":"1"}')
    expect(readConfig([], { SP_ALLOWFROM: '10.0.0.0/8' }).policy).toBe('env:{"SP_ALLOWFROM":"10.0.0.0/8"}')
    expect(readConfig([], { SP_LISTENIP: '0.0.0.0' }).policy).toBe('env:{}')
    expect(readConfig([], { VOLUMES: '/data', SERVICES: 'web,db' }).policy).toBeUndefined()
    expect(readConfig(['--policy', 'off'], { CONTAINERS: '1' }).policy).toBe('off')
    expect(readConfig(['--policy', 'env'], { INFO: '1' }).policy).toBe('env:{"INFO":"1"}')
  })
})

describe('presets', () => {
  const reads = (name: string): boolean => ['GET', 'HEAD'].includes(operationNamed(name as never).method)

  it('read-only lets nothing be changed', () => {
    for (const name of presets['read-only']?.allows ?? []) expect([name, reads(name)]).toEqual([name, true])
    expect(presets['read-only']?.allows).not.toContain('ContainerAttachWebsocket')
  })

  it.each(Object.keys(presets).filter((name) => name !== 'all'))('%s gives no way to plugins or swarm keys', (name) => {
    for (const operation of ['PluginPull', 'PluginCreate', 'SwarmUnlockKey', 'Grpc'] as const)
      expect(presets[name]?.allows).not.toContain(operation)
  })

  it.each(Object.keys(presets))('%s knows every operation it names', (name) => {
    for (const operation of presets[name]?.allows ?? []) expect(operationNames).toContain(operation)
    expect(presets[name]?.allows.length).toBeGreaterThan(5)
  })

  it.each([
    ['images: [alpine]', false],
    ['cgroup-parent: deny', false],
    ['host-namespaces: [pid]', false],
    ['host-namespaces: [network]', true],
    ['privileged: deny', true],
    ['{ new-images: deny, buildkit: allow }', true],
  ])('calls to BuildKit are refused where a rule governs builds, unless they are allowed: %s', (bodies, allowed) => {
    const rules = parsePolicy(
      `rules: { preset: all, bodies: ${bodies.startsWith('{') ? bodies : `{ ${bodies} }`} }`,
      'f',
    )
    const call = { method: 'POST', path: '/v1.44/grpc', contentType: undefined, body: undefined }
    expect(new CompiledRules(rules.rules ?? {}).judge(call).allowed).toBe(allowed)
  })

  it('ci has strict rules on bodies, which a file may widen', () => {
    const judge = (extra: string) => (hostConfig: object) =>
      new CompiledRules(parsePolicy(`rules:\n  preset: ci\n${extra}`, 'f').rules ?? {}).judge({
        method: 'POST',
        path: '/v1.44/containers/create',
        contentType: 'application/json',
        body: Buffer.from(JSON.stringify({ Image: 'a', HostConfig: hostConfig })),
      }).allowed
    expect(judge('')({ Privileged: true })).toBe(false)
    expect(judge('')({ Binds: ['/builds:/x'] })).toBe(false)
    const wide = judge('  bodies:\n    host-mounts: [/builds]\n')
    expect([wide({ Binds: ['/builds:/x'] }), wide({ Binds: ['/etc:/x'] }), wide({ Privileged: true })]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('rules on bodies', () => {
  it('refuse a parameter that is nested too deeply to be read', () => {
    const outputs = '['.repeat(2000)
    const build = { method: 'POST', path: `/v1.44/build?outputs=${outputs}`, contentType: undefined, body: undefined }
    expect(new CompiledRules({ preset: 'ci' }).judge(build)).toMatchObject({
      allowed: false,
      rule: 'bodies.unreadable',
    })
  })
})

describe('a policy file', () => {
  it.each([
    ['rules:\n  presets: ci\n', /presets/],
    ['rules:\n  allow: [ContainerStrat]\n', /unknown operation "ContainerStrat"/],
    ['rules:\n  bodies: {privileged: maybe}\n', /must be allow or deny/],
    ['rules:\n  bodies: {privilegd: deny}\n', /privilegd/],
    ['rules: [\n', /f: /],
  ])('is refused with a sentence: %j', (text, message) => {
    expect(() => parsePolicy(text, 'f')).toThrow(BadConfig)
    expect(() => parsePolicy(text, 'f')).toThrow(message)
  })

  it('denies what it lists whatever else allows it', () => {
    const rules = parsePolicy(
      'rules:\n  preset: all\n  paths: {POST: [".*"]}\n  deny: [ContainerKill, "Swarm*"]\n',
      'f',
    )
    const may = (path: string): boolean =>
      new CompiledRules(rules.rules ?? {}).judge({ method: 'POST', path, contentType: undefined, body: undefined })
        .allowed
    expect([may('/containers/x/kill'), may('/swarm/init'), may('/containers/x/stop')]).toEqual([false, false, true])
  })

  it('with nothing in it lets nothing through', () => {
    const rules = new CompiledRules(parsePolicy('rules: {}\n', 'f').rules ?? {})
    for (const name of operationNames) {
      const { method, path } = operationNamed(name)
      const wire = path.replace(/\{\w+\*{0,2}\}/, 'x')
      expect(rules.judge({ method, path: wire, contentType: undefined, body: undefined }).allowed).toBe(false)
    }
  })
})
