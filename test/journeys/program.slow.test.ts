import { type ChildProcess, spawn } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import net from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, eventually, RawConnection } from '../support/client.ts'
import { PROGRAM } from '../support/program.ts'
import { scriptedEngine } from '../support/scripted-engine.ts'

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** The program as users run it, in a process of its own. */
class Program {
  readonly process: ChildProcess
  out = ''
  err = ''
  readonly ended: Promise<Ended>

  constructor(args: readonly string[], env: Record<string, string> = {}) {
    this.process = spawn(PROGRAM[0], [...PROGRAM.slice(1), ...args], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
    })
    this.process.stdout?.on('data', (chunk) => {
      this.out += chunk
    })
    this.process.stderr?.on('data', (chunk) => {
      this.err += chunk
    })
    this.ended = new Promise((resolve) =>
      this.process.on('close', (code) => resolve({ code, out: this.out, err: this.err })),
    )
  }
}

describe('the program', () => {
  const stage = stages()
  const nowhere = (): string => `unix://${join(stage.folder(), 'none.sock')}`
  const started: Program[] = []
  const run = (args: readonly string[], env: Record<string, string> = {}): Program => {
    const one = new Program(args, env)
    started.push(one)
    return one
  }
  afterEach(() => {
    for (const one of started.splice(0)) one.process.kill('SIGKILL')
  })

  it('exits 2 with every problem in words when the configuration cannot be used', async () => {
    const { code, err } = await run(['serve', '--listen', 'x', '--engine-api', 'y'], { ENGINEBRIDGE_LOG_LEVEL: 'z' })
      .ended
    expect(code).toBe(2)
    expect(err).toMatch(/--listen: "x"[\s\S]*--engine-api: "y"[\s\S]*ENGINEBRIDGE_LOG_LEVEL: must be one of/)
  })

  it('prints help and version', async () => {
    expect((await run(['--help']).ended).out).toMatch(/serve .*[\s\S]*connections/)
    expect((await run(['help', 'connections']).ended).out).toMatch(/--listen ADDR .*[\s\S]*--admin/)
    expect((await run(['--version']).ended).out).toMatch(/^enginebridge \d/)
  })

  it('serves, lets an open call finish after SIGTERM, and exits 0', async () => {
    const listen = join(stage.folder(), 'b.sock')
    const auditLog = join(stage.folder(), 'audit.log')
    const engine = await scriptedEngine(join(stage.folder(), 'e.sock'), {
      onRequest: (_req, res) => {
        res.writeHead(200)
        res.write('first ')
        setTimeout(() => res.end('last'), 400)
      },
    })
    const one = run(['--listen', `unix://${listen}`, '--engine', `unix://${engine.socket}`, '--audit-log', auditLog])
    await eventually(() => one.err.includes('listening on'), 'it listens')
    expect(statSync(listen).mode & 0o777).toBe(0o660)
    const open = call(listen, '/v1.18/containers/x/export')
    await eventually(() => engine.seen.length === 1, 'the call is at the engine')
    one.process.kill('SIGTERM')
    expect((await open).text).toBe('first last')
    expect((await one.ended).code).toBe(0)
    const records = (await readFile(auditLog, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    // A body that is passed on as bytes gets a record when it opens, too.
    expect(records).toMatchObject([
      { stage: 'received' },
      { stage: 'answered' },
      { stage: 'complete', status: 200, bytesOut: 10 },
    ])
    await engine.close()
  })

  it('cuts what is still open after the grace period, and exits 0', async () => {
    const listen = join(stage.folder(), 'b.sock')
    const engine = await scriptedEngine(join(stage.folder(), 'e.sock'), {
      onRequest: (_req, res) => {
        res.writeHead(200)
        res.flushHeaders()
      },
    })
    const one = run([
      '--listen',
      `unix://${listen}`,
      '--engine',
      `unix://${engine.socket}`,
      '--audit-log',
      'off',
      '--grace',
      '0.2',
    ])
    await eventually(() => one.err.includes('listening on'), 'it listens')
    const client = new RawConnection(listen)
    client.send('GET /v1.44/events HTTP/1.1\r\nHost: d\r\n\r\n')
    await client.until((text) => text.includes('200 OK'))
    one.process.kill('SIGTERM')
    await client.untilEnd()
    expect((await one.ended).code).toBe(0)
    await engine.close()
  })

  it('says in one line of words why it cannot start, and where it came from when asked for more', async () => {
    const address = `unix://${join(stage.folder(), 'debug/s.sock')}`
    const args = ['--listen', address, '--engine', nowhere(), '--audit-log', 'off']
    const [plain, debug] = await Promise.all([run(args).ended, run([...args, '--log-level', 'debug']).ended])
    const words = `cannot listen on ${address}: there is no directory ${join(stage.folder(), 'debug')}`
    expect([plain.code, plain.err]).toEqual([1, `enginebridge: ${words}\n`])
    expect([debug.code, debug.err]).toEqual([1, expect.stringContaining('"stack":')])
  }, 60_000)

  it('takes over a stale socket, but neither a live one nor a file', async () => {
    const path = join(stage.folder(), 's.sock')
    const engine = ['--engine', nowhere(), '--audit-log', 'off']
    const first = run(['--listen', `unix://${path}`, ...engine])
    await eventually(() => first.err.includes('listening on'), 'the first listens')
    const second = await run(['--listen', `unix://${path}`, ...engine]).ended
    expect([second.code, second.err]).toEqual([1, expect.stringContaining('another process serves it')])
    first.process.kill('SIGKILL')
    await first.ended
    const third = run(['--listen', `unix://${path}`, ...engine])
    await eventually(() => third.err.includes('listening on'), 'the third takes the stale socket over')
    const plain = join(stage.folder(), 'file')
    writeFileSync(plain, 'precious')
    expect((await run(['--listen', `unix://${plain}`, ...engine]).ended).err).toContain(
      'the path exists and is not a socket',
    )
    expect(await readFile(plain, 'utf8')).toBe('precious')
  }, 120_000) // four programs, one after the other

  it('pings through a running bridge with health', async () => {
    const { socket } = await stage({ onRequest: (_req, res) => res.end('OK') })
    const well = await run(['health', '--listen', `unix://${socket}`]).ended
    expect(well).toEqual({ code: 0, out: `healthy: unix://${socket}, and its engine answers\n`, err: '' })
    const none = nowhere()
    const nobody = await run(['health', '--listen', none]).ended
    expect([nobody.code, nobody.err]).toEqual([1, `unhealthy: ${none}: no bridge: there is no such socket\n`])
  })

  it('serves health and metrics on --admin', async () => {
    const port = await new Promise<number>((resolve) => {
      const probe = net.createServer().listen(0, '127.0.0.1', () => {
        const bound = probe.address()
        probe.close(() => resolve(typeof bound === 'object' && bound !== null ? bound.port : 0))
      })
    })
    const { socket } = await stage({ onRequest: (_req, res) => res.end('OK') }, ['--admin', `tcp://127.0.0.1:${port}`])
    await call(socket, '/v1.44/_ping')
    const get = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
    expect(await get('/livez')).toBe('ok\n')
    expect(await get('/readyz')).toBe('ok: engine 28.5.2\n')
    expect(await get('/metrics')).toMatch(
      /enginebridge_calls_total\{operation="SystemPing",method="GET",route="\/_ping",lane="pass",status="200"\} 1/,
    )
  })
})
