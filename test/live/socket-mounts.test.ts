import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { run } from '../clients/command.ts'
import { cliEnvironment } from '../clients/docker-cli.ts'
import { dockerCommand } from '../support/docker-command.ts'
import { librariesOf } from './support/image.ts'
import { onEngines, PODMAN, withBridge } from './support/suites.ts'

const file = (await dockerCommand()) ?? ''
const libraries = file === '' ? [] : await librariesOf(file)

await onEngines(['20.10', '26.1', '28.5-min1.44', PODMAN], (engine) => {
  const { socket, get } = withBridge(engine, ['--socket-mounts', 'follow'])
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(inject('live').folder, 'mounts-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  describe.runIf(file !== '')('a container that mounts the engine’s socket', () => {
    test.each(['/var/run/docker.sock', engine.socket])('as %s has the bridge’s in its place', async (path) => {
      const env = cliEnvironment({ file, socket, version: undefined, buildkit: false, folder, plugins: undefined })
      const program = [`${file}:/docker:ro`, ...libraries.map((one) => `${one}:${one}:ro`)]
      const mounts = [`${path}:/var/run/docker.sock`, ...program].flatMap((one) => ['-v', one])
      // -a: the engine may not yet count it as running.
      const inside = ['/docker', 'ps', '-aq', '--no-trunc', '--filter', `name=inner-${process.pid}`]
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
