import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { run } from '../clients/command.ts'
import { eventually } from '../support/client.ts'
import { dockerCommand } from '../support/docker-command.ts'
import { Client, type Reply } from './support/client.ts'
import { type Call, dangerous, portainer, traefik } from './support/preset-programs.ts'
import { registryFor } from './support/registry-process.ts'
import { type LiveEngine, onEngines, withBridge } from './support/suites.ts'

const PORT = 5098
const docker = await dockerCommand()
const count = { programs: 0, allowed: 0, tried: 0, refused: 0 }
afterAll(() =>
  process.stdout.write(
    `presets on real engines: ${count.allowed} calls of ${count.programs} programs let through, ` +
      `${count.tried} dangerous ones tried, ${count.refused} refused\n`,
  ),
)

/** A container of the test's own, and the values for the names in braces in a program's calls. */
function withContainer(engine: LiveEngine, preset: string): { fill: (text: string) => string; container: string } {
  const direct = Client.ofEngine(engine.socket)
  const container = `preset-${preset}-${process.pid}`
  const other = `${container}-other`
  beforeAll(() => direct.run({ Cmd: ['sleep', '600'], Tty: true }, container))
  afterAll(async () => {
    for (const name of [container, other, `${other}-old`]) await direct.delete(`/containers/${name}?force=1&v=1`)
  })
  return { container, fill: (text) => text.replaceAll('{container}', container).replaceAll('{other}', other) }
}

function send(client: Client, fill: (text: string) => string, { method, path, body = {} }: Call): Promise<Reply> {
  const json: unknown = body.json === undefined ? undefined : JSON.parse(fill(JSON.stringify(body.json)))
  return client.call(method, fill(path), json === undefined ? body : { ...body, json })
}

const wasForbidden = ({ head }: Reply): boolean => head.headers['enginebridge-error'] === 'forbidden'

/** One preset: a bridge, the calls of its program, and calls that it must refuse. */
function preset(engine: LiveEngine, name: string, calls: readonly Call[], program?: Program): void {
  describe(`the preset ${name}`, () => {
    const { socket, get } = withBridge(engine, ['--policy', name, '--validation', 'off'])
    const { fill, container } = withContainer(engine, name)
    const client = new Client(socket)

    test('lets its program make every call', async () => {
      const from = get().audit().length
      for (const call of calls) {
        const reply = await send(client, fill, call)
        expect([call.method, call.path, wasForbidden(reply) ? reply.said : '']).toEqual([call.method, call.path, ''])
      }
      await program?.({ socket, container, engine })
      const decided = (decision: string) =>
        get()
          .audit()
          .slice(from)
          .filter(({ policy }) => (policy as { decision?: string } | undefined)?.decision === decision)
      const missing = (): unknown[] => {
        const seen = new Set(decided('allowed').map(({ operation }) => operation))
        return calls.map(({ operation }) => operation).filter((operation) => !seen.has(operation))
      }
      await eventually(() => missing().length === 0, 'the audit has every call').catch(() => undefined)
      expect(missing()).toEqual([])
      expect(decided('denied').map(({ operation, path }) => [operation, path])).toEqual([])
      const allowed = decided('allowed')
      count.programs++
      count.allowed += new Set(allowed.map(({ auditId }) => auditId)).size
    }, 120_000)

    test('refuses what would give away the host', async () => {
      const held: string[] = []
      const through: string[] = []
      for (const call of dangerous[name] ?? []) {
        count.tried++
        const reply = await send(client, fill, call)
        const { operation, path } = call
        if (reply.status === 403 && wasForbidden(reply)) held.push(operation)
        else through.push(`${operation} ${path}: ${reply.said}`)
      }
      count.refused += held.length
      expect(through).toEqual([])
      expect(held.length).toBeGreaterThan(5)
    })
  })
}

type Program = (stage: { socket: string; container: string; engine: LiveEngine }) => Promise<void>

/**
 * containrrr/watchtower, pkg/container/client.go and pkg/lifecycle, with its default version, 1.25: looks for what runs, pulls
 * its image, runs a hook inside, kills and removes it, makes it again under its name and networks, and removes the old image.
 */
const watchtower: Program = async ({ socket, engine }) => {
  const direct = Client.ofEngine(engine.socket)
  const name = `watched-${process.pid}`
  const image = `127.0.0.1:${PORT}/watched:latest`
  await direct.post(`/images/busybox/tag?repo=${image.replace(':latest', '')}&tag=latest`)
  await direct.post('/networks/create', { Name: `${name}-net` })
  await direct.run({ Image: image, Cmd: ['sleep', '600'], HostConfig: { NetworkMode: `${name}-net` } }, name)
  const docker = new Docker({ socketPath: socket, version: 'v1.25' })
  try {
    await docker.ping()
    const running = await docker.listContainers({ filters: { status: ['running'] } })
    expect(running.flatMap(({ Names }) => Names)).toContain(`/${name}`)
    const info = await docker.getContainer(name).inspect()
    const old = docker.getContainer(info.Id)
    await docker.getImage(info.Image).inspect()
    await pulled(docker, image)
    expect((await docker.getImage(image).inspect()).Id).toMatch(/^sha256:/)
    const exec = await old.exec({ Cmd: ['true'], AttachStdout: true, AttachStderr: true, Tty: true })
    const stream = await exec.start({ Tty: true, hijack: true })
    stream.resume()
    await new Promise((resolve) => stream.on('close', resolve).on('end', resolve))
    expect((await exec.inspect()).ExitCode).toBe(0)
    await old.rename({ name: `${name}-renamed` }) // as Watchtower does with its own container
    await old.kill({ signal: 'SIGKILL' })
    await old.remove({ force: true, v: false })
    const made = await docker.createContainer({
      name,
      Image: image,
      Cmd: ['sleep', '600'],
      HostConfig: info.HostConfig,
    })
    const network = docker.getNetwork(`${name}-net`)
    await network.disconnect({ Container: made.id, Force: true })
    await network.connect({ Container: made.id, EndpointConfig: {} })
    await made.start()
    expect((await made.inspect()).State.Running).toBe(true)
  } finally {
    for (const one of [name, `${name}-renamed`]) await direct.delete(`/containers/${one}?force=1`)
    await docker.getImage(image).remove()
    await direct.delete(`/networks/${name}-net`)
  }
}

