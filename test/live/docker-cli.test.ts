import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { dockerCommand } from '../support/docker-command.ts'
import { onEngines, withBridge } from './support/suites.ts'

const program = await dockerCommand()

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The docker command, with a configuration of its own. */
class DockerCli {
  readonly #env: NodeJS.ProcessEnv

  constructor(socket: string, version: string | undefined, folder: string) {
    const apiVersion = version === undefined ? {} : { DOCKER_API_VERSION: version }
    this.#env = {
      PATH: process.env['PATH'],
      DOCKER_HOST: `unix://${socket}`,
      DOCKER_CONFIG: folder,
      DOCKER_BUILDKIT: '0',
      ...apiVersion,
    }
  }

  /** Runs it; `until` ends it with SIGINT as soon as its output holds that text. */
  run(args: readonly string[], { input, until }: { input?: string | Buffer; until?: string } = {}): Promise<Ended> {
    const { promise, resolve, reject } = Promise.withResolvers<Ended>()
    const child = spawn(program ?? '', args, { env: this.#env, stdio: 'pipe' })
    const said = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk: Buffer) => {
      said.stdout += chunk.toString('latin1')
      if (until !== undefined && said.stdout.includes(until)) child.kill('SIGINT')
    })
    child.stderr.on('data', (chunk: Buffer) => {
      said.stderr += chunk.toString()
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...said }))
    child.stdin.end(input)
    return promise
  }
}

/** With what it negotiates, and held to an old version where engines refuse that one. */
const VERSIONS = { '20.10': ['1.24'], '26.1': [undefined], '28.5-min1.44': [undefined, '1.24'] } as const

await onEngines(['20.10', '26.1', '28.5-min1.44'], (engine) => {
  const { socket } = withBridge(engine)
  const versions: readonly (string | undefined)[] = VERSIONS[engine.name as keyof typeof VERSIONS]
  describe.runIf(program !== undefined).each(versions)('docker with DOCKER_API_VERSION %s', (version) => {
    let folder = ''
    let docker: DockerCli
    const own = (name: string): string => `cli-${name}-${version?.replace('.', '') ?? 'auto'}-${process.pid}`
    beforeAll(() => {
      folder = mkdtempSync(join(inject('live').folder, 'cli-'))
      docker = new DockerCli(socket, version, folder)
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    test('run -i feeds a file to the container and ends with it', async () => {
      const input = Buffer.alloc(1 << 20, 'some line of text\n')
      const { code, stdout } = await docker.run(['run', '--rm', '-i', 'busybox', 'wc', '-c'], { input })
      expect([code, stdout]).toEqual([0, `${1 << 20}\n`])
    })

    test('run keeps both streams apart and gives the exit code', async () => {
      // Without --rm: below 1.25 the client itself removes the container, and may be gone before it has.
      const args = ['run', '--name', own('exits'), 'busybox', 'sh', '-c', 'echo out; echo err >&2; exit 7']
      expect(await docker.run(args)).toEqual({ code: 7, stdout: 'out\n', stderr: 'err\n' })
      await docker.run(['rm', own('exits')])
    })

    describe('with a running container', () => {
      const name = own('runs')
      beforeAll(async () => {
        const command = 'echo first; sleep 0.3; echo second; exec sleep 600'
        await docker.run(['run', '-d', '--name', name, 'busybox', 'sh', '-c', command])
      })
      afterAll(async () => {
        await docker.run(['rm', '-f', '-v', name])
      })

      test('ps and inspect show it', async () => {
        expect((await docker.run(['ps', '--format', '{{.Names}}'])).stdout.split('\n')).toContain(name)
        expect((await docker.run(['inspect', '-f', '{{.State.Running}}', name])).stdout).toBe('true\n')
      })

      test('exec -i carries stdin and the exit code', async () => {
        const args = ['exec', '-i', name, 'sh', '-c', 'cat; exit 3']
        expect(await docker.run(args, { input: 'hello\n' })).toEqual({ code: 3, stdout: 'hello\n', stderr: '' })
      })

      test('logs -f follows until it is interrupted', async () => {
        const { stdout } = await docker.run(['logs', '-f', name], { until: 'second\n' })
        expect(stdout).toBe('first\nsecond\n')
      })

      test('cp copies in and out', async () => {
        writeFileSync(join(folder, 'in.txt'), 'carried\n')
        expect((await docker.run(['cp', join(folder, 'in.txt'), `${name}:/tmp/in.txt`])).code).toBe(0)
        expect((await docker.run(['cp', `${name}:/tmp/in.txt`, join(folder, 'out.txt')])).code).toBe(0)
        expect(readFileSync(join(folder, 'out.txt'), 'utf8')).toBe('carried\n')
      })

      test('stats --no-stream gives one reading', async () => {
        const { code, stdout } = await docker.run(['stats', '--no-stream', '--format', '{{.Name}} {{.PIDs}}', name])
        const shown = version === undefined ? name : '--' // stats name the container from 1.25 on
        expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^${shown} \\d+\n$`))])
      })

      test('events shows what happens to it', async () => {
        const watching = docker.run(
          ['events', '--since', '0', '--filter', `container=${name}`, '--format', '{{.Status}}'],
          { until: 'pause\n' },
        )
        await docker.run(['pause', name])
        await docker.run(['unpause', name])
        expect((await watching).stdout).toContain('pause\n')
      })
    })

    test('build makes an image that runs', async () => {
      writeFileSync(join(folder, 'Dockerfile'), 'FROM busybox\nCOPY in /in\nCMD ["cat", "/in"]\n')
      writeFileSync(join(folder, 'in'), 'built\n')
      const tag = own('image')
      expect((await docker.run(['build', '-q', '-t', tag, folder])).code).toBe(0)
      expect((await docker.run(['run', '--rm', tag])).stdout).toBe('built\n')
      await docker.run(['rmi', tag])
    })

    test('save and load carry an image', async () => {
      const tag = own('saved')
      const file = join(folder, 'saved.tar')
      await docker.run(['tag', 'busybox', tag])
      expect((await docker.run(['save', '-o', file, tag])).code).toBe(0)
      await docker.run(['rmi', tag])
      const { code, stdout } = await docker.run(['load', '-i', file])
      expect([code, stdout]).toEqual([0, `Loaded image: ${tag}:latest\n`])
      await docker.run(['rmi', tag])
    })
  })
})
