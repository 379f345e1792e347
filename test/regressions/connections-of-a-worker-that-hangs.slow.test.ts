import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, eventually, RawConnection } from '../support/client.ts'
import { bridgeProcess, type Process } from '../support/processes.ts'
import { RawEngine } from '../support/raw-engine.ts'
import { type ScriptedEngine, scriptedEngine, socketFolder } from '../support/scripted-engine.ts'

/**
 * The channel to a child passes one socket at a time, and waits for the child to have taken it. What waited behind it was
 * forgotten when the child ended: its clients hung for ever, and the descriptors stayed open in the primary. And one
 * worker that did not answer made the metrics of all others fail, and /readyz if it was the first.
 */
const PATIENCE_MS = 60_000
const childrenOf = ({ pid }: Process): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

describe('a worker that hangs', { timeout: 120_000 }, () => {
  let folder = ''
  let removeFolder = async (): Promise<void> => undefined
  let engine: ScriptedEngine
  let bridge: Process
  beforeEach(async () => {
    const made = await socketFolder()
    folder = made.path
    removeFolder = made.remove
    engine = await scriptedEngine(join(folder, 'engine.sock'), { onRequest: (_req, res) => void res.end('OK') })
    const flags = ['--workers', '2', '--audit-log', 'off', '--admin', 'tcp://127.0.0.1:0']
    bridge = await bridgeProcess(join(folder, 'bridge.sock'), engine.socket, flags)
    await eventually(() => bridge.err.includes('admin on'), 'the admin listener is up', PATIENCE_MS)
  })
  afterEach(async () => {
    const workers = bridge.alive ? childrenOf(bridge) : []
    await Promise.all([bridge.kill(), ...workers.map(async (pid) => process.kill(pid, 'SIGKILL'))]) // also a stopped one
    await engine.close()
    await removeFolder()
  })

  const answered = (text: string): boolean => text.includes('OK')
  const ask = (): RawConnection => {
    const connection = new RawConnection(join(folder, 'bridge.sock'))
    connection.send('GET /v1.44/info HTTP/1.1\r\nHost: d\r\n\r\n')
    return connection
  }

  it('keeps no client waiting when it ends: whom it had not taken yet, another serves', async () => {
    const [hung = 0] = childrenOf(bridge)
    process.kill(hung, 'SIGSTOP')
    const clients: RawConnection[] = []
    for (let i = 0; i < 8; i++) {
      const client = ask()
      clients.push(client)
      await eventually(() => client.socket.readyState === 'open', 'it is connected', PATIENCE_MS)
    }
    await eventually(() => clients.filter(({ text }) => answered(text)).length >= 4, 'one serves', PATIENCE_MS)
    process.kill(hung, 'SIGKILL')
    await eventually(() => clients.every(({ text, ended }) => answered(text) || ended), 'none waits', PATIENCE_MS)
    // At most the one that was on its way to the worker is lost with it.
    expect(clients.filter(({ text }) => answered(text)).length).toBeGreaterThanOrEqual(7)
    for (const { socket } of clients) socket.destroy()
    const own = (): number => bridge.sockets
    const before = own()
    await eventually(
      () => childrenOf(bridge).length === 2 && !childrenOf(bridge).includes(hung),
      'it is replaced',
      PATIENCE_MS,
    )
    expect(own()).toBeLessThanOrEqual(before + 4)
  })

  it('leaves the metrics of the others readable, and its sums where they were', async () => {
    const port = /admin on tcp:\/\/127\.0\.0\.1:(\d+)/.exec(bridge.err)?.[1]
    const metrics = async (): Promise<{ status: number; calls: number }> => {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
      const counted = (await answer.text()).split('\n').filter((line) => line.startsWith('enginebridge_calls_total{'))
      return { status: answer.status, calls: counted.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0) }
    }
    for (let i = 0; i < 4; i++) await ask().until(answered, PATIENCE_MS)
    expect(await metrics()).toEqual({ status: 200, calls: 4 })
    const [hung = 0] = childrenOf(bridge)
    process.kill(hung, 'SIGSTOP')
    expect(await metrics()).toEqual({ status: 200, calls: 4 })
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
    process.kill(hung, 'SIGKILL')
    await eventually(() => bridge.err.includes('a worker ended by itself'), 'its end is told', PATIENCE_MS)
    expect(await metrics()).toEqual({ status: 200, calls: 4 })
  })
})

it('an engine that hangs is not told as a worker that hangs', { timeout: 120_000 }, async () => {
  const { path, remove } = await socketFolder()
  const engine = new RawEngine(join(path, 'engine.sock'))
  engine.held = new Promise(() => undefined)
  await engine.listen()
  const flags = ['--workers', '2', '--audit-log', 'off', '--admin', `unix://${path}/admin.sock`]
  const bridge = await bridgeProcess(join(path, 'bridge.sock'), engine.socket, flags)
  await eventually(() => bridge.err.includes('admin on'), 'the admin listener is up', PATIENCE_MS)
  const { status, text } = await call(join(path, 'admin.sock'), '/readyz')
  expect([status, text]).toEqual([503, 'worker 1 does not answer within 5 s, or the engine does not\n'])
  await bridge.kill()
  await engine.close()
  await remove()
})
