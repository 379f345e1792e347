import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BadConfig } from '../../src/config/bad-config.ts'
import { usesEngineTls } from '../../src/http/tls/tls-settings.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'

const problemsOf = (args: readonly string[], env = {}): string => {
  try {
    readConfig(args, env)
  } catch (cause) {
    if (cause instanceof BadConfig) return cause.problems.join('\n')
    throw cause
  }
  return ''
}

describe('settings of transport', () => {
  it('refuses plain TCP beyond loopback, and says what to do about it', () => {
    expect(problemsOf(['--listen', 'tcp://0.0.0.0:2375'])).toMatch(/plain TCP beyond loopback[\s\S]*--insecure/)
    expect(problemsOf(['--listen', 'tcp://[::]:2375'])).toMatch(
      /plain TCP beyond loopback: everybody who reaches \[::\]:2375 /,
    )
    expect(problemsOf(['--listen', 'tcp://example.org:2375'])).toMatch(/plain TCP beyond loopback/)
    expect(problemsOf(['--listen', 'tcp://127.0.0.1:2375'])).toBe('')
  })

  it('refuses TLS beyond loopback that asks for no certificates', () => {
    const tls = ['--listen', 'tcp://0.0.0.0:2376', '--tls-cert', 'c', '--tls-key', 'k']
    expect(problemsOf(tls)).toMatch(/TLS without client certificates beyond loopback/)
    expect(problemsOf([...tls, '--tls-ca', 'a', '--tls-verify=false'])).toMatch(/without client certificates/)
    expect(problemsOf([...tls, '--tls-ca', 'a'])).toBe('')
  })

  it('listens where --insecure says so, as a flag, in the environment or in a file', () => {
    const listen = ['--listen', 'tcp://0.0.0.0:2375']
    expect(problemsOf([...listen, '--insecure'])).toBe('')
    expect(problemsOf([...listen, '--insecure=false'])).toMatch(/beyond loopback/)
    expect(problemsOf([...listen, '--insecure=maybe'])).toMatch(/--insecure: must be true or false/)
    expect(problemsOf(listen, { ENGINEBRIDGE_INSECURE: '1' })).toBe('')
    const file = join(mkdtempSync(join(tmpdir(), 'eb-')), 'f.yaml')
    writeFileSync(file, 'insecure: true\n')
    expect(problemsOf([...listen, '--config', file])).toBe('')
  })

  it('refuses half of a pair, and checks without an authority', () => {
    expect(problemsOf(['--listen', 'tcp://127.0.0.1:1', '--tls-cert', 'c'])).toMatch(/--tls-cert and --tls-key/)
    expect(problemsOf(['--listen', 'tcp://127.0.0.1:1', '--tls-verify'])).toMatch(/--tls-verify needs --tls-ca/)
    expect(problemsOf(['--tls-cert', 'c', '--tls-key', 'k'])).toMatch(/no --listen is one/)
    expect(problemsOf(['--engine-tls-ca', 'c'])).toMatch(/--engine-tls-ca is for an engine on TCP/)
    expect(problemsOf(['--engine', 'ssh://nas', '--engine-tls-ca', 'c'])).toMatch(/is for an engine on TCP/)
  })

  it('understands DOCKER_CERT_PATH and DOCKER_TLS_VERIFY as the docker command does', () => {
    const folder = mkdtempSync(join(tmpdir(), 'eb-'))
    for (const name of ['ca.pem', 'cert.pem', 'key.pem']) writeFileSync(join(folder, name), '')
    const env = { DOCKER_HOST: 'tcp://h:2376', DOCKER_CERT_PATH: folder }
    const checked = readConfig([], { ...env, DOCKER_TLS_VERIFY: '1' })
    expect(usesEngineTls(checked)).toBe(true)
    expect([checked['engine-tls-verify'], checked['engine-tls-ca'], checked['engine-tls-key']]).toEqual([
      true,
      join(folder, 'ca.pem'),
      join(folder, 'key.pem'),
    ])
    expect(readConfig([], env)['engine-tls-verify']).toBe(false)
    const configured = readConfig([], { DOCKER_HOST: 'tcp://h:2376', DOCKER_TLS_VERIFY: '1', DOCKER_CONFIG: folder })
    expect(configured['engine-tls-ca']).toBe(join(folder, 'ca.pem'))
    expect(usesEngineTls(readConfig([], { DOCKER_HOST: 'tcp://h:2375' }))).toBe(false)
    // An engine on a unix socket has no TLS, whatever else the environment is used for.
    expect(usesEngineTls(readConfig([], { DOCKER_CERT_PATH: folder, DOCKER_TLS_VERIFY: '1' }))).toBe(false)
  })

  it('refuses allowed hosts that are no names, which would match nothing', () => {
    const listed = ['a.example', '*.example', '*', 'b.example:2375']
    expect(problemsOf(listed.flatMap((name) => ['--allowed-hosts', name]))).toBe('')
    for (const name of ['a.example,b.example', 'http://a.example'])
      expect(problemsOf(['--allowed-hosts', name])).toMatch(/--allowed-hosts: must be a host name/)
  })

  it('takes the mode of unix listeners in octal', () => {
    expect(readConfig(['--socket-mode', '0600'], {})['socket-mode']).toBe(0o600)
    expect(readConfig([], {})['socket-mode']).toBe(0o660)
    expect(problemsOf(['--socket-mode', '999'])).toMatch(/octal/)
  })
})
