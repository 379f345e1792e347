import { describe, expect, it } from 'vitest'
import { ProxyError } from '../../src/api/errors.ts'
import { Chain } from '../../src/audit/log/chain.ts'
import { RecordQueue } from '../../src/audit/log/queue.ts'
import type { Store, StoreNote } from '../../src/audit/log/store.ts'
import { eventually } from '../support/client.ts'
import { heard, linesOf, type Written } from './support.ts'

/** A store whose disk does what a test says. */
class Disk implements Store {
  readonly name = 'disk'
  readonly batches: { text: string; sync: boolean }[] = []
  broken: Error | undefined
  /** Writes are held until it is opened. */
  gate: Promise<void> = Promise.resolve()

  notes: StoreNote[] = []

  takeNotes(): readonly StoreNote[] {
    return this.notes.splice(0)
  }
  async write(bytes: Buffer, sync: boolean): Promise<void> {
    await this.gate
    if (this.broken !== undefined) throw this.broken
    this.batches.push({ text: bytes.toString(), sync })
  }
  reopen(): void {
    throw new Error('nobody asks for it here')
  }
  async close(): Promise<void> {
    this.batches.push({ text: '', sync: false })
  }
  get lines(): Written[] {
    return this.batches.flatMap(({ text }) => linesOf(text))
  }
}

const full = (): Error => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
const line = (n: number): string => `{"stage":"received","n":${n}}\n`

function queueOn(disk: Disk, { blocking = false, limit = 1000, chain = undefined as Chain | undefined } = {}) {
  const log = heard()
  const format = (note: StoreNote): string => `${JSON.stringify(note)}\n`
  return { queue: new RecordQueue({ store: disk, chain, blocking, limit, format, log }), log }
}

function gated(disk: Disk): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  disk.gate = promise
  return resolve
}

const outcome = (promise: Promise<void> | undefined): Promise<'stored' | ProxyError | 'not waited for'> =>
  promise === undefined
    ? Promise.resolve('not waited for' as const)
    : promise.then(
        () => 'stored' as const,
        (cause: unknown) => {
          if (cause instanceof ProxyError) return cause
          throw cause
        },
      )

