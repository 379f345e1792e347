import { appendFileSync, chmodSync, chownSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventually } from '../support/client.ts'
import { audit, folders, heard, linesOf, record, written } from './support.ts'

const size = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

describe('an audit file', () => {
  const folder = folders()
  const path = (): string => join(folder(), 'audit.log')
  const stored = async (): Promise<number[]> => {
    const names = (await readdir(folder())).filter((name) => name.startsWith('audit.log'))
    // Rotated files sort by time, and the current one, a prefix of theirs, comes last.
    names.sort((a, b) => Number(a === 'audit.log') - Number(b === 'audit.log') || a.localeCompare(b))
    const texts = await Promise.all(names.map((name) => readFile(join(folder(), name), 'utf8')))
    return texts.flatMap((text) => linesOf(text).map(({ n }) => n ?? -1))
  }

  it('is made for its owner alone, in folders that are made as well', async () => {
    const deep = join(folder(), 'a/b/audit.log')
    const log = await audit(['--audit-log', deep])
    log.write(record(1))
    await log.close()
    expect(statSync(deep).mode & 0o777).toBe(0o600)
    expect(await written(deep)).toMatchObject([{ level: 'metadata', auditId: 'call-1', n: 1 }])
    expect((await written(deep))[0]?.['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  })

  it('is refused with a sentence when it cannot be opened', async () => {
    await expect(audit(['--audit-log', '/etc/passwd/audit.log'])).rejects.toThrow(
      /^cannot open the audit log \/etc\/passwd\/audit\.log: E/,
    )
  })

  it('gets the same lines as another that is given with it', async () => {
    const other = join(folder(), 'other.log')
    const log = await audit(['--audit-log', path(), '--audit-log', other])
    for (let n = 0; n < 100; n++) log.write(record(n))
    await log.close()
    expect((await written(path())).length).toBe(100)
    expect(await readFile(other, 'utf8')).toBe(await readFile(path(), 'utf8'))
  })

  it('that was moved away is made anew on reopening, and no line is lost or torn', async () => {
    const log = await audit(['--audit-log', path()])
    let n = 0
    for (let round = 1; round <= 5; round++) {
      for (let i = 0; i < 500; i++) log.write(record(n++))
      renameSync(path(), `${path()}.${round}`)
      log.reopen()
      await eventually(
        () => size(path()) > 0 || statSync(path(), { throwIfNoEntry: false }) !== undefined,
        'a new file',
      )
    }
    await log.close()
    expect(await stored()).toEqual(Array.from({ length: n }, (_, i) => i))
  })

  it('that was removed without a signal is made anew within about a second', { tags: 'slow' }, async () => {
    const log = await audit(['--audit-log', path()])
    log.write(record(1))
    await eventually(() => size(path()) > 0, 'written')
    unlinkSync(path())
    let n = 1
    const writing = setInterval(() => log.write(record(n++)), 20)
    await eventually(() => size(path()) > 0, 'a new file', 10_000)
    clearInterval(writing)
    await log.close()
    expect((await stored()).at(-1)).toBe(n - 1)
  })

  it('that its path no longer leads to is written on: calls were refused for half of each second', {
    tags: 'slow',
  }, async () => {
    const [before, after] = [join(folder(), 'before'), join(folder(), 'after')]
    const log = await audit(['--audit-log', join(before, 'audit.log'), '--audit-mode', 'blocking'])
    await log.write(record(1))
    renameSync(before, after)
    writeFileSync(before, 'no folder')
    await new Promise((resolve) => setTimeout(resolve, 1100))
    await log.write(record(2))
    await log.close()
    expect(await written(join(after, 'audit.log'))).toMatchObject([{ n: 1 }, { n: 2 }])
  })

  it('is rotated by size: no file is larger, and no line is lost or torn', async () => {
    const log = await audit(['--audit-log', path(), '--audit-rotate-size', '20kB'])
    for (let n = 0; n < 1000; n++) {
      log.write(record(n))
      if (n % 50 === 0) await eventually(() => log.status()[0]?.waiting === 0, 'written')
    }
    await log.close()
    const names = await readdir(folder())
    expect(names.length).toBeGreaterThan(5)
    for (const name of names) expect(size(join(folder(), name)), name).toBeLessThanOrEqual(20_000)
    expect(await stored()).toEqual(Array.from({ length: 1000 }, (_, i) => i))
  })

  it('can be read after its rotation by whom its group let read it before: a collector lost it', async () => {
    writeFileSync(path(), '')
    chmodSync(path(), 0o640)
    const gid = process.getuid?.() === 0 ? 1 : statSync(path()).gid
    chownSync(path(), -1, gid)
    const log = await audit(['--audit-log', path(), '--audit-rotate-size', '10'])
    log.write(record(1))
    await eventually(() => size(path()) > 0, 'the first record')
    log.write(record(2))
    await log.close()
    const files = (await readdir(folder())).map((name) => statSync(join(folder(), name)))
    expect(files.map((file) => [file.mode & 0o777, file.gid])).toEqual(Array(2).fill([0o640, gid]))
  })

  it('is rotated by age, and the oldest beyond --audit-keep are removed, but nothing else', async () => {
    const foreign = `${path()}.2020-01-01`
    writeFileSync(foreign, 'not ours\n')
    const log = await audit(['--audit-log', path(), '--audit-rotate-age', '50ms', '--audit-keep', '2'])
    for (let n = 0; n < 6; n++) {
      log.write(record(n))
      await eventually(() => log.status()[0]?.waiting === 0, 'written')
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    await log.close()
    const names = (await readdir(folder())).sort()
    expect(names).toEqual([
      'audit.log',
      basename(foreign),
      expect.stringMatching(/^audit\.log\.20\d\d-\d\d-\d\dT[\d-]+\.\d{3}Z$/),
      expect.stringMatching(/^audit\.log\.20\d\d-/),
    ])
    unlinkSync(foreign)
    expect(await stored()).toEqual([3, 4, 5])
  })

  it('keeps what was written last when the clock is set back: each rotation removed the file that it had just moved', async () => {
    const future = ['2099-12-31T23-59-59.998Z', '2099-12-31T23-59-59.999Z.gz'].map((time) => `${path()}.${time}`)
    for (const [i, name] of future.entries()) writeFileSync(name, `{"n":${i}}\n`)
    const log = await audit(['--audit-log', path(), '--audit-rotate-size', '10', '--audit-keep', '2'])
    for (let n = 2; n < 6; n++) {
      log.write(record(n))
      await eventually(() => log.status()[0]?.waiting === 0, 'written')
    }
    await log.close()
    expect(await stored()).toEqual([3, 4, 5])
  })

  it('with a torn last line goes on after a newline, and says so', async () => {
    writeFileSync(path(), '{"n":1,"stage":"received"}\n{"n":2,"sta')
    const log = await audit(['--audit-log', path()])
    log.write(record(3))
    await log.close()
    const lines = (await readFile(path(), 'utf8')).split('\n')
    expect(lines[1]).toBe('{"n":2,"sta')
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({
      stage: 'recovered',
      recovered: { file: 'audit.log', bytes: 11, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    expect(JSON.parse(lines[3] ?? '')).toMatchObject({ n: 3 })
  })

  it('that lacks nothing but its last newline is whole', async () => {
    writeFileSync(path(), '{"n":1,"stage":"received"}')
    const log = await audit(['--audit-log', path()])
    log.write(record(2))
    await log.close()
    expect(await stored()).toEqual([1, 2])
  })

  it('continues its chain after a restart, over rotation, and after files that others moved away', {
    tags: 'slow',
  }, async () => {
    const flags = ['--audit-log', path(), '--audit-chain', 'on', '--audit-rotate-size', '2kB']
    let n = 0
    for (let start = 0; start < 4; start++) {
      const log = await audit(flags)
      for (let i = 0; i < 12; i++) {
        log.write(record(n++))
        await eventually(() => log.status()[0]?.waiting === 0, 'written')
      }
      await log.close()
      if (start === 1) renameSync(path(), `${path()}.1`)
      if (start === 2) appendFileSync(path(), '{"torn')
    }
    const names = (await readdir(folder())).filter((name) => name.startsWith('audit.log'))
    expect(names.length).toBeGreaterThan(5)
    const all = await Promise.all(names.map((name) => readFile(join(folder(), name), 'utf8')))
    const chained = all
      .flatMap((text) => text.split('\n'))
      .filter((line) => line.includes('"chain"'))
      .map((line): { seq: number; prev: string; hash: string } => JSON.parse(line).chain)
      .sort((a, b) => a.seq - b.seq)
    expect(chained.map(({ seq }) => seq)).toEqual(Array.from({ length: n + 1 }, (_, i) => i + 1))
    for (const [i, { prev }] of chained.entries()) if (i > 0) expect(prev).toBe(chained[i - 1]?.hash)
  })

  it('whose last line is not of a chain begins a new one, and the log says so', async () => {
    writeFileSync(path(), '{"n":1,"stage":"received"}\n')
    const log = heard()
    const opened = await audit(['--audit-log', path(), '--audit-chain', 'on'], log)
    opened.write(record(2))
    await opened.close()
    expect(log.said[0]).toMatch(/starting a new chain/)
    expect((await written(path()))[1]).toMatchObject({ chain: { seq: 1 } })
  })
})
