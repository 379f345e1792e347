import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { unpacked } from './support/unpacked.ts'

/** The examples, read by the programs that they are for. */
const root = join(import.meta.dirname, '..')
const examples = join(root, 'examples')
const folder = mkdtempSync(join(tmpdir(), 'eb-examples-'))
afterAll(() => rmSync(folder, { recursive: true }))

const execute = promisify(execFile)
const run = (file: string, args: readonly string[], cwd = examples): Promise<{ stdout: string; stderr: string }> =>
  execute(file, [...args], { cwd, env: { ...process.env, DOCKER_GID: '999' }, timeout: 100_000 })

const SYSTEMD = ['/usr/bin/systemd-analyze', '/bin/systemd-analyze'].find(existsSync)
if (SYSTEMD === undefined) process.stderr.write('\n*** SKIPPED: the systemd units: there is no systemd-analyze ***\n\n')

describe.skipIf(SYSTEMD === undefined)('systemd', () => {
  it.each(['examples/systemd', 'packaging/linux'])(
    'finds nothing wrong with the units of %s',
    async (units) => {
      const files = ['enginebridge.service', 'enginebridge.socket'].map((name) => {
        // It wants the program to be there.
        const unit = readFileSync(join(root, units, name), 'utf8')
        writeFileSync(join(folder, name), unit.replaceAll('/usr/bin/enginebridge', join(root, 'bin/enginebridge')))
        return join(folder, name)
      })
      expect(await run(SYSTEMD ?? '', ['verify', '--man=no', ...files])).toEqual({ stdout: '', stderr: '' })
    },
    120_000,
  )
})

const compose = await unpacked('docker-cli-28.5')

describe.skipIf(compose === undefined)('Compose 2', () => {
  it.each(globSync('*/compose.yaml', { cwd: examples }))(
    'takes %s',
    async (file) => {
      const program = join(compose ?? '', 'libexec/docker/cli-plugins/docker-compose')
      const { stdout } = await run(program, ['-f', file, 'config', '--format', 'json'])
      expect(Object.keys(JSON.parse(stdout).services)).toContain('enginebridge')
    },
    120_000,
  )
})

const prometheus = await unpacked('prometheus')

const panels = z.looseObject({
  panels: z.array(z.looseObject({ targets: z.array(z.looseObject({ expr: z.string() })).optional() })),
})

describe.skipIf(prometheus === undefined)('Prometheus', () => {
  const promtool = join(prometheus ?? '', 'bin/promtool')

  it('takes the configuration and its alerts', async () => {
    const { stdout } = await run(promtool, ['check', 'config', 'prometheus.yaml'], join(examples, 'metrics'))
    expect(stdout).toMatch(/SUCCESS: prometheus\.yaml is valid[\s\S]*SUCCESS: 4 rules found/)
  }, 120_000)

  it('reads every query of the dashboard', async () => {
    const dashboard = panels.parse(JSON.parse(readFileSync(join(examples, 'metrics/dashboard.json'), 'utf8')))
    const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    expect(queries.length).toBeGreaterThan(5)
    // As Grafana does before it asks (its variables: docs, "Global variables").
    const rules = queries.map((expr, i) => ({
      record: `query:${i}`,
      expr: expr.replaceAll('$__rate_interval', '1m').replaceAll(/\$\{?\w+\}?/g, 'x'),
    }))
    const file = join(folder, 'dashboard.yaml')
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
    const { stdout } = await run(promtool, ['check', 'rules', basename(file)], folder)
    expect(stdout).toContain(`SUCCESS: ${queries.length} rules found`)
  }, 120_000)
})
