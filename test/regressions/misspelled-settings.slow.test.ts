import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/cli/command.ts'
import { dispatch } from '../../src/cli/dispatch.ts'
import { BadConfig } from '../../src/config/bad-config.ts'
import { parsePolicy } from '../../src/policy/file/read-policy.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'
import { startFakeEngine } from '../../src/tools/fake-engine/engine.ts'
import { captured } from '../support/io.ts'
import { bridgeProcess } from '../support/processes.ts'
import { socketFolder } from '../support/scripted-engine.ts'

const problemsOf = (env: Record<string, string>, args: readonly string[] = []): readonly string[] => {
  try {
    readConfig(args, env)
  } catch (cause) {
    if (cause instanceof BadConfig) return cause.problems
    throw cause
  }
  return []
}

/** `ENGINEBRIDGE_POLCY=read-only` was ignored in silence: everything was allowed. */
describe('a misspelled ENGINEBRIDGE_ variable', () => {
  it('is refused with the nearest name, each of several', () => {
    expect(
      problemsOf({
        ENGINEBRIDGE_POLCY: 'read-only',
        ENGINEBRIDGE_AUDIT: 'off',
        ENGINEBRIDGE_QQQQ: '',
        enginebridge_rate: '2',
      }),
    ).toEqual([
      'ENGINEBRIDGE_POLCY is not a setting; did you mean ENGINEBRIDGE_POLICY?',
      'ENGINEBRIDGE_AUDIT is not a setting; did you mean ENGINEBRIDGE_AUDIT_LOG?',
      'ENGINEBRIDGE_QQQQ is not a setting; enginebridge help lists them',
      'enginebridge_rate is not a setting; did you mean ENGINEBRIDGE_RATE?',
    ])
  })

  it('gets the nearest name as a flag and in a file too', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'eb-')), 'settings.yaml')
    writeFileSync(file, 'polcy: read-only\n')
    expect(problemsOf({}, ['--polcy', 'read-only'])).toEqual(['--polcy is not a flag; did you mean --policy?'])
    expect(problemsOf({}, ['--polcy=read-only', '--config', file])).toEqual([
      '--polcy is not a flag; did you mean --policy?',
      `${file}: "polcy" is not a setting; did you mean policy?`,
    ])
  })

  it('is not what Kubernetes and Docker set beside a service of that name', () => {
    const kubernetes = {
      ENGINEBRIDGE_SERVICE_HOST: '10.0.0.1',
      ENGINEBRIDGE_SERVICE_PORT: '2375',
      ENGINEBRIDGE_SERVICE_PORT_DOCKER: '2375',
      ENGINEBRIDGE_PORT: 'tcp://10.0.0.1:2375',
      ENGINEBRIDGE_PORT_2375_TCP: 'tcp://10.0.0.1:2375',
      ENGINEBRIDGE_PORT_2375_TCP_ADDR: '10.0.0.1',
      ENGINEBRIDGE_METRICS_SERVICE_HOST: '10.0.0.2',
      ENGINEBRIDGE_METRICS_PORT: 'tcp://10.0.0.2:9090',
    }
    expect(
      problemsOf({ ...kubernetes, ENGINEBRIDGE_NAME: '/web/enginebridge', ENGINEBRIDGE_ENV_PATH: '/bin' }),
    ).toEqual([])
    expect(problemsOf({ ENGINEBRIDGE_ADMIN_PORT: '9090' })).toHaveLength(1)
  })
})

/** `POST` is a name that any program may use: with it alone, calls were refused that nobody had said a word about. */
describe('POST=1 alone', () => {
  it('is no policy, unless --policy env says so', () => {
    expect(readConfig([], { POST: '1' }).policy).toBeUndefined()
    expect(readConfig([], { PUT: 'x', DELETE: '1', POST: 'yes' }).policy).toBeUndefined()
    expect(readConfig(['--policy', 'env'], { POST: '1' }).policy).toBe('env:{"POST":"1"}')
    expect(readConfig([], { POST: '1', CONTAINERS: '1' }).policy).toBe('env:{"POST":"1","CONTAINERS":"1"}')
    // What closes is not left unheard.
    expect(readConfig([], { POST: '0' }).policy).toBe('env:{"POST":"0"}')
  })

  it('is warned of in the log of a start and by doctor', { timeout: 60_000 }, async () => {
    const folder = await socketFolder()
    const [socket, listen] = [join(folder.path, 'e.sock'), join(folder.path, 'b.sock')]
    const engine = await startFakeEngine(socket)
    const warning = /POST is set, as for another socket proxy, but without effect: every call is allowed/
    process.env['POST'] = '1'
    const bridge = await bridgeProcess(listen, socket, ['--audit-log', 'off'])
    delete process.env['POST']
    expect(bridge.err).toMatch(warning)
    await bridge.kill()
    const io = captured({ env: { POST: '1' } })
    const settings = ['--engine', `unix://${socket}`, '--listen', `unix://${listen}2`, '--audit-log', 'off']
    expect([await dispatch(['doctor', ...settings], io), io.out().replaceAll(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringMatching(warning),
    ])
    await engine.close()
    await folder.remove()
  })
})

/** Of `--workers x` it said "Invalid input: expected number, received NaN". */
describe('a number that a setting cannot have', () => {
  it.each([
    ['--workers=x', '--workers: must be a whole number from 1 to 64'],
    ['--audit-queue=0.5', '--audit-queue: must be a whole number from 1 to 10000000'],
    ['--max-calls=0', '--max-calls: must be a whole number of 1 or more'],
    ['--rate=-1', '--rate: must be a number of 1 or more'],
    ['--grace=1e9', '--grace: must be a number from 0 to 86400'],
  ])('is refused with the numbers that it can have: %s', (flag, problem) => {
    expect(problemsOf({}, [flag])).toEqual([problem])
  })
})

/** It ended with 1, as if the bridge could not listen, and had logged the misspelled name as the policy in force. */
describe('a misspelled preset of --policy', () => {
  it('is a configuration that cannot be used, with the nearest name', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'eb-'))
    const args = ['--listen', `unix://${folder}/b.sock`, '--engine', `unix://${folder}/e.sock`, '--log-level', 'error']
    const ended = dispatch(['serve', ...args, '--policy', 'readonly'], captured())
    await expect(ended).rejects.toBeInstanceOf(BadConfig)
    await expect(ended).rejects.toThrow(/; did you mean read-only\?$/)
  })
})

