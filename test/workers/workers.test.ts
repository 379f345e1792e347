import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Authority } from '../support/certificates.ts'
import { call, eventually, RawConnection } from '../support/client.ts'
import { bridgeProcess, Process } from '../support/processes.ts'
import { MAIN, PROGRAM } from '../support/program.ts'
import { type Script, type ScriptedEngine, scriptedEngine, socketFolder } from '../support/scripted-engine.ts'

const PATIENCE_MS = 60_000

/** The ids of a process's children (proc_pid_task(5)). */
const childrenOf = ({ pid }: Process): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

const socketsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => linkOf(`/proc/${pid}/fd/${fd}`).startsWith('socket:')).length

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return '' // closed while we looked
  }
}

/** One that has ended and was not waited for by anybody is dead too (a zombie). */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

describe('a bridge of several workers', { timeout: 120_000 }, () => {
  let folder = ''
  let cleanUp: (() => Promise<unknown>)[] = []
  beforeEach(async () => {
    const made = await socketFolder()
    folder = made.path
    cleanUp = [made.remove]
  })
  afterEach(async () => {
    for (const clean of cleanUp.reverse()) await clean()
  })

  async function stage(
    script: Script,
    ...flags: string[]
  ): Promise<{ bridge: Process; engine: ScriptedEngine; socket: string }> {
    const engine = await scriptedEngine(join(folder, 'engine.sock'), script)
    cleanUp.push(engine.close)
    const socket = join(folder, 'bridge.sock')
    const bridge = await bridgeProcess(socket, engine.socket, ['--workers', '2', ...flags])
    cleanUp.push(() => bridge.kill())
    return { bridge, engine, socket }
  }

  async function adminOf(bridge: Process, page: string): Promise<Response> {
    await eventually(() => bridge.err.includes('admin on'), 'the admin listener is up', PATIENCE_MS)
    const port = /admin on tcp:\/\/127\.0\.0\.1:(\d+)/.exec(bridge.err)?.[1]
    return fetch(`http://127.0.0.1:${port}/${page}`)
  }
  const metricsOf = async (bridge: Process): Promise<string> => (await adminOf(bridge, 'metrics')).text()
  const valuesOf = (metrics: string, name: string): number[] =>
    metrics
      .split('\n')
      .filter((line) => line.startsWith(name))
      .map((line) => Number(line.split(' ').at(-1)))
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

  const answers: Script = { onRequest: (_req, res) => void res.end('OK') }

  it('ends with 2 and a list of what is wrong with its settings, as one process does: it was 1 and no list', async () => {
    const policy = join(folder, 'audit.yaml')
    writeFileSync(policy, 'rules: [{ name: a, level: much }, { name: b, level: more }]')
    const settings = ['--listen', `unix://${join(folder, 'b.sock')}`, '--state', 'off', '--audit-policy', policy]
    const ended = promisify(execFile)(process.execPath, [MAIN, 'serve', '--workers', '2', ...settings])
    const levels = 'must be one of none, metadata, request, requestResponse'
    const problems = [0, 1].map((rule) => `  - ${policy}: rules.${rule}.level: ${levels}\n`)
    const stderr = `enginebridge: the configuration cannot be used:\n${problems.join('')}`
    expect(await ended.catch((cause: unknown) => cause)).toMatchObject({ code: 2, stderr })
  })

  it.each(['async', 'blocking'])(
    'shares the calls, and writes one whole chain of %s audit records; the metrics count each call once',
    async (mode) => {
      const log = join(folder, 'audit.log')
      const { bridge, socket } = await stage(
        answers,
        ...['--audit-log', log, '--audit-mode', mode, '--audit-chain', 'on', '--admin', 'tcp://127.0.0.1:0'],
      )
      expect(childrenOf(bridge)).toHaveLength(2)
      const agents = Array.from({ length: 8 }, () => new http.Agent({ keepAlive: true, maxSockets: 1 }))
      const each = 40
      await Promise.all(
        agents.map(async (agent, client) => {
          for (let i = 0; i < each; i++) expect(await get(socket, `/v1.44/info?c=${client}-${i}`, agent)).toBe('OK')
          agent.destroy()
        }),
      )
      const metrics = await metricsOf(bridge)
      expect(valuesOf(metrics, 'enginebridge_calls_total{operation="SystemInfo"')).toEqual([8 * each])
      expect(valuesOf(metrics, 'enginebridge_call_seconds_count')).toEqual([8 * each])
      expect(valuesOf(metrics, 'enginebridge_build_info')).toEqual([1])
      expect(valuesOf(metrics, 'enginebridge_workers')).toEqual([2])
      await bridge.kill('SIGTERM')
      expect(bridge.child.exitCode).toBe(0)
      const records = readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      const ends = records.filter(({ stage: at }) => at !== 'received')
      expect(new Set(ends.map(({ auditId }) => auditId)).size).toBe(8 * each)
      const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'audit', 'verify', log])
      expect(stdout).toContain(`The chain is whole: ${records.length} lines`)
    },
  )

  it('carries tunnels, each side ending by itself, and both workers take connections', async () => {
    const { bridge, socket } = await stage(
      {
        onUpgrade: (_req, engine) => {
          engine.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
          const said: Buffer[] = []
          engine.on('data', (chunk: Buffer) => said.push(chunk))
          engine.on('end', () => engine.end(`heard ${Buffer.concat(said)}`))
        },
      },
      '--audit-log',
      'off',
    )
    const before = childrenOf(bridge).map(socketsOf)
    const tunnels = Array.from({ length: 4 }, () => new RawConnection(socket))
    for (const [i, tunnel] of tunnels.entries()) {
      tunnel.send(
        'POST /v1.44/containers/x/attach?stream=1 HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n',
      )
      await tunnel.until((text) => text.includes('101'), PATIENCE_MS)
      tunnel.send(`word ${i}`)
    }
    const now = childrenOf(bridge).map(socketsOf)
    for (const [i, count] of now.entries()) expect(count).toBeGreaterThan(before[i] ?? 0)
    for (const [i, tunnel] of tunnels.entries()) {
      tunnel.finish()
      expect(await tunnel.untilEnd(PATIENCE_MS)).toContain(`heard word ${i}`)
    }
  })

  it('is ready while one of its workers reaches the engine, and says why none does', async () => {
    const { bridge, engine } = await stage(answers, '--audit-log', 'off', '--admin', 'tcp://127.0.0.1:0')
    const ready = async (): Promise<[number, string]> => {
      const response = await adminOf(bridge, 'readyz')
      return [response.status, await response.text()]
    }
    expect(await ready()).toEqual([200, 'ok: engine 28.5.2\n'])
    const [first = 0] = childrenOf(bridge)
    process.kill(first, 'SIGSTOP')
    cleanUp.push(async () => process.kill(first, 'SIGCONT'))
    expect(await ready()).toEqual([200, 'ok: engine 28.5.2\n'])
    await engine.close()
    await expect
      .poll(ready, { timeout: PATIENCE_MS })
      .toEqual([503, expect.stringMatching(/^worker 1 does not answer/)])
  })

  it('starts another worker for one that is killed, and serves on meanwhile', async () => {
    const { bridge, socket } = await stage(answers, '--audit-log', 'off', '--admin', 'tcp://127.0.0.1:0')
    const [first = 0] = childrenOf(bridge)
    for (let i = 0; i < 4; i++) await call(socket, '/v1.44/info')
    const before = sum(valuesOf(await metricsOf(bridge), 'enginebridge_calls_total'))
    expect(before).toBe(4)
    process.kill(first, 'SIGKILL')
    await eventually(() => bridge.err.includes('a worker ended by itself'), 'the loss is told', PATIENCE_MS)
    for (let i = 0; i < 4; i++) expect((await call(socket, '/v1.44/info')).text).toBe('OK')
    let metrics = ''
    await eventually(
      () => !childrenOf(bridge).includes(first) && childrenOf(bridge).length === 2,
      'it is replaced',
      PATIENCE_MS,
    )
    while (!metrics.includes('enginebridge_workers 2')) metrics = await metricsOf(bridge)
    expect(valuesOf(metrics, 'enginebridge_worker_restarts_total')).toEqual([1])
    expect(sum(valuesOf(metrics, 'enginebridge_calls_total'))).toBe(8)
    for (let i = 0; i < 4; i++) expect((await call(socket, '/v1.44/info')).text).toBe('OK')
  })

  it('starts another worker for one that is killed as soon as there are descriptors for it', async () => {
    const { bridge } = await stage(answers, '--audit-log', 'off')
    const allow = (count: number): Promise<unknown> =>
      promisify(execFile)('prlimit', [`--pid=${bridge.pid}`, `--nofile=${count}:`])
    const [first = 0] = childrenOf(bridge)
    await allow(10)
    process.kill(first, 'SIGKILL')
    await eventually(() => bridge.err.includes('EMFILE'), 'there are none', PATIENCE_MS)
    await allow(1000)
    await eventually(() => childrenOf(bridge).length === 2, 'it is replaced', PATIENCE_MS)
  })

  it('lets open calls of all workers finish when it is told to end', async () => {
    const open: http.ServerResponse[] = []
    const engine = await scriptedEngine(join(folder, 'engine.sock'), { onRequest: (_req, res) => void open.push(res) })
    cleanUp.push(engine.close)
    const socket = join(folder, 'bridge.sock')
    const where = ['--listen', `unix://${socket}`, '--engine', `unix://${engine.socket}`]
    const bridge = new Process([...PROGRAM, ...where, '--workers', '2', '--audit-log', 'off', '--grace', '60'])
    cleanUp.push(() => bridge.kill())
    await eventually(() => bridge.err.includes('listening on'), 'the bridge listens', PATIENCE_MS)
    const calls = Array.from({ length: 4 }, () => call(socket, '/v1.44/info'))
    await eventually(() => open.length === 4, 'the engine has all calls', PATIENCE_MS)
    bridge.child.kill('SIGTERM')
    await eventually(() => bridge.err.split('draining: ').length === 3, 'both workers drain', PATIENCE_MS)
    await expect(call(socket, '/v1.44/info')).rejects.toThrow()
    for (const res of open) res.end('late')
    expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(['late', 'late', 'late', 'late'])
    expect(await bridge.ended).toBe(0)
  })

  it('ends its workers when it is killed itself', async () => {
    const { bridge } = await stage(answers, '--audit-log', 'off')
    const workers = childrenOf(bridge)
    await bridge.kill('SIGKILL')
    await eventually(() => !workers.some(isAlive), 'no worker is left', PATIENCE_MS)
  })

  it.each([
    [['--rate', '5'], '--rate: it needs --workers 1'],
    [['--audit-sessions', '/tmp/sessions'], '--audit-sessions: it needs --workers 1'],
    [['--max-calls', '1'], '--max-calls 1 is less than --workers 2'],
  ])('does not start with %j, which several workers cannot keep', async (flags, words) => {
    const socket = join(folder, 'bridge.sock')
    await expect(bridgeProcess(socket, join(folder, 'none.sock'), ['--workers', '2', ...flags])).rejects.toThrow(words)
  })

  it.each([
    ['settings', 'policy: all\n'],
    ['policy', 'rules:\n  preset: all\n'],
    ['audit-policy', 'rules:\n  - level: none\n'],
  ])('starts a worker again by what is in force, though the file of the %s has changed', async (edited, text) => {
    const path = (name: string): string => join(folder, `${name}.yaml`)
    const log = join(folder, 'audit.log')
    writeFileSync(path('settings'), `policy: ${path('policy')}\naudit-policy: ${path('audit-policy')}\n`)
    writeFileSync(path('policy'), 'rules:\n  allow: [SystemInfo]\n')
    writeFileSync(path('audit-policy'), 'rules:\n  - level: metadata\n')
    const { bridge, socket } = await stage(answers, '--audit-log', log, '--config', path('settings'))
    writeFileSync(path(edited), text)
    for (const worker of childrenOf(bridge)) process.kill(worker, 'SIGKILL')
    const ended = (): boolean => bridge.err.split('a worker ended by itself').length > 2
    await eventually(ended, 'both have ended', PATIENCE_MS)
    for (let i = 0; i < 4; i++) expect((await call(socket, '/v1.44/containers/json')).status).toBe(403)
    await bridge.kill('SIGTERM')
    expect(readFileSync(log, 'utf8').split('"decision":"denied"')).toHaveLength(5)
  })

  it('says why a worker cannot be started again, and serves on with the others', async () => {
    const { cert, key } = new Authority(join(folder, 'authority')).issue('bridge', join(folder, 'certificates'))
    const secured = ['--listen', 'tcp://127.0.0.1:0', '--tls-cert', cert, '--tls-key', key]
    const { bridge, socket } = await stage(answers, '--audit-log', 'off', ...secured)
    writeFileSync(key, 'nonsense')
    process.kill(childrenOf(bridge)[0] ?? 0, 'SIGKILL')
    await eventually(() => bridge.err.includes('a worker cannot start'), 'it is told', PATIENCE_MS)
    expect(bridge.err).toContain(`${cert}, ${key} cannot be used for TLS`)
    expect((await call(socket, '/v1.44/info')).text).toBe('OK')
  })

  it('says what a worker finds wrong, and ends', async () => {
    const socket = join(folder, 'bridge.sock')
    const flags = ['--workers', '2', '--policy', join(folder, 'missing.yaml')]
    await expect(bridgeProcess(socket, join(folder, 'none.sock'), flags)).rejects.toThrow('missing.yaml')
  })
})

function get(socketPath: string, path: string, agent: http.Agent): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  http
    .get({ socketPath, path, agent }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('end', () => resolve(Buffer.concat(chunks).toString()))
    })
    .on('error', reject)
  return promise
}
