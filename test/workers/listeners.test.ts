import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { join } from 'node:path'
import tls from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Authority } from '../support/certificates.ts'
import { call, eventually } from '../support/client.ts'
import { bridgeProcess, Process } from '../support/processes.ts'
import { PROGRAM } from '../support/program.ts'
import { type Script, scriptedEngine, socketFolder } from '../support/scripted-engine.ts'

const PATIENCE_MS = 60_000

const script: Script = {
  onRequest: (_req, res) => void res.end('OK'),
  onUpgrade: (_req, engine) => {
    engine.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
    const said: Buffer[] = []
    engine.on('data', (chunk: Buffer) => said.push(chunk))
    engine.on('end', () => engine.end(`heard ${Buffer.concat(said)}`))
  },
}

describe('the listeners of several workers', { timeout: 180_000 }, () => {
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

  const engineSocket = async (): Promise<string> => {
    const engine = await scriptedEngine(join(folder, 'engine.sock'), script)
    cleanUp.push(engine.close)
    return engine.socket
  }

  /** A connection over TLS that may be half-closed, with what it said. */
  async function secured(port: number, ca: Buffer): Promise<{ socket: tls.TLSSocket; said: () => string }> {
    const where = { port, host: '127.0.0.1', servername: 'localhost', ca }
    const socket = tls.connect({ ...where, allowHalfOpen: true } as tls.ConnectionOptions) // missing in the types
    let said = ''
    socket.on('data', (chunk) => {
      said += chunk
    })
    await once(socket, 'secureConnect')
    return { socket, said: () => said }
  }

  it('speak TLS in each worker, with half-closed tunnels, and with new certificates after SIGHUP', async () => {
    const authority = new Authority(join(folder, 'authority'))
    const bridge = authority.issue('before', join(folder, 'bridge'))
    const where = ['--listen', 'tcp://127.0.0.1:0', '--engine', `unix://${await engineSocket()}`]
    const secrets = ['--tls-cert', bridge.cert, '--tls-key', bridge.key]
    const flags = [...where, ...secrets, '--workers', '2', '--audit-log', 'off', '--grace', '0']
    const running = new Process([...PROGRAM, 'serve', ...flags])
    cleanUp.push(() => running.kill())
    await eventually(() => running.err.includes('listening on tcp:'), 'it listens', PATIENCE_MS)
    const port = Number(/listening on tcp:\/\/127\.0\.0\.1:(\d+)/.exec(running.err)?.[1])
    const { ca } = bridge.pem()
    const tunnels = await Promise.all(Array.from({ length: 4 }, () => secured(port, ca)))
    for (const { socket, said } of tunnels) {
      expect(socket.getPeerCertificate().subject.CN).toBe('before')
      socket.write('POST /v1.44/containers/x/attach?stream=1 HTTP/1.1\r\nHost: localhost\r\n')
      socket.write('Connection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
      await eventually(() => said().includes('101'), 'the tunnel is open', PATIENCE_MS)
    }
    authority.issue('after', bridge.folder)
    running.child.kill('SIGHUP')
    const both = (): boolean => running.err.split('certificates reloaded').length > 2
    await eventually(both, `both workers have read them: ${running.err}`, PATIENCE_MS)
    for (let i = 0; i < 4; i++) {
      const { socket, said } = await secured(port, ca)
      expect(socket.getPeerCertificate().subject.CN).toBe('after')
      socket.write('GET /v1.44/info HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
      await eventually(() => said().endsWith('OK'), 'it is answered', PATIENCE_MS)
      socket.destroy()
    }
    for (const [i, { socket, said }] of tunnels.entries()) {
      socket.end(`word ${i}`)
      await eventually(() => said().endsWith(`heard word ${i}`), 'an open one goes on', PATIENCE_MS)
      socket.destroy()
    }
  })

  it('follow SIGHUP: all workers take the new policy, and the log goes on in a new file', async () => {
    const log = join(folder, 'audit.log')
    const policy = join(folder, 'policy.yaml')
    const rules = (allow: string): void => writeFileSync(policy, `rules:\n  allow: [${allow}]\n`)
    rules('SystemInfo')
    const socket = join(folder, 'bridge.sock')
    const flags = ['--workers', '2', '--audit-log', log, '--policy', policy]
    const bridge = await bridgeProcess(socket, await engineSocket(), flags)
    cleanUp.push(() => bridge.kill())
    const statuses = async (path: string): Promise<number[]> => {
      const all: number[] = []
      for (let i = 0; i < 4; i++) all.push((await call(socket, path)).status)
      return all
    }
    expect(await statuses('/v1.44/info')).toEqual([200, 200, 200, 200])
    // The records come from the workers through the first process: all of them, before the log gets another name.
    const lines = (file: string): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1)
    const ended = (line: string): boolean => JSON.parse(line).stage === 'complete'
    const inLog = (): boolean => existsSync(log) && lines(log).filter(ended).length === 4
    await eventually(inLog, 'all four calls are in the log', PATIENCE_MS)
    renameSync(log, `${log}.1`)
    rules('ContainerStats')
    bridge.child.kill('SIGHUP')
    await eventually(() => existsSync(log), 'there is a new log', PATIENCE_MS)
    await eventually(() => bridge.err.includes('policy reloaded'), 'the new policy is in force', PATIENCE_MS)
    expect(await statuses('/v1.44/info')).toEqual([403, 403, 403, 403])
    expect(await statuses('/v1.44/info')).toEqual([403, 403, 403, 403])
    writeFileSync(policy, 'nonsense: [')
    bridge.child.kill('SIGHUP')
    await eventually(() => bridge.err.includes('the new policy is invalid'), 'it says what is wrong', PATIENCE_MS)
    expect(await statuses('/v1.44/info')).toEqual([403, 403, 403, 403])
    await bridge.kill('SIGTERM')
    const denied = (line: string): boolean => JSON.parse(line).policy?.decision === 'denied'
    expect([...lines(`${log}.1`), ...lines(log)].filter(denied).length).toBeGreaterThan(7)
    expect(lines(log).length).toBeGreaterThan(4)
  })

  it('are those that systemd passes, which stay there when the program ends', async () => {
    const path = join(folder, 'activated.sock')
    const unix = net.createServer()
    await once(unix.listen(path), 'listening')
    const engine = await engineSocket()
    const flags = ['--listen', 'fd://', '--engine', `unix://${engine}`, '--audit-log', 'off', '--workers', '2']
    const args = [...PROGRAM, 'serve', ...flags]
    const { fd } = (unix as net.Server & { _handle: { fd: number } })._handle
    const child: ChildProcess = spawn('/bin/sh', ['-c', 'export LISTEN_PID=$$; exec "$@"', 'sh', ...args], {
      stdio: ['ignore', 'ignore', 'pipe', fd],
      env: { PATH: process.env['PATH'] ?? '', LISTEN_FDS: '1' },
    })
    cleanUp.push(async () => child.kill('SIGKILL'))
    let err = ''
    child.stderr?.on('data', (chunk) => {
      err += chunk
    })
    renameSync(path, `${path}.kept`) // closing a unix server takes its file away
    unix.close()
    renameSync(`${path}.kept`, path)
    await eventually(() => err.includes(`listening on unix://${path}`), 'it listens', PATIENCE_MS)
    for (let i = 0; i < 4; i++) expect((await call(path, '/v1.44/info')).text).toBe('OK')
    child.kill('SIGTERM')
    const [code] = await once(child, 'close')
    expect([code, existsSync(path)]).toEqual([0, true])
  })
})