/** 1 says that the request is refused: a script that looks at the code alone took a missing file for that. */
describe('policy check', () => {
  it.each([
    [['read-only', 'GET', '/info', `@${join(import.meta.dirname, 'none')}`], /no such file/],
    [['read-only', 'G=T', '/info'], /"G=T" is not a method/],
    [['read-only', 'GET', '/info', '--listener', 'nowhere'], /an address is/],
    [['toString', 'GET', '/info'], /neither a preset/],
  ])('ends with 2 where it cannot tell: %j', async (words, message) => {
    const ended = dispatch(['policy', 'check', ...words], captured())
    await expect(ended).rejects.toThrow(message)
    await expect(ended).rejects.toBeInstanceOf(UsageError)
  })

  it('says all that is wrong with a policy file at once', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'eb-')), 'policy.yaml')
    writeFileSync(
      file,
      `rules:
  preset: readonly
  sections: {CONTANERS: 1, IMAGES: perhaps}
  allow: [ContainerStrat]
  paths: {GET: ['a)|(b']}
listeners:
  unix:///a: {preset: toString}
`,
    )
    const failure: unknown = await dispatch(['policy', 'check', file, 'GET', '/info'], captured()).catch(
      (cause) => cause,
    )
    expect(String(failure).split('\n')).toEqual([
      expect.stringContaining('rules.preset: unknown preset "readonly"; there are all, read-only'),
      expect.stringContaining('rules.sections: CONTANERS is not a section; did you mean CONTAINERS?'),
      expect.stringContaining('rules.sections: IMAGES: "perhaps" is neither 0 nor 1'),
      expect.stringContaining('rules.allow.0: unknown operation "ContainerStrat"; did you mean ContainerStart?'),
      expect.stringContaining('rules.paths: invalid path pattern "a)|(b"'),
      expect.stringContaining('listeners.unix:///a.preset: unknown preset "toString"'),
    ])
  })

  it('says of a file for a bridge also which listeners it does not have', async () => {
    const { readPolicy } = await import('../../src/policy/file/read-policy.ts')
    const file = join(mkdtempSync(join(tmpdir(), 'eb-')), 'policy.yaml')
    writeFileSync(file, 'rules: {preset: nosuch}\nlisteners:\n  unix:///b: {preset: all}\n')
    await expect(readPolicy(file, ['unix:///a'])).rejects.toThrow(
      /unknown preset.*\n.*--listen does not have unix:\/\/\/b; it has unix:\/\/\/a/,
    )
  })
})

/** Of `--state=` it said "Too small: expected string to have >=1 characters". */
describe('what a schema finds', () => {
  it.each(['--state=', '--audit-log=', '--tls-cert=', '--allowed-hosts='])('is told in words: %s', (flag) => {
    expect(problemsOf({}, [flag])).toEqual([`${flag.slice(0, -1)}: must not be empty`])
  })

  it.each([
    ['preset: ci', 'p.yaml: nothing here is called "preset"; the names are rules, listeners'],
    ['[]', 'p.yaml: must be names with values'],
    ['listeners: { x: 3 }', 'p.yaml: listeners.x: must be names with values'],
    ['rules: { allow: ContainerList }', 'p.yaml: rules.allow: must be a list'],
    ['rules: { bodies: { base: all } }', 'p.yaml: rules.bodies.base: must be one of none, strict'],
  ])('is told in words of a policy: %s', (text, problem) => {
    expect(() => parsePolicy(text, 'p.yaml')).toThrow(new BadConfig([problem]))
  })
})
