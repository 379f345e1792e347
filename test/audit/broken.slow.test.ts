import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { call, eventually } from '../support/client.ts'
import { NODE_FLAGS } from '../support/node-flags.ts'
import { MAIN } from '../support/program.ts'
import { scriptedEngine } from '../support/scripted-engine.ts'
import { load, RunningBridge, started } from './program.ts'
import { folders, linesOf } from './support.ts'

/** Room for all that waits; the rest of the disk is filled up first. */
const BALLAST = 32 * 2 ** 20 - 64 * 1024

/** A file system of 32 MiB of its own, or undefined where only root may mount one, and this is not root. */
function smallDisk(path: string): (() => void) | undefined {
  mkdirSync(path)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', path], { stdio: 'pipe' })
    return () => execFileSync('umount', ['-l', path])
  } catch (cause) {
    if (process.env['ENGINEBRIDGE_LIVE'] === 'required') throw cause
    console.warn(`skipped: a disk of its own cannot be mounted here: ${String(cause)}`)
    return undefined
  }
}

interface Note {
  readonly count: number
  readonly stages: Readonly<Record<string, number>>
}

const START = (version: string): [string, { method: string }] => [`/v${version}/containers/x/start`, { method: 'POST' }]

describe('an audit log that cannot be written', { timeout: 120_000 }, () => {
  const folder = folders()
  const open: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close()
  })

  async function bridge(flags: readonly string[]) {
    const [socket, admin] = [join(folder(), 'b.sock'), join(folder(), 'a.sock')]
    const engine = await scriptedEngine(join(folder(), 'e.sock'), {
      onRequest: (_req, res) => {
        res.writeHead(204)
        res.end()
      },
    })
    open.push(() => engine.close())
    const places = ['--listen', `unix://${socket}`, '--engine', `unix://${engine.socket}`, '--admin', `unix://${admin}`]
    const running = new RunningBridge([...places, ...flags])
    open.push(() => running.process.kill('SIGKILL'))
    await running.listening()
    const metric = async (name: string): Promise<number> => {
      const { text } = await call(admin, '/metrics')
      return Number(new RegExp(`^${name}\\{.*\\} (\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN)
    }
    return { socket, engine, running, metric }
  }

  it('in blocking mode refuses calls on a full disk in the form of each client, and serves again when there is space', async (context) => {
    const disk = join(folder(), 'disk')
    const unmount = smallDisk(disk)
    if (unmount === undefined) return context.skip()
    open.push(unmount)
    const path = join(disk, 'audit.log')
    const { socket, engine, running, metric } = await bridge(['--audit-log', path, '--audit-mode', 'blocking'])
    const ballast = join(disk, 'ballast')
    writeFileSync(ballast, Buffer.alloc(BALLAST))
    const clients = load(socket, 8)
    await eventually(() => (clients.answered.get(503) ?? 0) > 100, 'calls are refused', 60_000)
    // Lines that did not fit whole were taken back: some pages of theirs are free.
    expect(statfsSync(disk).bavail).toBeLessThan(4)
    const old = await call(socket, ...START('1.22'))
    expect(old).toMatchObject({ status: 503, text: expect.stringMatching(/^the audit record .* \(ENOSPC\)\n$/) })
    const today = await call(socket, ...START('1.44'))
    expect(today.headers['enginebridge-error']).toBe('audit')
    expect(JSON.parse(today.text)).toEqual({ message: expect.stringContaining('ENOSPC') })
    expect(running.err.match(/cannot write the audit log/g)).toHaveLength(1)
    expect(await metric('enginebridge_audit_failing')).toBe(1)
    const served = clients.answered.get(204) ?? 0
    rmSync(ballast)
    await eventually(() => (clients.answered.get(204) ?? 0) > served + 10, 'calls are served again', 60_000)
    expect(running.err).toContain('writing the audit log again')
    await clients.stop()
    running.process.kill('SIGTERM')
    expect(await running.ended).toBe(0)
    // Every line is whole, and every call that the engine got is among them.
    const onRecord = linesOf(readFileSync(path, 'utf8'))
    const received = new Set(onRecord.flatMap(({ stage, container }) => (stage === 'received' ? [container] : [])))
    expect(started(engine.seen).filter((name) => !received.has(name))).toEqual([])
    expect(onRecord.some(({ stage }) => stage === 'failed')).toBe(true)
  })

  it('in blocking mode refuses calls when whoever read standard output is gone, and still stops in time', async () => {
    const { socket, engine, running } = await bridge(['--audit-log', '-', '--audit-mode', 'blocking'])
    expect((await call(socket, ...START('1.44'))).status).toBe(204)
    running.process.stdout?.destroy()
    await eventually(() => running.process.stdout?.destroyed === true, 'the pipe is closed')
    expect(await call(socket, ...START('1.44'))).toMatchObject({ status: 503, text: expect.stringContaining('EPIPE') })
    expect(engine.seen.length).toBe(1)
    running.process.kill('SIGTERM')
    expect(await running.ended).toBe(0)
    expect(running.err).toContain('audit records were lost: they could not be written')
  })

  it('in blocking mode refuses calls when whoever reads standard output has stopped reading', async () => {
    const { socket, running } = await bridge(['--audit-log', '-', '--audit-mode', 'blocking'])
    running.process.stdout?.pause()
    const clients = load(socket, 16)
    await eventually(() => (clients.answered.get(503) ?? 0) > 0, 'calls are refused', 90_000)
    await clients.stop()
    running.process.kill('SIGTERM')
    expect(await running.ended).toBe(0)
  })

  it.skipIf(process.getuid?.() !== 0)('is written to standard output that this user could not open', async () => {
    const path = join(folder(), 'out.log')
    const [out, socket] = [openSync(path, 'a', 0o600), join(folder(), 'b.sock')]
    chmodSync(folder(), 0o777)
    const script = `process.setuid(65534); process.argv.splice(1, 1, ${JSON.stringify(MAIN)}); await import(${JSON.stringify(MAIN)})`
    const flags = ['--listen', `unix://${socket}`, '--engine', `unix://${socket}.none`, '--state', 'off']
    const args = [...NODE_FLAGS, '--input-type=module', '-e', script, '-', 'serve', ...flags, '--audit-log', '-']
    const child = spawn(process.execPath, [...args, '--audit-mode', 'blocking'], { stdio: ['ignore', out, 'inherit'] })
    open.push(() => child.kill('SIGKILL'))
    await eventually(() => existsSync(socket), 'it listens')
    expect((await call(socket, ...START('1.44'))).status).toBe(503)
    child.kill('SIGTERM')
    await once(child, 'close')
    expect(linesOf(readFileSync(path, 'utf8'))).toEqual([expect.objectContaining({ stage: 'failed', status: 503 })])
  })

  it('in async mode serves on, counts what it drops, and records it when the disk is back', async (context) => {
    const disk = join(folder(), 'disk')
    const unmount = smallDisk(disk)
    if (unmount === undefined) return context.skip()
    open.push(unmount)
    const path = join(disk, 'audit.log')
    const { socket, engine, running, metric } = await bridge(['--audit-log', path, '--audit-queue', '50'])
    const ballast = join(disk, 'ballast')
    writeFileSync(ballast, Buffer.alloc(BALLAST))
    const clients = load(socket, 8)
    await eventually(() => running.err.includes('cannot write the audit log'), 'the disk is full', 60_000)
    await eventually(() => running.err.includes('dropping audit records'), 'records are dropped', 60_000)
    await clients.stop()
    expect([...clients.answered.keys()]).toEqual([204])
    const dropped = await metric('enginebridge_audit_dropped_total')
    expect(dropped).toBeGreaterThan(0)
    rmSync(ballast)
    await eventually(() => running.err.includes('writing the audit log again'), 'it writes again', 30_000)
    running.process.kill('SIGTERM')
    expect(await running.ended).toBe(0)
    const lines = linesOf(readFileSync(path, 'utf8'))
    const notes = lines.flatMap(({ dropped: note }) => (note === undefined ? [] : [note as Note]))
    expect(notes.reduce((sum, { count }) => sum + count, 0)).toBe(dropped)
    const ids = lines.map(({ auditId, stage }) => `${String(auditId)} ${stage}`)
    expect(ids.filter((id, i) => ids.indexOf(id) !== i && !id.endsWith('dropped'))).toEqual([])
    const missing = (stage: string): number => notes.reduce((sum, { stages }) => sum + (stages[stage] ?? 0), 0)
    for (const stage of ['received', 'complete']) {
      const kept = lines.filter((line) => line.stage === stage).length
      expect(kept + missing(stage), stage).toBe(started(engine.seen).length)
    }
  })
})
