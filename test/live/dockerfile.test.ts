import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { run, succeed } from '../clients/command.ts'
import { commands } from '../installs/readme.ts'
import { call } from '../support/client.ts'
import { unpacked } from '../support/unpacked.ts'
import { commandLine, makeBases } from './support/base-images.ts'
import { endEngines, startForBuilds } from './support/engine-script.ts'

/** The Dockerfile from its first to its last line, and its image as docs/operation.md has it run: read-only and as nobody. */
const ROOT = join(import.meta.dirname, '../..')
const IMAGE = 'enginebridge:built'
const HARDENED = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--network', 'none']
const cli = await unpacked('docker-cli-28.5')
const reachable = cli !== undefined && (await run('npm', ['view', 'rolldown', 'version'], process.env)).code === 0
if (cli !== undefined && !reachable) {
  if (inject('live').required) throw new Error('the package registry does not answer')
  process.stderr.write('\n*** SKIPPED: the build of the image: the package registry does not answer ***\n\n')
}

describe.skipIf(!reachable)('docker build', () => {
  const folder = reachable ? mkdtempSync(join(inject('live').folder, 'build-')) : ''
  const socket = join(folder, 'e.sock')
  let env: Record<string, string> = {}
  const docker = (...args: string[]): Promise<string> => succeed('docker', args, env, { limitMs: 60_000 })

  beforeAll(async () => {
    await startForBuilds('28.5', socket)
    env = await commandLine(folder, socket)
    await makeBases(folder, env)
  }, 400_000)
  afterAll(() => {
    endEngines((one) => one === socket)
    rmSync(folder, { recursive: true, force: true })
  })

  // By the classic builder: examples.test.ts.
  test('ends in an image that serves, read-only and as nobody, and says that it is well', async () => {
    const builder = { ...env, DOCKER_BUILDKIT: '1' }
    await succeed('docker', ['build', '--network', 'host', '-t', IMAGE, ROOT], builder, { limitMs: 900_000 })
    const shared = join(folder, 'run')
    mkdirSync(shared)
    await succeed('chmod', ['777', shared], env)
    const mounts = ['-v', `${socket}:/var/run/docker.sock`, '-v', `${shared}:/run/enginebridge`]
    const group = ['--group-add', String(statSync(socket).gid)]
    const often = ['--health-start-interval', '1s', '--health-start-period', '90s']
    const id = (await docker('run', '-d', ...HARDENED, ...mounts, ...group, ...often, IMAGE)).trim()
    try {
      const health = (): Promise<string> => docker('inspect', '-f', '{{.Config.User}} {{.State.Health.Status}}', id)
      await expect.poll(health, { timeout: 90_000, interval: 500 }).toBe('65532:65532 healthy\n')
      const listed = await call(join(shared, 'docker.sock'), '/v1.18/containers/json')
      expect(listed.status).toBe(200)
      expect(JSON.parse(listed.text)).toMatchObject([{ Id: id, Image: IMAGE }])
      // All that is in it: no npm, no shell, none of the packages that only the build needs; and the bill of materials is there.
      const listing = await succeed('bash', ['-euc', `docker export ${id} | tar -t`], env, { limitMs: 60_000 })
      const files = new Set(listing.split('\n'))
      expect(files).toContain('app/sbom.cdx.json')
      const facts = await docker(
        'image',
        'inspect',
        '-f',
        '{{.Size}} {{index .Config.Labels "org.opencontainers.image.licenses"}}',
        IMAGE,
      )
      expect(facts).toMatch(/^\d+ Apache-2\.0\n$/)
      process.stdout.write(`the image: ${facts.split(' ')[0]} bytes unpacked\n`)
      expect(Number(facts.split(' ')[0])).toBeLessThan(150e6)
      for (const left of ['app/node_modules/', 'usr/local/lib/node_modules/npm/', 'bin/sh', 'usr/bin/sh'])
        expect(files).not.toContain(left)
    } catch (cause) {
      throw new Error(await docker('logs', id), { cause })
    } finally {
      await docker('rm', '-f', id)
    }
  }, 1_200_000)

  test('ends in an image that the command of the README runs', async () => {
    const shared = join(folder, 'readme')
    const given = { image: IMAGE, name: 'enginebridge', engine: socket, shared, inspect: '' }
    const command = commands('A container', given).replace(/^docker build .*\n/, '')
    expect(command).not.toMatch(/--user|docker build/)
    const bridge = join(shared, 'docker.sock')
    // The socket gets its group once it is there.
    const groupOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.gid
    try {
      await succeed('bash', ['-euc', command], env)
      await expect.poll(() => groupOf(bridge), { timeout: 60_000 }).toBe(groupOf(socket))
      expect((await call(bridge, '/v1.18/containers/json')).status).toBe(200)
    } finally {
      await docker('rm', '-f', 'enginebridge')
    }
  }, 120_000)
})
