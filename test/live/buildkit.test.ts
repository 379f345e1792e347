import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { run } from '../clients/command.ts'
import { cliEnvironment } from '../clients/docker-cli.ts'
import { toolFolder } from '../clients/tools.ts'
import type { SuiteBridge } from './support/shared-bridge.ts'
import { onEngines, withBridge } from './support/suites.ts'

const DOCKERFILE = `FROM busybox AS base
COPY in /in
RUN --mount=type=secret,id=hidden cat /run/secrets/hidden | wc -c > /length
CMD ["cat", "/in", "/length"]
`

/** Debian's docker and buildx; undefined where they cannot be had, said loudly. */
async function fetched(): Promise<string | undefined> {
  const { missing, required } = inject('live')
  if (missing !== undefined) return undefined
  try {
    return await toolFolder('docker-cli-28.5')
  } catch (cause) {
    if (required) throw cause
    process.stderr.write(`\n*** LIVE TESTS SKIPPED with BuildKit: ${String(cause)} ***\n\n`)
    return undefined
  }
}

const tool = await fetched()
/** How the tunnels of a build were carried, from the audit record: operation, status, bytes either way. */
const tunnels = (bridge: SuiteBridge): { operation: string; status: number; passed: boolean }[] =>
  bridge
    .audit()
    .filter((record) => record['stage'] === 'complete' && /^(Session|Grpc)$/.test(String(record['operation'])))
    .map(({ operation, status, ...record }) => ({
      operation: String(operation),
      status: Number(status),
      passed: Number(record['bytesIn']) > 0 && Number(record['bytesOut']) > 0,
    }))

await onEngines(['20.10', '26.1', '28.5-min1.44'], (engine) => {
  const { socket, get } = withBridge(engine)
  let folder = ''
  let env: NodeJS.ProcessEnv
  const docker = (...args: string[]): ReturnType<typeof run> => run(join(tool ?? '', 'bin/docker'), args, env)
  beforeAll(() => {
    folder = mkdtempSync(join(inject('live').folder, 'buildkit-'))
    const plugins = join(tool ?? '', 'libexec/docker/cli-plugins')
    env = cliEnvironment({ file: '', socket, version: undefined, buildkit: true, folder, plugins })
    mkdirSync(join(folder, 'context'))
    writeFileSync(join(folder, 'context', 'Dockerfile'), DOCKERFILE)
    writeFileSync(join(folder, 'context', 'in'), 'built\n')
    writeFileSync(join(folder, 'hidden'), '12345')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.skipIf(tool === undefined).each([
    ['docker build', ['build']],
    ['docker buildx build', ['buildx', 'build', '--load']],
  ])(
    '%s with BuildKit gets its context and a secret through the bridge, over tunnels that pass untouched',
    { timeout: 120_000 },
    async (_title, command) => {
      const tag = `buildkit-${command.length}-${process.pid}`
      const secret = ['--secret', `id=hidden,src=${join(folder, 'hidden')}`]
      const args = [...command, '--progress', 'plain', '--no-cache', ...secret, '-t', tag, join(folder, 'context')]
      const { code, stderr } = await docker(...args)
      expect(code, stderr).toBe(0)
      expect((await docker('run', '--rm', tag)).stdout).toBe('built\n5\n')
      await docker('rmi', '-f', tag)
      // The record of a tunnel is written when it has closed, which may be after the client has ended.
      const carried = (): string[] => {
        const passed = tunnels(get()).filter((tunnel) => tunnel.passed)
        return [...new Set(passed.map(({ operation }) => operation))].sort()
      }
      await expect.poll(carried, { timeout: 20_000 }).toEqual(['Grpc', 'Session'])
      expect(tunnels(get()).filter(({ status }) => status !== 101)).toEqual([])
    },
  )

  test.skipIf(tool === undefined)(
    'what BuildKit reports of a failed step reaches the client',
    { timeout: 120_000 },
    async () => {
      const context = join(folder, 'broken')
      mkdirSync(context, { recursive: true })
      writeFileSync(join(context, 'Dockerfile'), 'FROM busybox\nRUN echo said; exit 7\n')
      const { code, stderr } = await docker('build', '--progress', 'plain', context)
      expect(code).not.toBe(0)
      expect(stderr).toMatch(/said[\s\S]*exit code: 7/)
    },
  )
})
