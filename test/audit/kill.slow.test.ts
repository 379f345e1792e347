import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { dispatch } from '../../src/cli/dispatch.ts'
import { eventually } from '../support/client.ts'
import { captured } from '../support/io.ts'
import { finishedLines } from '../support/lines.ts'
import { type ScriptedEngine, scriptedEngine } from '../support/scripted-engine.ts'
import { load, RunningBridge, started } from './program.ts'
import { folders, linesOf } from './support.ts'

const CLIENTS = 32
const CALLS = 1500
/** The delay of `async` that docs/audit.md promises, and the time that a loaded machine adds to it. */
const BEHIND_MS = 20
const SLOW_MACHINE_MS = 1_500

interface Arrival {
  readonly name: string
  readonly time: number
}

describe('a bridge that is killed, or told to open its log anew, under load', { timeout: 120_000 }, () => {
  const folder = folders()
  const open: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close()
  })

  /** Loads the bridge, kills it, and returns the calls that the engine got and the records on disk. */
  async function killed(flags: readonly string[]) {
    const [socket, path] = [join(folder(), 'b.sock'), join(folder(), 'audit.log')]
    const arrivals: Arrival[] = []
    const engine: ScriptedEngine = await scriptedEngine(join(folder(), 'e.sock'), {
      onRequest: (req, res) => {
        const [name] = started([`${req.method} ${req.url}`])
        if (name !== undefined) arrivals.push({ name, time: performance.now() })
        res.writeHead(204)
        res.end()
      },
    })
    open.push(engine)
    const all = ['--listen', `unix://${socket}`, '--engine', `unix://${engine.socket}`, '--audit-log', path, ...flags]
    const bridge = await new RunningBridge(all).listening()
    const clients = load(socket, CLIENTS)
    await eventually(() => arrivals.length >= CALLS, `${CALLS} calls`, 60_000)
    bridge.process.kill('SIGKILL')
    const killedAt = performance.now()
    await bridge.ended
    await clients.stop()
    await sleep(50) // bytes still in the engine's socket
    const whole = finishedLines(readFileSync(path, 'utf8')).join('\n')
    const onDisk = new Set(
      linesOf(whole).flatMap(({ stage, container }) =>
        stage === 'received' && typeof container === 'string' ? [container] : [],
      ),
    )
    return { arrivals, killedAt, onDisk, missing: arrivals.filter(({ name }) => !onDisk.has(name)), all, path }
  }

  it('in blocking mode has the record of every call that reached the engine', async () => {
    const { arrivals, missing, onDisk } = await killed(['--audit-mode', 'blocking'])
    expect(missing).toEqual([])
    expect(onDisk.size).toBeGreaterThanOrEqual(arrivals.length)
    console.log(`blocking: ${arrivals.length} calls at the engine, ${onDisk.size} on record, 0 lost`)
  })

  it('in async mode lacks at most the records of the last moment, and drops none but those', async () => {
    const { arrivals, missing, killedAt, onDisk } = await killed(['--audit-mode', 'async'])
    for (const { name, time } of missing)
      expect(killedAt - time, `${name}, before the end`).toBeLessThan(BEHIND_MS + SLOW_MACHINE_MS)
    // The calls before them are all there.
    const lastOnDisk = arrivals.findLastIndex(({ name }) => onDisk.has(name))
    const holes = arrivals.slice(0, lastOnDisk - CLIENTS).filter(({ name }) => !onDisk.has(name))
    expect(holes).toEqual([])
    const oldest = missing.length === 0 ? 0 : Math.max(...missing.map(({ time }) => killedAt - time))
    console.log(
      `async: ${arrivals.length} calls at the engine, ${missing.length} lost, the oldest ${oldest.toFixed(1)} ms old`,
    )
  })

  it('goes on with its chain when it is started again, and the chain is whole', async () => {
    const { all, path } = await killed(['--audit-chain', 'on'])
    const again = await new RunningBridge(all).listening()
    const clients = load(join(folder(), 'b.sock'), 4)
    await eventually(() => (clients.answered.get(204) ?? 0) >= 50, 'calls')
    await clients.stop()
    again.process.kill('SIGTERM')
    expect(await again.ended).toBe(0)
    const io = captured()
    expect([await dispatch(['audit', 'verify', path], io), io.out()]).toEqual([0, expect.stringContaining('is whole')])
  })

  it('opens its log anew on SIGHUP under load: no record is lost, torn or written twice', async () => {
    const [socket, path] = [join(folder(), 'b.sock'), join(folder(), 'audit.log')]
    const engine = await scriptedEngine(join(folder(), 'e.sock'), {
      onRequest: (_req, res) => {
        res.writeHead(204)
        res.end()
      },
    })
    open.push(engine)
    const places = ['--listen', `unix://${socket}`, '--engine', `unix://${engine.socket}`]
    const bridge = await new RunningBridge([...places, '--audit-log', path, '--audit-chain', 'on']).listening()
    const clients = load(socket, CLIENTS)
    const files: string[] = []
    for (let turn = 1; turn <= 5; turn++) {
      const before = clients.answered.get(204) ?? 0
      await eventually(() => (clients.answered.get(204) ?? 0) > before + 100, 'calls', 60_000)
      files.push(`${path}.${turn}`)
      renameSync(path, `${path}.${turn}`)
      bridge.process.kill('SIGHUP')
      await eventually(() => existsSync(path), 'a new file', 20_000)
    }
    await clients.stop()
    bridge.process.kill('SIGTERM')
    expect(await bridge.ended).toBe(0)
    files.push(path)
    const received = files
      .flatMap((file) => linesOf(readFileSync(file, 'utf8')))
      .flatMap(({ stage, container }) => (stage === 'received' ? [container] : []))
    expect(received.length).toBe(engine.seen.length)
    expect(new Set(received)).toEqual(new Set(started(engine.seen)))
    const io = captured()
    expect([await dispatch(['audit', 'verify', ...files], io), io.out()]).toEqual([0, expect.stringContaining('whole')])
  })
})
