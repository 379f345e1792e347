import { appendFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dispatch } from '../../src/cli/dispatch.ts'
import { eventually } from '../support/client.ts'
import { captured } from '../support/io.ts'
import { folders } from './support.ts'

const line = (n: number, more: object = {}): string =>
  `${JSON.stringify({
    ...{ schema: 2, time: `2026-11-21T12:00:0${n % 10}.000000Z`, stage: 'complete', method: 'GET', path: `/c/${n}` },
    ...{ clientVersion: '1.22', targetVersion: '1.44', lane: 'body', status: 200, userAgent: 'docker-py/1.10.6 x' },
    ...{ duration: { total: 12.3, engine: 10, bridge: 2.3 }, ...more },
  })}\n`

describe('audit tail', () => {
  const folder = folders()

  it('shows a line a call, within 80 columns, with what was refused or lost under it', async () => {
    const path = join(folder(), 'audit.log')
    const losses = [{ what: 'HostConfig.X', change: '1.25/x', needs: '1.25', outcome: 'warned' }]
    const error = { code: 'policy', message: 'not allowed' }
    writeFileSync(
      path,
      [
        line(1, { stage: 'received', status: undefined }),
        line(1, { path: `/${'long'.repeat(40)}\u001b[2J` }),
        line(2, { stage: 'failed', status: 403, error, losses }),
        line(3, { stage: 'answered', lane: 'tunnel', status: 101 }),
        line(4, { stage: 'dropped', dropped: { count: 5 } }),
        line(5, { time: '2026-11-21T\u001b[2J0000', clientVersion: '\u009b2J', targetVersion: '\u001b[2J' }),
        '{"torn\n',
      ].join(''),
    )
    const io = captured()
    expect(await dispatch(['audit', 'tail', path, '--once'], io)).toBe(0)
    const lines = io.out().trimEnd().split('\n')
    expect(lines.filter((one) => one.length > 80)).toEqual([])
    expect(lines[0]).toMatch(/^12:00:01 200 GET \/longlong\S*… 1\.22→1\.44 +12 ms docker-py\/1\.10\.6$/)
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^12:00:02 403 GET \/c\/2 /),
      '             policy: not allowed',
      '             lost: HostConfig.X (1.25/x)',
      expect.stringMatching(/^12:00:03 101 GET \/c\/3 .* open /),
      '12:00:04 5 records had to be dropped before this one',
      expect.stringMatching(/^\uFFFD\[2J0000 200 GET \/c\/5 .* \uFFFD2J→\uFFFD\[2J /),
      '(not an audit record)',
    ])
    expect(io.out()).not.toMatch(/[^\P{Cc}\n]/u)
  })

  it('names the file that it cannot read, a folder', async () => {
    const path = folder()
    await expect(dispatch(['audit', 'tail', path, '--once'], captured())).rejects.toThrow(
      `${path}: illegal operation on`,
    )
  })

  it('begins with the last lines, follows the file, and goes on after rotation and truncation', async () => {
    const path = join(folder(), 'audit.log')
    writeFileSync(path, Array.from({ length: 300 }, (_, n) => line(n)).join(''))
    const io = captured({ env: { ENGINEBRIDGE_AUDIT_LOG: `- ${path}` } })
    const ended = dispatch(['audit', 'tail', '--lines', '2'], io)
    const shown = (): string[] => [...io.out().matchAll(/GET \/c\/(\d+) /g)].map(([, n]) => n ?? '')
    await eventually(() => shown().length >= 2, 'the last two lines', 10_000)
    appendFileSync(path, line(300).slice(0, 40))
    appendFileSync(path, line(300).slice(40))
    renameSync(path, `${path}.1`)
    appendFileSync(`${path}.1`, line(301))
    await new Promise((resolve) => setTimeout(resolve, 500)) // logrotate may make the new file later
    writeFileSync(path, line(302))
    await eventually(() => shown().includes('302'), 'the new file', 10_000)
    truncateSync(path)
    await new Promise((resolve) => setTimeout(resolve, 500)) // it looks five times a second
    appendFileSync(path, line(303, { path: '/c/303' }))
    await eventually(() => shown().includes('303'), 'the file that was cut', 10_000)
    io.stop()
    expect(await ended).toBe(0)
    expect(shown()).toEqual(['298', '299', '300', '301', '302', '303'])
  })

  it('shows nothing of what was there with --lines 0, which showed all of it', async () => {
    const path = join(folder(), 'audit.log')
    writeFileSync(path, line(1))
    const io = captured()
    expect(await dispatch(['audit', 'tail', path, '--lines', '0', '--once'], io)).toBe(0)
    expect(io.out()).toBe('')
  })

  it('says what it needs when there is no file', async () => {
    await expect(dispatch(['audit', 'tail'], captured())).rejects.toThrow(/FILE is missing/)
    await expect(dispatch(['audit', 'tail', join(folder(), 'none')], captured())).rejects.toThrow(
      /: no such file or directory$/,
    )
  })
})
