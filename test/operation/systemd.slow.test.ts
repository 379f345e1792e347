import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { renameSync, statSync } from 'node:fs'
import net from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { inherit } from '../../src/http/listen/inherited.ts'
import { stages } from '../support/bridge.ts'
import { call, eventually } from '../support/client.ts'
import { PROGRAM } from '../support/program.ts'
import { scriptedEngine } from '../support/scripted-engine.ts'

const has = (command: string): boolean => {
  try {
    execFileSync('which', [command], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

interface Started {
  readonly process: ChildProcess
  err(): string
}

const WAIT_MS = 20_000

describe('under systemd', () => {
  const stage = stages()
  const running: ChildProcess[] = []
  afterEach(() => {
    for (const child of running.splice(0)) child.kill('SIGKILL')
  })

  /** The program with sockets passed as systemd passes them: from number 3 on, with LISTEN_PID its own. */
  const start = (
    flags: readonly string[],
    sockets: readonly net.Server[],
    env: Record<string, string> = {},
    within: readonly string[] = [],
  ): Started => {
    // LISTEN_PID is known to the process alone: a shell sets it and becomes the program.
    const script = 'export LISTEN_PID=$$; exec "$@"'
    const args = [...within, ...PROGRAM, 'serve', ...flags]
    const handles = sockets.map((server) => (server as net.Server & { _handle: { fd: number } })._handle.fd)
    const child = spawn('/bin/sh', ['-c', script, 'sh', ...args], {
      stdio: ['ignore', 'pipe', 'pipe', ...handles],
      env: { PATH: process.env['PATH'] ?? '', LISTEN_FDS: String(sockets.length), ...env },
    })
    running.push(child)
    let err = ''
    child.stderr?.on('data', (chunk) => {
      err += chunk
    })
    return { process: child, err: () => err }
  }

  const listening = async (...at: [string] | [number, string]): Promise<net.Server> => {
    const server = net.createServer()
    if (at.length === 1) server.listen(at[0])
    else server.listen(at[0], at[1])
    await once(server, 'listening')
    return server
  }

  /** The child has them now; here they are closed, or every second connection would wait for us. */
  const handOver = (unix: net.Server, path: string, tcp: net.Server): void => {
    renameSync(path, `${path}.kept`) // closing a unix server takes its file away
    unix.close()
    renameSync(`${path}.kept`, path)
    tcp.close()
  }

  it('serves the sockets that it is started with, unix and TCP, and leaves their files alone', async () => {
    const engine = await scriptedEngine(join(stage.folder(), 'e.sock'), { onRequest: (_req, res) => res.end('OK') })
    const path = join(stage.folder(), 'activated.sock')
    const [unix, tcp] = [await listening(path), await listening(0, '127.0.0.1')]
    const mode = statSync(path).mode
    const bound = tcp.address()
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0
    const flags = ['--listen', 'fd://', '--engine', `unix://${engine.socket}`, '--audit-log', 'off']
    const { process: child, err } = start(flags, [unix, tcp])
    handOver(unix, path, tcp)
    await eventually(() => err().includes(`listening on tcp://127.0.0.1:${port}`), `it listens: ${err()}`, WAIT_MS)
    expect(err()).toContain(`listening on unix://${path}`)
    expect((await call(path, '/v1.44/_ping')).text).toBe('OK')
    expect(await (await fetch(`http://127.0.0.1:${port}/v1.44/_ping`)).text()).toBe('OK')
    child.kill('SIGTERM')
    const [code] = await once(child, 'close')
    expect([code, statSync(path).mode]).toEqual([0, mode])
    await engine.close()
  }, 60_000)

  it('refuses an inherited socket beyond loopback as it refuses one of its own', async () => {
    const tcp = await listening(0, '0.0.0.0')
    const flags = ['--listen', 'fd://', '--engine', `unix://${join(stage.folder(), 'none.sock')}`, '--audit-log', 'off']
    const { process: child, err } = start(flags, [tcp])
    const [code] = await once(child, 'close')
    expect([code, err()]).toEqual([1, expect.stringContaining('plain TCP beyond loopback')])
    tcp.close()
  }, 60_000)

  it('refuses a version for a listener that no inherited socket is, instead of ignoring it', async () => {
    const path = join(stage.folder(), 's.sock')
    const unix = await listening(path)
    const flags = ['--listen', 'fd://', '--unversioned-api', `unix:///var${path}=1.24`, '--audit-log', 'off']
    const { process: child, err } = start(flags, [unix])
    const [code] = await once(child, 'close')
    const problem = `--unversioned-api: no --listen is unix:///var${path}; there are unix://${path}`
    expect([code, err()]).toEqual([2, expect.stringContaining(problem)])
    unix.close()
  }, 60_000)

  it('refuses an inherited socket that is its engine', async () => {
    const path = join(stage.folder(), 'own.sock')
    const unix = await listening(path)
    const { process: child, err } = start(
      ['--listen', 'fd://', '--engine', `unix://${path}`, '--audit-log', 'off'],
      [unix],
    )
    const [code] = await once(child, 'close')
    expect([code, err()]).toEqual([2, expect.stringContaining("is the bridge's own listener")])
    unix.close()
  }, 60_000)

  it.runIf(process.getuid?.() === 0)(
    'serves a socket without /proc/net, and says what it may be when there is no such socket in its network',
    async () => {
      const engine = await scriptedEngine(join(stage.folder(), 'e.sock'), { onRequest: (_req, res) => res.end('OK') })
      const path = join(stage.folder(), 'activated.sock')
      const unix = await listening(path)
      const flags = ['--listen', 'fd://', '--engine', `unix://${engine.socket}`, '--audit-log', 'off']
      const hidden = 'mount -t proc -o subset=pid proc /proc && exec "$@"'
      const without = start(flags, [unix], {}, ['unshare', '-m', 'sh', '-c', hidden, 'sh'])
      await eventually(
        () => without.err().includes(`listening on unix://${path}`),
        `it listens: ${without.err()}`,
        WAIT_MS,
      )
      const elsewhere = start(flags, [unix], {}, ['unshare', '-n'])
      const [code] = await once(elsewhere.process, 'close')
      expect([code, elsewhere.err()]).toEqual([
        1,
        expect.stringContaining('of this network namespace (PrivateNetwork='),
      ])
      unix.close()
      await engine.close()
    },
    60_000,
  )

  it('takes sockets by name or number, and none that was not meant for it', () => {
    const env = { LISTEN_FDS: '2', LISTEN_PID: String(process.pid), LISTEN_FDNAMES: 'a:b' }
    expect(() => inherit({ kind: 'inherited', which: 'c' }, env)).toThrow(/are called a, b/)
    const other = { ...env, LISTEN_PID: '1' }
    expect(() => inherit({ kind: 'inherited', which: '' }, other)).toThrow(/no socket was passed/)
    expect(() => inherit({ kind: 'inherited', which: '' }, {})).toThrow(/no socket was passed/)
    for (const count of ['x', '1.5', '-1', '1000000000'])
      expect(() => inherit({ kind: 'inherited', which: '' }, { ...env, LISTEN_FDS: count })).toThrow(
        /no socket was passed/,
      )
    expect(() => inherit({ kind: 'inherited', which: '2' }, {})).toThrow(/fd:\/\/2/)
    expect(() => inherit({ kind: 'inherited', which: '9999' }, {})).toThrow(/fd:\/\/9999/)
  })

  it.runIf(has('systemd-notify') && has('python3'))(
    'tells that it is ready, that it lives, and that it stops',
    async () => {
      const engine = await scriptedEngine(join(stage.folder(), 'e.sock'), {})
      const socket = join(stage.folder(), 'notify.sock')
      const script = [
        'import socket, sys',
        's = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind(sys.argv[1]); print("bound", flush=True)',
        'while True: print(s.recv(4096).decode(), flush=True)',
      ].join('\n')
      const listener = spawn('python3', ['-c', script, socket])
      running.push(listener)
      let heard = ''
      listener.stdout.on('data', (chunk) => {
        heard += chunk
      })
      await eventually(() => heard.includes('bound'), 'the socket is there', WAIT_MS)
      const listen = join(stage.folder(), 'b.sock')
      const flags = ['--listen', `unix://${listen}`, '--engine', `unix://${engine.socket}`, '--audit-log', 'off']
      const { process: child } = start(flags, [], { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '400000' })
      await eventually(() => heard.includes('READY=1'), 'READY', WAIT_MS)
      await eventually(() => heard.includes('WATCHDOG=1'), 'WATCHDOG', WAIT_MS)
      child.kill('SIGTERM')
      await once(child, 'close')
      await eventually(() => heard.includes('STOPPING=1'), 'STOPPING', WAIT_MS)
      await engine.close()
    },
    60_000,
  )
})