describe('the queue of audit records', () => {
  it('blocking, many calls that wait share one synced write', async () => {
    const disk = new Disk()
    const { queue } = queueOn(disk, { blocking: true })
    const open = gated(disk)
    const first = queue.add(line(0), 'received')
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve))) // the first is under way
    const others = Array.from({ length: 50 }, (_, i) => queue.add(line(i + 1), 'received'))
    open()
    await Promise.all([first, ...others])
    expect(disk.batches.map(({ sync }) => sync)).toEqual([true, true])
    expect(disk.lines.map(({ n }) => n)).toEqual(Array.from({ length: 51 }, (_, i) => i))
  })

  it('blocking, only the first record of a call is waited for', async () => {
    const disk = new Disk()
    const { queue } = queueOn(disk, { blocking: true })
    expect(await outcome(queue.add(line(0), 'complete'))).toBe('not waited for')
    expect(await outcome(queue.add(line(1), 'received'))).toBe('stored')
    expect(disk.lines.map(({ n }) => n)).toEqual([0, 1])
  })

  it('blocking, refuses calls while the disk is full, recovers by itself, and then writes what it held', async () => {
    const disk = new Disk()
    const { queue, log } = queueOn(disk, { blocking: true })
    disk.broken = full()
    const refused = await outcome(queue.add(line(0), 'received'))
    expect(refused).toMatchObject({ status: 503, code: 'audit', message: expect.stringContaining('ENOSPC') })
    expect(await outcome(queue.add(line(1), 'received'))).toBeInstanceOf(ProxyError)
    expect(queue.add(line(2), 'failed')).toBeUndefined()
    expect(queue.status).toMatchObject({ failing: true, refused: 2, waiting: 2 })
    disk.broken = undefined
    await eventually(() => !queue.status.failing, 'it writes again')
    expect(await outcome(queue.add(line(3), 'received'))).toBe('stored')
    // The refused call's record that was under way stands there, and so does the one that says it failed.
    expect(disk.lines.map(({ n }) => n)).toEqual([0, 2, 3])
    expect(log.said).toEqual([
      'cannot write the audit log: calls are refused until this is fixed',
      'writing the audit log again',
    ])
  })

  it('blocking, refuses calls that a disk without an answer holds up', { timeout: 30_000 }, async () => {
    const disk = new Disk()
    const { queue } = queueOn(disk, { blocking: true })
    const open = gated(disk)
    expect(await outcome(queue.add(line(0), 'received'))).toMatchObject({ code: 'audit', message: /no answer/ })
    expect(await outcome(queue.add(line(1), 'received'))).toBeInstanceOf(ProxyError)
    open()
    await eventually(() => !queue.status.failing, 'it writes again')
    expect(await outcome(queue.add(line(2), 'received'))).toBe('stored')
  })

  it('async, tells of a disk without an answer, and again when it has answered', { timeout: 30_000 }, async () => {
    const disk = new Disk()
    const { queue, log } = queueOn(disk)
    const open = gated(disk)
    expect(queue.add(line(0), 'received')).toBeUndefined()
    await eventually(() => queue.status.failing, 'it fails', 20_000)
    open()
    await eventually(() => !queue.status.failing, 'it writes again')
    expect(log.said).toEqual([
      'cannot write the audit log: records are queued, and dropped when the queue is full',
      'writing the audit log again',
    ])
    expect(disk.lines.map(({ n }) => n)).toEqual([0])
  })

  it('async, never holds a call up, and records what it had to drop once there is room', async () => {
    const disk = new Disk()
    const { queue, log } = queueOn(disk, { limit: 10 })
    disk.broken = full()
    for (let n = 0; n < 10; n++) expect(queue.add(line(n), 'received')).toBeUndefined()
    await eventually(() => queue.status.failing, 'the disk is full')
    for (let n = 10; n < 30; n++) queue.add(line(n), n % 2 === 0 ? 'received' : 'complete')
    expect(queue.status).toMatchObject({ dropped: 10, waiting: 20 }) // ten under way, ten waiting
    disk.broken = undefined
    await eventually(() => queue.status.waiting === 0, 'all is written')
    const lines = disk.lines
    expect(lines.slice(0, 20).map(({ n }) => n)).toEqual(Array.from({ length: 20 }, (_, n) => n))
    expect(lines.slice(20)).toEqual([
      {
        stage: 'dropped',
        dropped: { count: 10, stages: { received: 5, complete: 5 }, from: expect.any(String), to: expect.any(String) },
      },
    ])
    expect(log.said).toContain('dropping audit records: the queue is full')
  })

  it('writes lines of every length and alphabet in order, each whole', async () => {
    const disk = new Disk()
    const { queue } = queueOn(disk)
    const texts = Array.from({ length: 400 }, (_, n) => 'aé漢😀'.repeat(n % 50 === 0 ? 60_000 : n * 3))
    for (const [n, text] of texts.entries())
      queue.add(`${JSON.stringify({ stage: 'complete', n, text })}\n`, 'complete')
    await queue.close()
    expect(disk.lines).toEqual(texts.map((text, n) => ({ stage: 'complete', n, text })))
  })

  it('says the last line of the chain that is written, not one that waits', async () => {
    const disk = new Disk()
    const { queue } = queueOn(disk, { blocking: true, chain: new Chain(undefined) })
    await queue.add(line(0), 'received')
    disk.broken = full()
    expect(await outcome(queue.add(line(1), 'received'))).toBeInstanceOf(ProxyError)
    expect(queue.status).toMatchObject({ chained: 1, waiting: 1 })
    disk.broken = undefined
    await eventually(() => queue.status.chained === 2, 'it writes again')
    expect(disk.lines.map(({ n }) => n)).toEqual([0, 1])
  })

  it('writes a note of the store at once: waiting for a record, it filled a queue of one', async () => {
    const disk = new Disk()
    disk.notes.push({ stage: 'recovered' })
    const { queue } = queueOn(disk, { blocking: true, limit: 1 })
    await eventually(() => queue.status.waiting === 0, 'the note is written')
    expect(await outcome(queue.add(line(0), 'received'))).toBe('stored')
    expect(disk.lines.map(({ stage }) => stage)).toEqual(['recovered', 'received'])
  })

  it('writes what waits when it is closed, and says what was lost when it cannot', async () => {
    const disk = new Disk()
    const one = queueOn(disk)
    one.queue.add(line(0), 'complete')
    await one.queue.close()
    expect(disk.lines).toEqual([{ stage: 'received', n: 0 }])
    const other = queueOn(disk)
    disk.broken = full()
    other.queue.add(line(1), 'complete')
    await other.queue.close()
    expect(other.log.said).toContain('audit records were lost: they could not be written')
  })
})
