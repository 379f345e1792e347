import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, eventually, RawConnection } from '../support/client.ts'
import { bridgeProcess, engineProcess, Process } from '../support/processes.ts'
import { PROGRAM } from '../support/program.ts'
import { tally } from '../support/tally.ts'

tally('faults of the program’s surroundings')

describe('the program', () => {
  const stage = stages()
  const running: Process[] = []
  afterEach(async () => {
    for (const one of running.splice(0)) await one.kill()
  })

  async function start(flags: readonly string[], limit?: number): Promise<{ bridge: Process; socket: string }> {
    const engine = join(stage.folder(), 'engine.sock')
    const socket = join(stage.folder(), 'bridge.sock')
    running.push(await engineProcess(engine, join(stage.folder(), 'ledger')))
    const bridge = await bridgeProcess(socket, engine, flags, limit)
    running.push(bridge)
    return { bridge, socket }
  }

  it('says that its descriptors are at an end, and serves again when there are some', async () => {
    const { bridge, socket } = await start(['--audit-log', 'off'], 60)
    await call(socket, '/v1.44/_ping')
    const before = bridge.sockets
    const clients = Array.from({ length: 150 }, () => new RawConnection(socket))
    for (const client of clients) client.send('GET /v1.44/events HTTP/1.1\r\nHost: d\r\n\r\n')
    await eventually(() => bridge.descriptors().length >= 55, 'nearly all descriptors are taken', 20_000)
    await Promise.any(clients.map((one) => one.until((text) => text.includes('no file descriptor is left'), 20_000)))
    for (const client of clients) client.socket.destroy()
    await eventually(() => bridge.sockets <= before + 2, 'they are given back', 20_000)
    expect((await call(socket, '/v1.44/_ping')).status).toBe(200)
    expect(bridge.alive).toBe(true)
  }, 60_000)

  it('lives through a full disk under its audit log', async () => {
    const { bridge, socket } = await start(['--audit-log', '/dev/full'])
    for (let i = 0; i < 20; i++) expect([200, 503]).toContain((await call(socket, '/v1.44/_ping')).status)
    expect(bridge.alive).toBe(true)
  }, 60_000)

  it.each(['1', '2'])(
    'lives through a full disk under its own log, with --workers %s',
    async (workers) => {
      const socket = join(stage.folder(), 'bridge.sock')
      const where = ['--listen', `unix://${socket}`, '--engine', `unix://${join(stage.folder(), 'none.sock')}`]
      const flags = [...where, '--state', 'off', '--audit-log', 'off', '--policy', 'all', '--workers', workers]
      const bridge = new Process(['sh', '-c', 'exec "$@" 2>/dev/full', 'sh', ...PROGRAM, ...flags])
      running.push(bridge)
      const status = (): Promise<number> =>
        call(socket, '/_ping').then(
          (answer) => answer.status,
          () => 0,
        )
      await expect.poll(status, { timeout: 60_000 }).toBe(503)
      bridge.child.kill('SIGHUP')
      for (let i = 0; i < 20; i++) expect((await call(socket, '/v1.44/info')).status).toBe(503)
      expect(bridge.alive).toBe(true)
      await bridge.kill('SIGTERM')
      expect(bridge.child.exitCode).toBe(0)
    },
    90_000,
  )

  it.each(['json', 'pretty'])(
    'goes on with its log of format %s when the disk has room again',
    async (format) => {
      const [socket, log] = [join(stage.folder(), 'bridge.sock'), join(stage.folder(), 'log')]
      writeFileSync(log, 'x'.repeat(1 << 16))
      const where = ['--listen', `unix://${socket}`, '--engine', `unix://${join(stage.folder(), 'none.sock')}`]
      const flags = [...where, '--state', 'off', '--audit-log', 'off', '--policy', 'all', '--log-format', format]
      const bridge = new Process(['sh', '-c', `ulimit -f 8; exec "$@" 2>>${log}`, 'sh', ...PROGRAM, ...flags])
      running.push(bridge)
      await expect.poll(() => existsSync(socket), { timeout: 60_000 }).toBe(true)
      expect(readFileSync(log, 'utf8')).not.toContain('listening')
      truncateSync(log)
      await bridge.kill('SIGTERM')
      expect(readFileSync(log, 'utf8')).toContain('stopped')
    },
    90_000,
  )

  it('keeps nothing of clients that are gone, at whatever stage they left', async () => {
    const { bridge, socket } = await start(['--audit-log', 'off'])
    await call(socket, '/v1.44/_ping')
    const create = '{"Image":"x","HostConfig":{"Memory":1}}'
    const head = `POST /v1.18/containers/create HTTP/1.1\r\nHost: d\r\nContent-Type: application/json\r\nContent-Length: ${create.length}\r\n\r\n`
    const stages: readonly [what: string, bytes: string, until?: string][] = [
      ['connected', ''],
      ['half a request line', 'GET /v1.4'],
      ['half a head', 'GET /v1.44/_ping HTTP/1.1\r\nHo'],
      ['half a body that is read', head + create.slice(0, 9)],
      ['half a body that streams', 'POST /v1.44/build HTTP/1.1\r\nHost: d\r\nContent-Length: 100000\r\n\r\nabc'],
      ['a change that is under way', 'POST /v1.44/containers/never/stop HTTP/1.1\r\nHost: d\r\n\r\n'],
      ['records', 'GET /v1.18/events HTTP/1.1\r\nHost: d\r\n\r\n', '"status"'],
      ['pass', 'GET /v1.44/containers/x/export HTTP/1.1\r\nHost: d\r\n\r\n', 'xxx'],
      [
        'a tunnel',
        'POST /v1.44/containers/x/attach HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\nhi',
        'hi',
      ],
      ['a hijack', 'POST /v1.18/containers/x/attach HTTP/1.1\r\nHost: d\r\n\r\nhi', 'hi'],
      ['half the body of an exec', 'POST /v1.44/exec/x/start HTTP/1.1\r\nHost: d\r\nContent-Length: 9\r\n\r\n{"T'],
      ['calls ahead', 'GET /v1.44/containers/never HTTP/1.1\r\nHost: d\r\n\r\n'.repeat(5)],
    ]
    for (let round = 0; round < 10; round++) {
      const clients = stages.map(([, bytes, until]) => {
        const client = new RawConnection(socket)
        client.send(bytes)
        return { client, until }
      })
      for (const { client, until } of clients) {
        if (until !== undefined) await client.until((text) => text.includes(until), 20_000)
        if (round % 2 === 0) client.finish() // half closed first
        client.socket.destroy()
      }
    }
    // The idle connections of two pools may stay: what matters is that 120 clients leave no more than a few.
    await eventually(() => bridge.sockets <= 25, `few sockets are left, there are ${bridge.sockets}`, 20_000)
    expect((await call(socket, '/v1.44/_ping')).status).toBe(200)
  }, 60_000)
})
