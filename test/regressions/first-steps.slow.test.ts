import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { AuditRecord } from '../../src/audit/record/record.ts'
import { UsageError } from '../../src/cli/command.ts'
import { dispatch } from '../../src/cli/dispatch.ts'
import { LEAST_NODE } from '../../src/cli/node-version.ts'
import { formatAddress } from '../../src/http/address.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'
import type { checkSocket } from '../../src/tools/doctor/socket.ts'
import { startFakeEngine } from '../../src/tools/fake-engine/engine.ts'
import { stages } from '../support/bridge.ts'
import { call, eventually, RawConnection } from '../support/client.ts'
import { captured } from '../support/io.ts'
import { NODE_FLAGS } from '../support/node-flags.ts'
import { Process } from '../support/processes.ts'

const ROOT = join(import.meta.dirname, '../..')
const PATIENCE_MS = 60_000

const said = async (...args: string[]): Promise<string> => {
  const io = captured()
  await dispatch(args, io)
  return io.out()
}

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

function ended(file: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>()
  execFile(file, args, { env }, (cause, out, err) =>
    resolve({ code: cause === null ? 0 : Number(cause.code), out, err }),
  )
  return promise
}

describe('--remember-answers 0', () => {
  it('is none, as documented; sizes that mean nothing at 0 are refused', () => {
    expect(readConfig(['--remember-answers', '0'], {})['remember-answers']).toBe(0)
    expect(() => readConfig(['--max-record', '0'], {})).toThrow('"0" is not understood')
  })
})

describe('explain', () => {
  it('shows no example of another call', async () => {
    const text = await said('explain', '1.22', '28.5', 'PUT', '/containers/x/archive')
    expect(text).toContain('1.25/error-words')
    expect(text).not.toContain('status=bogus')
    expect(await said('explain', '1.22', '28.5', 'GET', '/containers/json')).toContain('status=bogus')
    const json = JSON.parse(await said('explain', '1.22', '28.5', 'PUT', '/containers/x/archive', '--json')) as {
      operations: { changes: { examples: { on: string }[] }[] }[]
    }
    const on = json.operations.flatMap(({ changes }) =>
      changes.flatMap(({ examples }) => examples.map((one) => one.on)),
    )
    expect(new Set(on)).toEqual(new Set(['PutContainerArchive']))
  })

  it.each(['Docker 99', '30.1', '1.60', 'podman 99', 'podman nonsense'])(
    'invents no engine: %s is none that is known, and the newest ones are named',
    async (engine) => {
      const failure = dispatch(['explain', '1.22', engine], captured())
      await expect(failure).rejects.toBeInstanceOf(UsageError)
      await expect(failure).rejects.toThrow(
        /is not a known engine: .* The newest known are Docker \d+\.\d+ and API 1\.\d+/,
      )
      await expect(dispatch(['matrix', `1.22:${engine}`], captured())).rejects.toThrow('is not CLIENT:ENGINE')
    },
  )
})

