import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Chain } from '../../src/audit/log/chain.ts'
import { Verifier } from '../../src/audit/written/verify.ts'
import { dispatch } from '../../src/cli/dispatch.ts'
import { captured } from '../support/io.ts'
import { audit, folders, record } from './support.ts'

const KEY = 'a key of enough bytes\n'

function chainOf(count: number, key?: Buffer): string[] {
  const chain = new Chain(key)
  return Array.from({ length: count }, (_, n) => chain.link(`{"n":${n},"stage":"received"}\n`).slice(0, -1))
}

function verdictOf(lines: readonly string[], key?: Buffer) {
  const verifier = new Verifier(key)
  for (const [i, line] of lines.entries())
    verifier.line({ file: 'f', number: i + 1, bytes: Buffer.from(line), ended: true })
  return verifier.verdict()
}

const problems = (lines: readonly string[], key?: Buffer): string[] =>
  verdictOf(lines, key).problems.map(({ line, kind }) => `${line} ${kind}`)

describe('audit verify', () => {
  const folder = folders()
  const verify = async (...args: string[]): Promise<{ code: number; out: string }> => {
    const io = captured()
    return { code: await dispatch(['audit', 'verify', ...args], io), out: io.out() }
  }
  /** A log of 20 records in several rotated files, the oldest first. */
  const log = async (...flags: string[]): Promise<string[]> => {
    const path = join(folder(), 'audit.log')
    for (const from of [0, 10]) {
      const opened = await audit(['--audit-log', path, '--audit-chain', 'on', ...flags])
      for (let n = from; n < from + 10; n++) opened.write(record(n))
      await opened.close()
      if (from === 0) {
        writeFileSync(`${path}.1`, readFileSync(path))
        writeFileSync(path, '')
      }
    }
    return [`${path}.1`, path]
  }
  const edit = (path: string, change: (lines: string[]) => string[]): void =>
    writeFileSync(path, `${change(readFileSync(path, 'utf8').trimEnd().split('\n')).join('\n')}\n`)

  it('finds a chain over several files whole, packed or not, and says how far it goes', async () => {
    const [old = '', current = ''] = await log()
    writeFileSync(`${old}.gz`, gzipSync(readFileSync(old)))
    for (const files of [
      [old, current],
      [`${old}.gz`, current],
    ]) {
      const { code, out } = await verify(...files)
      expect(out).toMatch(/^The chain is whole: 20 lines in 2 files\.\nThe last line is number 20,\s[0-9a-f]{64}\.\n/)
      expect(code).toBe(0)
    }
    writeFileSync(`${old}.gz`, gzipSync(readFileSync(old)).subarray(0, 99))
    await expect(verify(`${old}.gz`, current)).rejects.toThrow(`${old}.gz: unexpected end of file`)
    await expect(verify(old, folder())).rejects.toThrow(/^\/\S+: illegal operation on a directory$/)
    const { code, out } = await verify(current)
    expect([code, out]).toEqual([0, expect.stringContaining('Numbers 1 to 10 are not among these files.')])
  })

  it('takes the files of `audit.log*` in the order of time: the log after its rotations, logrotate’s from the highest', async () => {
    const lines = chainOf(4)
    for (const names of [
      ['audit.log.2026-11-21T12-00-00.000Z.gz', 'audit.log.2026-11-21T13-00-00.000Z', 'audit.log'],
      ['audit.log.10.gz', 'audit.log.2', 'audit.log.1', 'audit.log'],
      ['a.1', 'a.2', 'b'],
    ]) {
      const path = folder()
      const files = names.map((name) => join(path, name))
      for (const [i, file] of files.entries()) {
        const text = `${lines[i]}\n`
        writeFileSync(file, file.endsWith('.gz') ? gzipSync(text) : text)
      }
      for (const order of [files, files.toSorted()])
        expect((await verify(...order)).out).toMatch(/^The chain is whole: /)
    }
  })

  it.each<[string, (lines: string[]) => string[], RegExp]>([
    ['changed', (l) => l.with(3, l[3]?.replace('call-3', 'call-x') ?? ''), /\.1:4: was changed: its bytes/],
    ['removed', (l) => l.toSpliced(3, 2), /\.1:4: 2 lines before it were removed \(of numbers 4 to 5\)\n1 problem /],
    [
      'moved',
      (l) => l.with(3, l[4] ?? '').with(4, l[3] ?? ''),
      /\.1:5: was moved: number 4 belongs before .*\.1:4\n1 problem /,
    ],
    ['inserted', (l) => l.toSpliced(3, 0, '{"a":1}'), /\.1:4: was inserted: it is not part of the chain\n1 problem /],
    [
      'copied',
      (l) => l.toSpliced(6, 0, l[0] ?? ''),
      /\.1:7: was inserted: there is a line with number 1 already\n1 problem /,
    ],
    ['cut off', (l) => l.slice(0, 8), /audit\.log:1: 2 lines before it were removed/],
  ])('says where a line was %s, and ends with 1', async (_what, change, words) => {
    const files = await log()
    edit(files[0] ?? '', change)
    const { code, out } = await verify(...files)
    expect(out).toMatch(words)
    expect(code).toBe(1)
  })

  it('says that a file ends within a line, and that one begins anew', async () => {
    const [old = '', current = ''] = await log()
    writeFileSync(current, readFileSync(current).subarray(0, -5))
    expect(await verify(old, current)).toMatchObject({ code: 1, out: expect.stringMatching(/:10: is torn/) })
    writeFileSync(current, `${chainOf(3).join('\n')}\n`)
    expect(await verify(old, current)).toMatchObject({ code: 1, out: expect.stringMatching(/:1: begins a new chain/) })
  })

  it('takes a torn line for what the log says it is, and no other', async () => {
    const [, current = ''] = await log()
    appendFileSync(current, '{"torn":')
    const opened = await audit(['--audit-log', current, '--audit-chain', 'on'])
    opened.write(record(20))
    await opened.close()
    expect(await verify(current)).toMatchObject({ code: 0, out: expect.stringContaining('1 torn line of a crash') })
    edit(current, (lines) => lines.map((line) => (line === '{"torn":' ? '{"tors":' : line)))
    expect(await verify(current)).toMatchObject({ code: 1, out: expect.stringMatching(/:11: was inserted/) })
  })

  it('with a key finds lines that somebody without it sealed, and says so when it is needed', async () => {
    const key = join(folder(), 'key')
    writeFileSync(key, KEY)
    const files = await log('--audit-chain-key', key)
    expect((await verify('--key', key, ...files)).code).toBe(0)
    await expect(verify(...files)).rejects.toThrow(/sealed with a key; give it with --key FILE/)
    const forged = chainOf(10)
    writeFileSync(files[0] ?? '', `${forged.join('\n')}\n`)
    const { code, out } = await verify('--key', key, ...files)
    expect(code).toBe(1)
    expect(out).toMatch(/\.1:1: was not sealed with a key/)
  })

  it('misses lines that were cut off at the end when it is told what must be there', async () => {
    const [old = '', current = ''] = await log()
    const noted = JSON.parse(readFileSync(current, 'utf8').trimEnd().split('\n').at(-1) ?? '').chain.hash
    expect((await verify('--until', noted, old, current)).code).toBe(0)
    edit(current, (lines) => lines.slice(0, -1))
    expect((await verify(old, current)).code).toBe(0)
    expect(await verify('--until', noted, old, current)).toMatchObject({
      code: 1,
      out: expect.stringContaining('missing'),
    })
  })

  it('ends with 2 when there is nothing to verify', async () => {
    await expect(verify(join(folder(), 'missing'))).rejects.toThrow(/: no such file or directory$/)
    const plain = join(folder(), 'plain')
    writeFileSync(plain, '{"a":1}\n')
    await expect(verify(plain)).rejects.toThrow(/no line of these files belongs to a chain/)
  })

  const lines = chainOf(30)
  const keyed = chainOf(30, Buffer.from(KEY))
  const index = fc.nat(29)

  it('reports every change of a single byte, at its line or at the one after it', { tags: 'slow' }, () => {
    fc.assert(
      fc.property(index, fc.nat(1000), fc.integer({ min: 1, max: 127 }), fc.boolean(), (i, at, by, seal) => {
        const all = seal ? keyed : lines
        const line = Buffer.from(all[i] ?? '')
        const offset = at % line.length
        line[offset] = (line[offset] ?? 0) ^ by
        const found = verdictOf(all.with(i, line.toString('latin1')), seal ? Buffer.from(KEY) : undefined).problems
        expect(found.length).toBeGreaterThan(0)
        expect(found.some((problem) => problem.line === i + 1 || problem.line === i + 2)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('reports every removal but at the ends, and every move and copy, and nothing where nothing is', () => {
    expect(problems(lines)).toEqual([])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 1, max: 10 }), (from, count) => {
        const kept = lines.toSpliced(from, count)
        if (kept.length === from) return // cut off at the end: no chain shows that
        expect(problems(kept)).toEqual([`${from + 1} removed`])
      }),
    )
    fc.assert(
      fc.property(index, index, (from, to) => {
        const [line = ''] = lines.slice(from, from + 1)
        const moved = lines.toSpliced(from, 1).toSpliced(to, 0, line)
        if (from === to) expect(problems(moved)).toEqual([])
        else expect(problems(moved).length).toBeGreaterThan(0)
        const copied = lines.toSpliced(to, 0, line)
        if (to !== from && to !== from + 1) expect(problems(copied).length).toBeGreaterThan(0)
        else expect(problems(copied)).toEqual([`${from + 2} inserted`])
      }),
      { numRuns: 500 },
    )
  })

  it('without a key sees that a line was replaced and sealed anew, by the line after it', () => {
    const chain = new Chain(undefined, { seq: 9, hash: JSON.parse(lines[8] ?? '').chain.hash })
    const forged = chain.link('{"n":9,"stage":"forged"}\n').slice(0, -1)
    expect(problems(lines.with(9, forged))).toEqual(['10 changed'])
  })
})
