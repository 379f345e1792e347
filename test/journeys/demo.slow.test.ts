import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { lstat, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startFakeEngine } from '../../src/tools/fake-engine/engine.ts'

/** The programs of the first minute, run as `npm start` and `npm run demo` run them, with sockets in a folder of ours. */
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'first-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

interface Run {
  readonly out: () => string
  readonly ended: Promise<number | null>
  stop(signal: NodeJS.Signals): void
}

type Program = ChildProcessByStdio<null, Readable, Readable>

function run(
  script: string,
  env: Record<string, string>,
  args: readonly string[] = [],
  started: (child: Program) => void = () => undefined,
): Run {
  const child = spawn(process.execPath, ['--disable-warning=DEP0060', `src/cli/commands/${script}.ts`, ...args], {
    env: { PATH: process.env['PATH'] ?? '', TMPDIR: folder, ENGINEBRIDGE_CANDIDATES: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
  const { promise, resolve } = Promise.withResolvers<number | null>()
  child.once('close', resolve)
  return { out: () => text, ended: promise, stop: (signal) => child.kill(signal) }
}

const until = (started: Run, wanted: string): Promise<void> =>
  expect
    .poll(started.out, { timeout: 15_000 })
    .toContain(wanted)
    .then(() => undefined)

async function get(socketPath: string, path: string): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  http.get({ socketPath, path, agent: false }, resolve).on('error', reject)
  const answer = await promise
  let text = ''
  for await (const chunk of answer as AsyncIterable<Buffer>) text += chunk.toString()
  return { status: answer.statusCode ?? 0, text }
}

describe('npm run demo', () => {
  test('plays both sessions on the fake engine, shows both sides of a call, and ends with 0 and no socket left', async () => {
    const demo = run('demo', { COLUMNS: '120' })
    expect({ code: await demo.ended, out: demo.out() }).toMatchObject({ code: 0 })
    const out = demo.out()
    expect(out).toContain('NO ENGINE FOUND: this is a STAND-IN')
    expect(out).toContain('client version 1.18 is too old. Minimum supported API version is 1.44')
    // The string of 1.18 on the left, the list that Engine 29 wants on the right.
    expect(out).toMatch(/"Entrypoint": "sh" +~ {3}"Entrypoint": \["sh"\]/)
    expect(out).toMatch(/POST \/v1\.18\/containers\/create\S* +~ POST \/v1\.44\/containers\/create/)
    // Limits left the top and came back under HostConfig, by a change that is named.
    expect(out).toMatch(/^ {2}"Memory": 67108864 +<$/m)
    expect(out).toMatch(/^ +> {5}"Memory": 67108864$/m)
    expect(out).toContain('1.19/create-legacy-top-level')
    // An error as text for the old client, as JSON from the engine.
    expect(out).toMatch(/^Content-Type: text\/plain; charset=utf-8 +~ Content-Type: application\/json$/m)
    for (const version of ['1.18', '1.22']) {
      expect(out).toContain(`A client of API ${version}`)
      expect(out).toMatch(new RegExp(`<stdout> hello from ${version} +│ <stdout> hello from ${version}`))
    }
    expect(out).toMatch(/26 calls, every one answered as a client of its version expects/)
    expect(await readdir(folder)).toEqual([])
  })

  test('has no control sequences when it is piped, and is stacked where there is no room for columns', async () => {
    const demo = run('demo', { COLUMNS: '80' })
    expect(await demo.ended).toBe(0)
    expect(demo.out()).not.toContain('\x1b')
    expect(demo.out()).toMatch(/^< {3}"Entrypoint": "sh"\n> {3}"Entrypoint": \["sh"\]$/m)
    const lines = demo.out().split('\n')
    expect(lines.filter((line) => line.length > 80 && !line.startsWith('**'))).toEqual([])
  })

  test('leaves nothing behind on the engine that it plays on', async () => {
    const engine = await startFakeEngine(join(folder, 'engine.sock'))
    const demo = run('demo', { ENGINEBRIDGE_CANDIDATES: `unix://${engine.path}` })
    expect({ code: await demo.ended, out: demo.out() }).toMatchObject({ code: 0 })
    expect(demo.out()).not.toContain('NO ENGINE FOUND')
    expect((await get(engine.path, '/v1.53/containers/json?all=1')).text).toBe('[]\n')
    await engine.close()
  })

  test('ends without a stack, and leaves nothing behind, when its reader has enough (`| head`)', async () => {
    const demo = run('demo', {}, [], ({ stdout }) => stdout.once('data', () => stdout.destroy()))
    await demo.ended
    expect(demo.out()).not.toContain('EPIPE')
    expect(await readdir(folder)).toEqual([])
  })

  test('ends with 2 and its usage on a flag that it does not have', async () => {
    const demo = run('demo', {}, ['--nonesuch'])
    expect(await demo.ended).toBe(2)
    expect(demo.out()).toContain('the only flag of the demo is --engine ADDR')
  })
})

describe('npm start', () => {
  const socketOf = (): string => join(folder, `enginebridge-${userInfo().uid}`, 'docker.sock')

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'stands in loudly where there is no engine, serves 1.18 on a private socket, and ends with 0 on %s',
    async (signal) => {
      const nowhere = `unix://${join(folder, 'nonesuch.sock')}`
      const start = run('start', { ENGINEBRIDGE_CANDIDATES: `${nowhere} ssh://host` })
      await until(start, 'Ctrl-C ends it.')
      const socket = socketOf()
      expect(start.out()).toContain('NO ENGINE FOUND: this is a STAND-IN')
      expect(start.out()).toContain(`${nowhere}: there is no such socket`)
      expect(start.out()).toContain('it speaks API 1.44 to 1.53')
      expect(start.out()).toContain('Clients that speak API 1.12 to 1.53 are served on')
      expect(start.out()).toContain(`curl --unix-socket ${socket} http://docker/v1.18/containers/json`)
      expect(start.out()).toMatch(new RegExp(`DOCKER_HOST=unix://${socket} DOCKER_API_VERSION=1\\.\\d+ docker ps`))
      expect((await lstat(socket)).mode & 0o777).toBe(0o600)
      expect((await lstat(join(socket, '..'))).mode & 0o777).toBe(0o700)
      expect(await get(socket, '/v1.18/containers/json')).toEqual({ status: 200, text: '[]\n' })
      start.stop(signal)
      expect(await start.ended).toBe(0)
      expect(await readdir(join(socket, '..'))).toEqual([])
    },
  )

  test('takes the first candidate that answers and says nothing of a fake engine', async () => {
    const engine = await startFakeEngine(join(folder, 'engine.sock'))
    const start = run('start', { ENGINEBRIDGE_CANDIDATES: `unix:///nonesuch.sock unix://${engine.path}` })
    await until(start, 'Ctrl-C ends it.')
    expect(start.out()).toContain(`The engine is Docker Engine 29.1.0-dev at unix://${engine.path}`)
    expect(start.out()).not.toContain('STAND-IN')
    start.stop('SIGTERM')
    expect(await start.ended).toBe(0)
    await engine.close()
  })

  test('passes what comes after npm start -- to the configuration', async () => {
    const listen = `unix://${join(folder, 'own.sock')}`
    const start = run('start', {}, ['--listen', listen, '--announce-api', '1.30'])
    await until(start, 'Ctrl-C ends it.')
    expect(start.out()).toContain('Clients that speak API 1.12 to 1.30')
    expect((await get(join(folder, 'own.sock'), '/v1.31/version')).status).toBe(400)
    start.stop('SIGTERM')
    expect(await start.ended).toBe(0)
  })

  test('takes all settings from a file when one is given, and searches for nothing', async () => {
    const engine = await startFakeEngine(join(folder, 'engine.sock'))
    const own = join(folder, 'own.sock')
    await writeFile(join(folder, 'c.yaml'), `listen: unix://${own}\nengine: unix://${engine.path}\naudit-log: off\n`)
    const start = run('start', {}, ['--config', join(folder, 'c.yaml')])
    await until(start, 'Ctrl-C ends it.')
    expect(start.out()).not.toContain('STAND-IN')
    expect((await get(own, '/v1.18/containers/json')).status).toBe(200)
    start.stop('SIGTERM')
    expect(await start.ended).toBe(0)
    await engine.close()
  })

  test('reports what is wrong with the settings with 2, before anything else', async () => {
    const wrong = run('start', {}, ['--nonesuch', '--listen', 'nowhere'])
    expect(await wrong.ended).toBe(2)
    expect(wrong.out()).not.toContain('STAND-IN')
    expect(wrong.out()).toContain('--nonesuch is not a flag')
    expect(wrong.out()).toContain('"nowhere": an address is unix:///path or tcp://host:port')
  })
})
