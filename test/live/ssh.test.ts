import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { run } from '../clients/command.ts'
import { cliEnvironment } from '../clients/docker-cli.ts'
import { listens } from '../support/client.ts'
import { dockerCommand } from '../support/docker-command.ts'
import { type Sshd, sshd } from '../support/sshd.ts'
import { bridgeSocket, LiveBridge } from './support/bridge.ts'
import { Client, demultiplex } from './support/client.ts'
import { onEngines } from './support/suites.ts'

const file = (await dockerCommand()) ?? ''
await onEngines(['28.5'], (engine) => {
  let folder = ''
  let server: Sshd
  let bridge: LiveBridge
  const docker = (args: readonly string[], input?: string) => {
    const settings = {
      file,
      socket: bridge.socket,
      version: undefined,
      buildkit: false,
      folder,
      plugins: undefined,
    }
    return run(file, args, cliEnvironment(settings), input === undefined ? {} : { input })
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(inject('live').folder, 'ssh-'))
    server = await sshd(folder)
    const env = { PATH: `${server.path}:${process.env['PATH']}` }
    bridge = new LiveBridge(bridgeSocket(), `ssh://far${engine.socket}`, [], env)
    await bridge.ready()
  })
  afterAll(async () => {
    await bridge.stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  describe('an engine behind ssh', () => {
    test('runs a container for the docker command, which pipes through it and learns its exit code', async () => {
      const { code, stdout } = await docker(
        ['run', '--rm', '-i', 'busybox', 'sh', '-c', 'cat; echo the end; exit 3'],
        'one\ntwo\n',
      )
      expect([code, stdout]).toEqual([3, 'one\ntwo\nthe end\n'])
    })

    test('carries exec and attach of the docker command, each side ended on its own', async () => {
      const { stdout } = await docker(['create', '-i', 'busybox', 'sh', '-c', 'cat; echo bye'])
      const id = stdout.trim()
      expect((await docker(['start', '-ai', id], 'typed\n')).stdout).toBe('typed\nbye\n')
      const other = (await docker(['run', '-d', 'busybox', 'sleep', '600'])).stdout.trim()
      expect((await docker(['exec', '-i', other, 'sh', '-c', 'cat; echo out'], 'in\n')).stdout).toBe('in\nout\n')
      await docker(['rm', '-f', other])
      await docker(['rm', '-f', id])
    })

    test('carries the half-close of a client of 1.22 that attaches over a raw connection', async () => {
      const client = new Client(bridge.socket, '1.22')
      const reader = { OpenStdin: true, StdinOnce: true, AttachStdin: true, AttachStdout: true }
      const id = await client.create({ ...reader, Cmd: ['sh', '-c', 'cat | wc -c'] })
      const { wire } = await client.hijack(`/containers/${id}/attach?stream=1&stdin=1&stdout=1`, 'plain')
      await client.post(`/containers/${id}/start`)
      wire.write(Buffer.alloc(3 << 20, 'x'))
      wire.halfClose()
      expect(demultiplex(await wire.rest()).stdout).toBe(`${3 << 20}\n`)
    })

    test('uses one connection of ssh for all its calls, many at the same time', async () => {
      const client = new Client(bridge.socket, '1.41')
      const replies = await Promise.all(Array.from({ length: 30 }, () => client.get('/containers/json?all=1')))
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
      expect(server.accepted()).toBe(1)
    })

    test('is connected anew after its connection was cut', async () => {
      const before = server.accepted()
      server.cut()
      const client = new Client(bridge.socket, '1.41')
      const statuses: number[] = []
      while (statuses.at(-1) !== 200 && statuses.length < 50) statuses.push((await client.get('/info')).status)
      expect(statuses.at(-1)).toBe(200)
      expect(server.accepted()).toBe(before + 1)
    })
  })

  test('is connected anew after the shell that guards its ssh was killed', async () => {
    execFileSync('kill', ['-9', ...guards(engine.socket)])
    const client = new Client(bridge.socket, '1.41')
    const statuses: number[] = []
    while (statuses.at(-1) !== 200 && statuses.length < 50) statuses.push((await client.get('/info')).status)
    expect(statuses.at(-1)).toBe(200)
  })

  test('ssh ends when the bridge is killed, and leaves no folder', async () => {
    const TMPDIR = mkdtempSync(join(folder, 'tmp-'))
    const env = { PATH: `${server.path}:${process.env['PATH']}`, TMPDIR }
    const other = new LiveBridge(bridgeSocket(), `ssh://far${engine.socket}`, [], env)
    await other.ready()
    const running = (): number => sessions(engine.socket)
    const before = running()
    await other.kill()
    for (let i = 0; running() === before && i < 100; i++) await sleep(20)
    expect(running()).toBe(before - 1)
    expect(readdirSync(TMPDIR)).toEqual([])
  })

  test('what ssh says is told where there is no way to the engine', async () => {
    const env = { PATH: `${server.path}:${process.env['PATH']}` }
    const other = new LiveBridge(bridgeSocket(), 'ssh://nobody@far', [], env)
    const client = new Client(other.socket)
    while (!(await listens(other.socket))) await sleep(20)
    const said = await client.get('/info')
    expect(said.said).toMatch(/^503 .*cannot reach the engine at ssh:\/\/nobody@far: .*Permission denied/s)
    await other.stop()
  })
})

/** How many of ssh forward that socket. */
const sessions = (socket: string): number => guards(socket).length

/** The parents of those that forward that socket. */
function guards(socket: string): string[] {
  const all = execFileSync('ps', ['-eo', 'comm,ppid,args'], { encoding: 'utf8' }).split('\n')
  const own = all.filter((line) => line.startsWith('ssh ') && line.includes(`:${socket}`))
  return own.map((line) => line.split(/\s+/)[1] ?? '')
}