describe('doctor', () => {
  const stage = stages()

  it.skipIf(process.getuid?.() !== 0)(
    'advises to join a group only where that helps, and never that of root',
    async () => {
      const fakeEngine = await startFakeEngine(join(stage.folder(), 'e.sock'))
      chmodSync(stage.folder(), 0o755)
      const program = join(ROOT, 'src/tools/doctor/socket.ts')
      const script = `process.setgroups([]); process.setgid(65534); process.setuid(65534); const { checkSocket } = await import(${JSON.stringify(program)})
      console.log(JSON.stringify(await checkSocket({ kind: 'unix', path: ${JSON.stringify(fakeEngine.path)} })))`
      const advice = async (gid: string, mode: number): Promise<string> => {
        expect(await ended('chgrp', [gid, fakeEngine.path])).toMatchObject({ code: 0 })
        chmodSync(fakeEngine.path, mode)
        const { out, err } = await ended(process.execPath, ['--input-type=module', '-e', script])
        expect(err).toBe('')
        return (JSON.parse(out) as Awaited<ReturnType<typeof checkSocket>>).findings[0]?.advice ?? ''
      }
      expect(await advice('4321', 0o660)).toContain('usermod -aG 4321 USER')
      for (const useless of [await advice('0', 0o660), await advice('4321', 0o600)]) {
        expect(useless).not.toContain('usermod')
        expect(useless).toMatch(/group of its own/)
      }
      await fakeEngine.close()
    },
  )

  it('and health leave nothing in the audit log of a bridge that they ask', async () => {
    const fakeEngine = await startFakeEngine(join(stage.folder(), 'e.sock'))
    const bridge = await stage.bridge(fakeEngine.path, ['--listen', 'tcp://127.0.0.1:0', '--policy', 'read-only'])
    const ask = (...args: string[]): Promise<number> => dispatch(args, captured())
    for (const address of bridge.addresses.map(formatAddress)) {
      expect(await ask('doctor', fakeEngine.path, '--listen', address)).toBe(0)
      expect(await ask('health', '--listen', address)).toBe(0)
    }
    await fakeEngine.close()
    const io = captured()
    expect(await dispatch(['health', '--listen', `unix://${bridge.socket}`], io)).toBe(1)
    expect(io.err()).toMatch(/answered 503: cannot learn the engine's version/)
    expect(bridge.audit).toEqual([])
  })

  it('and health ask for nothing that another call could hide behind, and no page of another site may ask', async () => {
    const { socket, bridge, engine, audit } = await stage({}, ['--listen', 'tcp://127.0.0.1:0'])
    for (const [method, path] of [
      ['POST', '/_enginebridge/ready'],
      ['GET', '/_enginebridge/ready?x'],
      ['GET', '/v1.44/_enginebridge/ready'],
      ['GET', '/_enginebridge/ready/../../containers/json'],
    ] as const)
      void call(socket, path, { method }).catch(() => undefined)
    await eventually(() => new Set(audit.map(({ auditId }) => auditId)).size === 4, 'each has a record')
    const tcp = bridge.addresses.find((address) => address.kind === 'tcp')
    const foreign = await fetch(`http://127.0.0.1:${tcp?.port}/_enginebridge/ready`, {
      headers: { Origin: 'http://evil.example' },
    })
    expect([foreign.status, foreign.headers.get('enginebridge-error')]).toEqual([403, 'forbidden'])
    expect(engine.seen.filter((line) => line.startsWith('GET /version'))).toEqual([])
  })
})

/** Its head comes at once from 1.30 on, its record when the container stops: 30 s of a wait were 30 s of the bridge. */
describe('a wait of a client below 1.30', () => {
  const stage = stages()
  const HELD_MS = 600
  const script = {
    onRequest: (_req: unknown, res: ServerResponse) => {
      res.writeHead(200, { 'Content-Type': 'application/json' })
      res.flushHeaders()
      setTimeout(() => res.end('{"StatusCode":0}\n'), HELD_MS)
    },
  }

  const durationOf = (audit: readonly Record<string, unknown>[]): NonNullable<AuditRecord['duration']> =>
    (audit.at(-1) as unknown as AuditRecord).duration ?? { total: 0, engine: 0, bridge: 0 }

  it("counts as the engine's time in the audit, not as the bridge's", async () => {
    const { socket, audit } = await stage(script)
    expect(await call(socket, '/v1.24/containers/x/wait', { method: 'POST' })).toMatchObject({ status: 200 })
    await eventually(() => audit.some(({ stage: at }) => at === 'complete'), 'it has its record')
    const { total, engine, bridge } = durationOf(audit)
    expect(engine).toBeGreaterThan(HELD_MS * 0.9)
    expect(bridge).toBeLessThan(engine)
    expect(engine + bridge).toBeLessThanOrEqual(total + 1)
  })

  it("is the engine's time also where the client leaves before the end", async () => {
    const { socket, audit, engine } = await stage({ ...script, onRequest: (_req, res) => res.flushHeaders() })
    const client = new RawConnection(socket)
    client.socket.write('POST /v1.24/containers/x/wait HTTP/1.1\r\nHost: d\r\nContent-Length: 0\r\n\r\n')
    await eventually(() => engine.seen.length === 1, 'the engine has it')
    await sleep(HELD_MS)
    client.socket.destroy()
    await eventually(() => audit.some(({ endedBy }) => endedBy === 'client'), 'it has its record')
    const duration = durationOf(audit)
    expect(duration.engine).toBeGreaterThan(HELD_MS * 0.9)
    expect(duration.bridge).toBeLessThan(duration.engine)
  })
})

describe('on a terminal', () => {
  it('of 0 columns, which does not know its width, a text is as wide as in a pipe', {
    timeout: PATIENCE_MS,
  }, async () => {
    const program = `${process.execPath} ${NODE_FLAGS.join(' ')} ${join(ROOT, 'src/main.ts')} explain 1.24 1.44`
    const widest = async (columns: number): Promise<number> => {
      const { out } = await ended('script', ['-qec', `stty cols ${columns}; ${program}`, '/dev/null'], {
        ...process.env,
        NO_COLOR: '1',
        COLUMNS: undefined,
      })
      const [opening = ''] = out.split(/\r?\n\r?\n/)
      return Math.max(...opening.split('\r\n').map((line) => line.length))
    }
    expect(await widest(0)).toBeGreaterThan(60)
    expect(await widest(60)).toBeLessThanOrEqual(60)
  })
})

describe('npm start', () => {
  const stage = stages()

  it("says the address of the inspector's page, and of --admin", { timeout: PATIENCE_MS }, async () => {
    const fakeEngine = await startFakeEngine(join(stage.folder(), 'e.sock'))
    const args = ['--engine', `unix://${fakeEngine.path}`, '--listen', `unix://${join(stage.folder(), 'b.sock')}`]
    const more = ['--inspect', 'tcp://127.0.0.1:0', '--admin', `unix://${join(stage.folder(), 'a.sock')}`]
    const env = { PATH: process.env['PATH'], TMPDIR: stage.folder() }
    const started = new Process(
      [process.execPath, ...NODE_FLAGS, join(ROOT, 'src/cli/commands/start.ts'), ...args, ...more],
      env,
    )
    await eventually(() => started.out.includes('Ctrl-C') || !started.alive, 'it serves', PATIENCE_MS)
    await started.kill('SIGTERM')
    expect(started.out).toContain(`a.sock`)
    const url = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(started.out)?.[0] ?? started.out + started.err
    expect(url).toMatch(/127\.0\.0\.1:[1-9]\d*\/.*token/)
    await fakeEngine.close()
  })
})

/** It printed 15 KB of its own source, and then what Node 20 lacks. */
describe('an older Node', () => {
  const stage = stages()
  const sentence = /^enginebridge needs Node\.js 22\.18 or newer, and \S+ is v?20\.20\.2: [^\n]*\n$/

  it('gets one sentence from the program, and 1', async () => {
    const older = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.20.2"})'
    const args = [...NODE_FLAGS, '--import', older, join(ROOT, 'src/main.ts'), 'version']
    expect(await ended(process.execPath, args)).toEqual({ code: 1, out: '', err: expect.stringMatching(sentence) })
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: { node: string } }
    expect(engines.node).toBe(`>=${LEAST_NODE}`)
  })

  it('gets one sentence from bin/setup where no Node is pinned for the machine; a build begins with that', async () => {
    const [checkout, bin] = [join(stage.folder(), 'checkout'), join(stage.folder(), 'bin')]
    for (const folder of [join(checkout, 'bin/runtime'), join(checkout, 'node_modules/.bin'), bin])
      mkdirSync(folder, { recursive: true })
    for (const file of ['bin/setup', 'package.json', 'package-lock.json', 'bin/runtime/package-lock.json'])
      cpSync(join(ROOT, file), join(checkout, file))
    const program = (name: string, text: string): void => writeFileSync(join(bin, name), text, { mode: 0o755 })
    program('npm', '#!/bin/sh\n')
    // Its `process.versions` are those of Node 20.20.2.
    const older = 'Object.defineProperty(process.versions,"node",{value:"20.20.2"})'
    program(
      'node',
      `#!/bin/sh\n[ "$1" = --version ] && { echo v20.20.2; exit; }\nexec '${process.execPath}' --import 'data:text/javascript,${older}' "$@"\n`,
    )
    const result = await ended(join(checkout, 'bin/setup'), [], { PATH: `${bin}:/usr/bin:/bin` })
    expect(result.code).toBe(1)
    expect(result.err.split('\n').at(-2)?.concat('\n')).toMatch(sentence)
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    for (const name of ['build', 'start', 'demo', 'test']) expect(scripts[name]).toMatch(/^bin\/setup( run| test)? && /)
  })
})
