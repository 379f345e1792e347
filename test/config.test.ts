import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BadConfig } from '../src/config/bad-config.ts'
import { readConfig } from '../src/proxy/settings/config.ts'
import { environmentName } from '../src/proxy/settings/environment-names.ts'
import { settingNames } from '../src/proxy/settings/settings.ts'

const file = (text: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'eb-config-')), 'enginebridge.yaml')
  writeFileSync(path, text)
  return path
}

const problemsOf = (args: readonly string[], env = {}): readonly string[] => {
  try {
    readConfig(args, env)
  } catch (cause) {
    if (cause instanceof BadConfig) return cause.problems
    throw cause
  }
  return []
}

describe('configuration', () => {
  it('takes a flag before the environment before the file before the default', () => {
    const config = file('log-level: warn\nnewer-fields: pass\nrecord-streams: untouched\n')
    const env = { ENGINEBRIDGE_LOG_LEVEL: 'error', ENGINEBRIDGE_NEWER_FIELDS: 'drop', ENGINEBRIDGE_CONFIG: config }
    const read = readConfig(['--log-level', 'debug'], env)
    expect([read['log-level'], read['newer-fields'], read['record-streams'], read['log-format']]).toEqual([
      'debug',
      'drop',
      'untouched',
      'auto',
    ])
  })

  it('takes an empty ENGINEBRIDGE_CONFIG for none, as every other variable', () => {
    expect(problemsOf([], { ENGINEBRIDGE_CONFIG: '' })).toEqual([])
    expect(problemsOf(['--config='], {})).toEqual([expect.stringContaining('cannot read the configuration')])
  })

  it('finds the engine in --engine, else DOCKER_HOST, else at the usual socket', () => {
    expect(readConfig(['--engine', 'tcp://h:1'], { DOCKER_HOST: 'unix:///d' }).engine).toEqual({
      kind: 'tcp',
      host: 'h',
      port: 1,
    })
    expect(readConfig([], { DOCKER_HOST: 'unix:///d' }).engine).toEqual({ kind: 'unix', path: '/d' })
    expect(readConfig([], {}).engine).toEqual({ kind: 'unix', path: '/var/run/docker.sock' })
  })

  it('listens at several addresses, from flags, environment or a file', () => {
    const two = [
      { kind: 'unix', path: '/a' },
      { kind: 'tcp', host: '::1', port: 2 },
    ]
    expect(readConfig(['--listen', 'unix:///a', '--listen', 'tcp://[::1]:2'], {}).listen).toEqual(two)
    expect(readConfig([], { ENGINEBRIDGE_LISTEN: 'unix:///a tcp://[::1]:2' }).listen).toEqual(two)
    expect(readConfig(['--config', file('listen:\n  - unix:///a\n  - tcp://[::1]:2\n')], {}).listen).toEqual(two)
  })

  it('reads an unquoted 1.40 in YAML as version 1.40, not as the number 1.4', () => {
    const read = readConfig(['--config', file('engine-api: 1.40\nannounce-api: 1.50\n')], {})
    expect([read['engine-api'], read['announce-api']]).toEqual(['1.40', 50])
  })

  it('reports every problem at once, in words', () => {
    const config = file('nosuch: 1\nlog-level: loud\n')
    const problems = problemsOf([
      ...[
        '--listen',
        'ftp://x',
        '--engine-api',
        'one',
        '--nosuch=1',
        '--newer-fields',
        'keep',
        '--config',
        config,
        'extra',
      ],
    ])
    expect([...problems].sort()).toEqual([
      '"extra" is not understood; settings are flags such as --listen',
      expect.stringContaining('--engine-api: "one" is neither auto'),
      '--listen: "ftp://x": an address is unix:///path or tcp://host:port',
      '--newer-fields: must be one of drop, pass',
      expect.stringContaining('--nosuch is not a flag'),
      expect.stringMatching(/"nosuch" is not a setting$/),
      expect.stringMatching(/^log-level in .*: must be one of trace, /),
    ])
  })

  it('refuses what is not filled in yet instead of ignoring it', () => {
    expect(problemsOf(['--announce-api', '1.11'])).toEqual([expect.stringContaining('there are rules from 1.12 on')])
    expect(problemsOf(['--audit-log', 'file:/a'])).toEqual(['--audit-log: a file is named by its path alone'])
    expect(problemsOf(['--admin'])).toEqual([expect.stringContaining('--admin needs a value')])
  })

  it('refuses an empty list for one value in a file: policy: [] allowed everything', () => {
    for (const name of ['policy', 'tls-ca', 'rate', 'max-calls', 'audit-policy'])
      expect(problemsOf(['--config', file(`${name}: []\n`)])).toEqual([
        expect.stringMatching(`${name} takes one value$`),
      ])
    expect(problemsOf(['--config', file('allowed-hosts: []\n')])).toEqual([])
  })

  it('refuses a map or list for text in a file: audit-log: {path: x} wrote to a file called [object Object]', () => {
    for (const value of ['{path: x}', '[{path: x}]', '[[x]]', '[x, [y]]'])
      expect(problemsOf(['--config', file(`audit-log: ${value}\n`)])).toEqual([
        expect.stringMatching('audit-log takes text, not a list or map inside it$'),
      ])
    expect(problemsOf(['--config', file('state: {dir: x}\n')])).toHaveLength(1)
  })

  it('says what is wrong with an unreadable or broken file', () => {
    const none = join(import.meta.dirname, 'none.yaml')
    expect(problemsOf(['--config', none])).toEqual([expect.stringContaining(none)])
    expect(problemsOf(['--config', file('listen: [')])).toEqual([
      expect.stringContaining('cannot read the configuration'),
    ])
  })

  it('takes the variables that tests and benchmarks read: their programs inherit them', () => {
    const root = join(import.meta.dirname, '..')
    const texts = globSync('{test,bench}/**/*.ts', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'))
    const read = texts.flatMap((text) => [...text.matchAll(/process\.env\['(ENGINEBRIDGE_\w+)'\]/g)])
    const settings = settingNames.map(environmentName)
    const names = [...new Set(read.map(([, name = '']) => name))].filter((name) => !settings.includes(name))
    expect(names).toContain('ENGINEBRIDGE_RYUK')
    expect(problemsOf([], Object.fromEntries(names.map((name) => [name, '/x'])))).toEqual([])
  })

  it('has an environment variable for every flag', () => {
    expect(settingNames.map(environmentName)).toContain('ENGINEBRIDGE_API_CORS_HEADER')
  })
})
