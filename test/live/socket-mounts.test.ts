import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { run } from '../clients/command.ts'
import { cliEnvironment } from '../clients/docker-cli.ts'
import { DOCKER_ENGINES, onEngines, PODMAN, withBridge } from './support/suites.ts'

const file = spawnSync('sh', ['-c', 'command -v docker'], { encoding: 'utf8' }).stdout.trim()
if (file === '')
  process.stderr.write('\n*** LIVE TESTS SKIPPED with the docker command line: none is installed ***\n\n')

await onEngines([...DOCKER_ENGINES, PODMAN], (engine) => {
  const { socket, get } = withBridge(engine, ['--socket-mounts', 'follow'])
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(inject('live').folder, 'mounts-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  describe.runIf(file !== '')('a container that mounts the engine’s socket', () => {
    test.each(['/var/run/docker.sock', engine.socket])('as %s has the bridge’s in its place', async (path) => {
      const env = cliEnvironment({ file, socket, version: undefined, buildkit: false, folder, plugins: undefined })
      const mounts = ['-v', `${path}:/var/run/docker.sock`, '-v', `${file}:/docker:ro`]
      const inside = ['/docker', 'ps', '-q', '--no-trunc', '--filter', `name=inner-${process.pid}`]
      const version = ['-e', 'DOCKER_API_VERSION=1.24', '--name', `inner-${process.pid}`]
      const before = get().audit().length
      const { code, stdout, stderr } = await run(
        file,
        ['run', '--rm', ...version, ...mounts, 'busybox', ...inside],
        env,
      )
      expect([code, stderr.replace(/^WARNING: the engine's socket .*\n/m, '')]).toEqual([0, ''])
      expect(stdout).toMatch(/^[0-9a-f]{64}\n$/)
      const calls = get().audit().slice(before)
      const own = calls.filter(({ prefix, operation }) => prefix === '1.24' && operation === 'ContainerList')
      expect(own.length).toBeGreaterThan(0)
    })
  })
})
