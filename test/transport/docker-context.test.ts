import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BadConfig } from '../../src/config/bad-config.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'
import { Authority } from '../support/certificates.ts'
import { dockerCommand } from '../support/docker-command.ts'

const program = await dockerCommand()

const problemsOf = (work: () => unknown): readonly string[] => {
  try {
    work()
  } catch (cause) {
    if (cause instanceof BadConfig) return cause.problems
    throw cause
  }
  return []
}

describe.runIf(program !== undefined)('a context that the docker command stored', () => {
  let folder = ''
  const docker = (...args: string[]): string =>
    execFileSync(program ?? '', args, { env: { PATH: process.env['PATH'], DOCKER_CONFIG: folder }, encoding: 'utf8' })
  const env = (more: Record<string, string> = {}) => ({ DOCKER_CONFIG: folder, ...more })

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'eb-context-'))
    const { ca, cert, key } = new Authority(join(folder, 'authority')).issue('client', join(folder, 'client'))
    docker('context', 'create', 'far', '--docker', 'host=ssh://admin@nas:2222/run/podman/podman.sock')
    docker('context', 'create', 'tls', '--docker', `host=tcp://nas:2376,ca=${ca},cert=${cert},key=${key}`)
    docker('context', 'create', 'unchecked', '--docker', 'host=tcp://nas:2376,skip-tls-verify=true')
    docker('context', 'create', 'plain', '--docker', 'host=tcp://nas:2375')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('is the engine by --engine context:NAME and by DOCKER_CONTEXT', () => {
    const far = { kind: 'ssh', user: 'admin', host: 'nas', port: 2222, path: '/run/podman/podman.sock' }
    expect(readConfig(['--engine', 'context:far'], env()).engine).toEqual(far)
    expect(readConfig([], env({ DOCKER_CONTEXT: 'far' })).engine).toEqual(far)
  })

  it('gives its TLS material, and that of DOCKER_CERT_PATH is not used', () => {
    const read = readConfig(['--engine', 'context:tls'], env({ DOCKER_CERT_PATH: '/nowhere', DOCKER_TLS_VERIFY: '' }))
    expect(read.engine).toEqual({ kind: 'tcp', host: 'nas', port: 2376 })
    expect(read['engine-tls-verify']).toBe(true)
    for (const name of ['ca', 'cert', 'key'] as const)
      expect(read[`engine-tls-${name}`]).toMatch(
        new RegExp(`^${folder}/contexts/tls/[0-9a-f]{64}/docker/${name}\\.pem$`),
      )
  })

  it('says whether certificates are checked, and whether TLS is spoken at all', () => {
    expect(readConfig(['--engine', 'context:unchecked'], env())['engine-tls-verify']).toBe(false)
    expect(readConfig(['--engine', 'context:plain'], env())['engine-tls-verify']).toBeUndefined()
  })

  it('comes after DOCKER_HOST, and default is none', () => {
    const host = { DOCKER_HOST: 'unix:///run/a.sock' }
    expect(readConfig([], env({ ...host, DOCKER_CONTEXT: 'far' })).engine).toEqual({
      kind: 'unix',
      path: '/run/a.sock',
    })
    const none = { kind: 'unix', path: '/var/run/docker.sock' }
    expect(readConfig([], env({ DOCKER_CONTEXT: 'default' })).engine).toEqual(none)
    expect(readConfig(['--engine', 'context:default'], env(host)).engine).toEqual({ kind: 'unix', path: '/run/a.sock' })
  })

  it('that is not there, or cannot be read, keeps the bridge from starting', () => {
    expect(problemsOf(() => readConfig(['--engine', 'context:nas'], env()))).toEqual([
      `--engine: no context "nas" in ${folder}; docker context ls lists them`,
    ])
    const meta = execFileSync('find', [join(folder, 'contexts/meta'), '-name', 'meta.json'], { encoding: 'utf8' })
    for (const file of meta.trim().split('\n')) writeFileSync(file, '{')
    expect(problemsOf(() => readConfig([], env({ DOCKER_CONTEXT: 'far' })))).toEqual([
      expect.stringMatching(/^DOCKER_CONTEXT: cannot read .*meta\.json: /),
    ])
  })
})

describe('the address of an engine behind ssh', () => {
  it.each([
    ['ssh://nas', { user: undefined, host: 'nas', port: undefined, path: '/var/run/docker.sock' }],
    ['ssh://me@nas:2222/', { user: 'me', host: 'nas', port: 2222, path: '/var/run/docker.sock' }],
    ['ssh://me@[::1]/run/x.sock', { user: 'me', host: '::1', port: undefined, path: '/run/x.sock' }],
  ])('%s is read', (text, read) => {
    expect(readConfig(['--engine', text], {}).engine).toEqual({ kind: 'ssh', ...read })
  })

  it.each([
    'ssh://',
    'ssh://-oProxyCommand=touch',
    'ssh://me@-oProxyCommand=x',
    'ssh://nas:99999',
    'ssh://nas/a:b',
    'ssh://nas /x',
  ])('%s is refused', (text) => {
    expect(problemsOf(() => readConfig(['--engine', text], {}))).toEqual([expect.stringContaining('ssh://user@host')])
  })
})
