import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { auditMetrics } from '../src/audit/metrics/audit-metrics.ts'
import { Metrics } from '../src/audit/metrics/metrics.ts'
import { parsePolicy } from '../src/policy/file/read-policy.ts'
import { CompiledRules } from '../src/policy/file/ruleset.ts'
import { checkCall, checkSettings, ownArguments } from './support/documented-call.ts'
import { shellCommand } from './support/shell-words.ts'

const root = join(import.meta.dirname, '..', 'examples')
const text = (file: string): string => readFileSync(join(root, file), 'utf8')
const files = (...patterns: string[]): string[] => globSync(patterns, { cwd: root }).sort()

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const service = z.looseObject({
  image: z.string(),
  command: z.union([z.string(), z.array(z.string())]).optional(),
  environment: z.record(z.string(), scalar).optional(),
  volumes: z.array(z.string()).optional(),
  networks: z.array(z.string()).optional(),
  depends_on: z.record(z.string(), z.looseObject({})).optional(),
})
const compose = z.looseObject({
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.unknown()).optional(),
  volumes: z.record(z.string(), z.unknown()).optional(),
})
const container = z.looseObject({ name: z.string(), image: z.string(), args: z.array(z.string()).optional() })
const pod = z.looseObject({ initContainers: z.array(container).optional(), containers: z.array(container) })
const manifest = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('Pod'), spec: pod }),
  z.looseObject({ kind: z.literal('DaemonSet'), spec: z.looseObject({ template: z.looseObject({ spec: pod }) }) }),
])

const words = (command: string | readonly string[] | undefined): readonly string[] =>
  typeof command === 'string' ? shellCommand(command).words : (command ?? [])

describe('the examples', () => {
  it.each(files('**/*.yaml'))('%s is YAML', (file) => {
    for (const document of parseAllDocuments(text(file))) {
      expect(document.errors).toEqual([])
      expect(document.warnings).toEqual([])
    }
  })

  it.each(files('**/*.json'))('%s is JSON', (file) => {
    expect(JSON.parse(text(file))).toBeTypeOf('object')
  })

  it.each(files('*/compose.yaml'))('%s starts a bridge with settings that are understood', async (file) => {
    const { services, networks = {}, volumes = {} } = compose.parse(parse(text(file)))
    const { command, environment = {} } = services['enginebridge'] ?? service.parse({})
    const args = words(command)
    expect(args[0] ?? 'serve').toBe('serve')
    const config = await checkSettings(args.slice(1), environment)
    if (config.policy?.endsWith('.yaml'))
      expect(files(`${dirname(file)}/*.yaml`).map((one) => basename(one))).toContain(basename(config.policy))
    for (const one of Object.values(services)) {
      for (const network of one.networks ?? []) expect(Object.keys(networks)).toContain(network)
      for (const [source = ''] of (one.volumes ?? []).map((volume) => volume.split(':')))
        if (!/^[./]/.test(source)) expect(Object.keys(volumes)).toContain(source)
      for (const other of Object.keys(one.depends_on ?? {})) expect(Object.keys(services)).toContain(other)
    }
  })

  it.each(files('*/compose.yaml'))('%s points its client at an address that the bridge listens on', async (file) => {
    const { services } = compose.parse(parse(text(file)))
    const { listen } = await checkSettings([], services['enginebridge']?.environment ?? {})
    const said = Object.values(services).flatMap((one) => [
      one.environment?.['DOCKER_HOST'] ?? '',
      ...words(one.command),
    ])
    const addresses = said.flatMap((one) => /(?:(?:tcp|http):\/\/enginebridge:\d+|unix:\/\/\S+)$/.exec(one) ?? [])
    const served = listen.map((one) =>
      one.kind === 'tcp' ? `tcp://enginebridge:${one.port}` : one.kind === 'unix' ? `unix://${one.path}` : '',
    )
    for (const address of addresses) expect(served).toContain(address.replace('http:', 'tcp:'))
    if (Object.keys(services).length > 1) expect(addresses).not.toEqual([])
  })

  it.each(files('kubernetes/*.yaml'))('%s starts a bridge with settings that are understood', async (file) => {
    const found = manifest.parse(parse(text(file)))
    const { initContainers = [], containers } = found.kind === 'Pod' ? found.spec : found.spec.template.spec
    const args = [...initContainers, ...containers].find(({ name }) => name === 'enginebridge')?.args ?? []
    await checkCall({ env: {}, words: args }, new Map())
    expect(args[0]).toBe('serve')
  })

  it.each(files('systemd/*.service'))('%s starts a bridge with settings that are understood', async (file) => {
    const line = /^ExecStart=(.*)$/m.exec(text(file))?.[1] ?? ''
    const args = ownArguments(shellCommand(line).words)
    expect(args).toBeDefined()
    await checkCall({ env: {}, words: args ?? [] }, new Map())
  })

  it.each(files('fleet/*.yaml'))('%s is a configuration that is understood', async (file) => {
    await checkSettings(['--config', join(root, file)], {})
  })

  it('a policy beside them allows what its comment says and nothing of the host', () => {
    const rules = new CompiledRules(parsePolicy(text('ci/policy.yaml'), 'ci/policy.yaml').rules ?? {})
    const create = (binds: string[]) =>
      rules.judge({
        method: 'POST',
        path: '/v1.44/containers/create',
        contentType: 'application/json',
        body: Buffer.from(JSON.stringify({ Image: 'busybox', HostConfig: { Binds: binds } })),
      }).allowed
    expect(create(['/builds/1:/src'])).toBe(true)
    expect(create(['/etc:/src'])).toBe(false)
  })
})

describe('metrics in the examples', () => {
  it.each(files('metrics/*'))('%s names those alone that a bridge has, with labels that they have', async (file) => {
    const labels = await labelsOfMetrics()
    const named = [...text(file).matchAll(/\b(enginebridge_[a-z_]+)/g)].map(([, name = '']) => name)
    for (const name of named) expect([...labels.keys()]).toContain(name.replace(/_(?:bucket|sum|count)$/, ''))
    for (const [, by = ''] of text(file).matchAll(/\bby \(([^)]*)\)/g))
      for (const label of by.split(',').map((one) => one.trim()))
        expect(['le', 'instance', ...[...labels.values()].flat()]).toContain(label)
  })

  it('are looked for in files that name some', () => {
    const naming = files('metrics/*').filter((file) => text(file).includes('enginebridge_'))
    expect(naming).toEqual(['metrics/alerts.yaml', 'metrics/dashboard.json'])
  })
})

/** The names of the metrics that a bridge serves, with their labels. */
async function labelsOfMetrics(): Promise<ReadonlyMap<string, readonly string[]>> {
  const metrics = new Metrics()
  metrics.describe({ version: '0', node: '0' })
  auditMetrics(metrics.registry, () => [])
  const known = new Map<string, readonly string[]>()
  expect(metrics.registry).toBeInstanceOf(Registry)
  for (const metric of metrics.registry.getMetricsAsArray())
    known.set(metric.name, 'labelNames' in metric ? z.array(z.string()).parse(metric.labelNames) : [])
  return known
}