async function pulled(docker: Docker, image: string): Promise<void> {
  const stream = await docker.pull(image)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  docker.modem.followProgress(stream, (error) => (error ? reject(error) : resolve()))
  await promise
}

/** The docker commands of a person who may only look. */
const looking: readonly (readonly string[])[] = [
  ['version'],
  ['info'],
  ['ps', '-a'],
  ['images'],
  ['history', 'busybox'],
  ['inspect', '{container}'],
  ['logs', '{container}'],
  ['top', '{container}'],
  ['stats', '--no-stream', '{container}'],
  ['diff', '{container}'],
  ['port', '{container}'],
  ['network', 'ls'],
  ['network', 'inspect', 'bridge'],
  ['volume', 'ls'],
  ['system', 'df'],
  ['plugin', 'ls'],
]

/** The commands of CI jobs: build, run, inspect, copy both ways, push, clean up. `docker build` without BuildKit, see docs/policy.md. */
const building: readonly (readonly string[])[] = [
  ['build', '-t', '127.0.0.1:5098/ci:one', '{folder}'],
  ['run', '--rm', '127.0.0.1:5098/ci:one', 'cat', '/in'],
  ['network', 'create', '{container}-net'],
  ['volume', 'create', '{container}-vol'],
  ['run', '-d', '--name', '{container}-job', '--network', '{container}-net', '-v', '{container}-vol:/data'].concat([
    '-m',
    '64m',
    '-e',
    'A=b',
    '-p',
    '127.0.0.1::80',
    'busybox',
    'sleep',
    '600',
  ]),
  ['exec', '{container}-job', 'true'],
  ['cp', '{folder}/in', '{container}-job:/tmp/in'],
  ['cp', '{container}-job:/tmp/in', '-'],
  ['logs', '{container}-job'],
  ['commit', '{container}-job', '{container}-image'],
  ['tag', 'busybox', '127.0.0.1:5098/ci:two'],
  ['save', '-o', '{folder}/image.tar', '{container}-image'],
  ['load', '-i', '{folder}/image.tar'],
  ['rmi', '{container}-image', '127.0.0.1:5098/ci:two', '127.0.0.1:5098/ci:one'],
  ['pull', '127.0.0.1:5098/ci:three'],
  ['rmi', '127.0.0.1:5098/ci:three'],
  ['rm', '-f', '{container}-job'],
  ['volume', 'rm', '{container}-vol'],
  ['network', 'rm', '{container}-net'],
]

/** Each command has to succeed. */
function dockerRuns(lines: readonly (readonly string[])[]): Program {
  return async ({ socket, container }) => {
    const folder = mkdtempSync(join(inject('live').folder, 'preset-'))
    writeFileSync(join(folder, 'Dockerfile'), 'FROM busybox\nCOPY in /in\n')
    writeFileSync(join(folder, 'in'), 'carried\n')
    const env = { PATH: process.env['PATH'], HOME: folder, DOCKER_CONFIG: folder, DOCKER_BUILDKIT: '0' }
    for (const line of lines) {
      const args = line.map((word) => word.replace('{container}', container).replace('{folder}', folder))
      const { code, stderr } = await run(docker ?? '', args, { ...env, DOCKER_HOST: `unix://${socket}` })
      expect([args.join(' '), code, code === 0 ? '' : stderr]).toEqual([args.join(' '), 0, ''])
    }
  }
}

await onEngines(['28.5-min1.44'], (engine) => {
  let close = (): void => undefined
  beforeAll(async () => {
    close = await registryFor(engine.socket, PORT)
  })
  afterAll(() => close())

  preset(engine, 'traefik', traefik)
  preset(engine, 'portainer', portainer)
  preset(engine, 'watchtower', [], watchtower)
  preset(engine, 'read-only', [], dockerRuns(looking))
  preset(engine, 'ci', [], dockerRuns(building))

  // On cgroup v1 the bridge itself named the host's cgroup namespace, and the policy refused that.
  describe('the preset ci', () => {
    const { socket } = withBridge(engine, ['--policy', 'ci'])
    test('lets a client of 1.22 make a container, and start it with a HostConfig', async () => {
      const client = new Client(socket, '1.22')
      const id = await client.create({ Cmd: ['sleep', '600'], HostConfig: { Memory: 67108864 } })
      expect((await client.post(`/containers/${id}/start`, { CapDrop: ['CHOWN'], Dns: ['9.9.9.9'] })).said).toBe('204 ')
      await client.delete(`/containers/${id}?force=1`)
    })
  })
})
