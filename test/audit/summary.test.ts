import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dispatch } from '../../src/cli/dispatch.ts'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { captured } from '../support/io.ts'
import { audit, folders } from './support.ts'

describe('audit summary', () => {
  const folder = folders()
  const stage = stages()
  const summary = async (...args: string[]): Promise<string> => {
    const io = captured()
    expect(await dispatch(['audit', 'summary', ...args], io)).toBe(0)
    expect(
      io
        .out()
        .split('\n')
        .filter((line) => line.length > 80 && !args.includes('--json')),
    ).toEqual([])
    return io.out()
  }

  /** A log of a bridge before an engine that answers everything with an empty list. */
  async function log(): Promise<string> {
    const path = join(folder(), 'audit.log')
    const sink = await audit(['--audit-log', path])
    const script = {
      onRequest: (_req: unknown, res: { setHeader(name: string, value: string): void; end(text: string): void }) => {
        res.setHeader('Content-Type', 'application/json')
        res.end('[]')
      },
    }
    const { socket } = await stage(script, [], { audit: sink })
    const old = { headers: { 'User-Agent': 'docker-py/1.10.6' } }
    for (let i = 0; i < 3; i++) await call(socket, '/v1.22/containers/json', old)
    await call(socket, '/v1.22/images/json', old)
    await call(socket, '/v1.51/containers/json', { headers: { 'User-Agent': 'Docker-Client/28.3 (linux)' } })
    await call(socket, '/v1.11/containers/json') // too old for the bridge
    await sink.close()
    return path
  }

  it('says which clients and versions made which calls', async () => {
    const out = await summary(await log())
    expect(out).toMatch(/^6 calls, 1 answered with an error\n20\d\d-\d\d-\d\d \d\d:\d\d:\d\d to \S+ \S+ UTC\n/)
    expect(out).toMatch(/^ {2}docker-py\/1\.10\.6 +1\.22 +1 +4 +0$/m)
    expect(out).toMatch(/^ {2}1\.22 +1\.44 +4$/m)
    expect(out).toMatch(/^ {2}GET \/containers\/json +5 +1$/m)
    expect(out).toMatch(/Refused by the bridge[\s\S]*version +1$/m)
  })

  it('says what would break on another engine, without the bridge and with it', async () => {
    const path = await log()
    const out = await summary(path, '--engine', '29.0')
    expect(out).toMatch(/Without the bridge 4 of these 5 calls would be refused/)
    expect(out).toMatch(
      /API 1\.22 \(Docker 1\.10\): 4 calls by docker-py\/1\.10\.6\n {2}Without bridge {2}every call is refused/,
    )
    expect(out).toMatch(/API 1\.51[^\n]*\n {2}Without bridge {2}served/)
    const { outlook } = JSON.parse(await summary(path, '--engine', '29.0', '--json'))
    expect(outlook[0]).toMatchObject({
      client: '1.22',
      calls: 4,
      without: { refusal: expect.stringContaining('Minimum supported API version is 1.44') },
      with: { target: '1.44', note: null },
    })
    const met: { id: string; operations: object }[] = outlook[0].with.changes
    expect(met.find(({ id }) => id === '1.44/virtual-size')?.operations).toEqual({ ImageList: 1 })
    // Only calls that were seen count.
    expect(
      met.flatMap(({ operations }) => Object.keys(operations)).filter((name) => !/^(Container|Image)List$/.test(name)),
    ).toEqual([])
    expect(await summary(path, '--engine', '29.0', '--all')).toMatch(/GET \/images\/json 1×/)
  })

  it('says which values were lost, and which another engine would lose', async () => {
    const path = join(folder(), 'lossy.log')
    const create = {
      stage: 'complete',
      time: '2026-01-01T00:00:00.000000Z',
      operation: 'ContainerCreate',
      method: 'POST',
    }
    const losses = [{ what: 'HostConfig.Annotations', change: '1.43/annotations', needs: '1.43', outcome: 'warned' }]
    writeFileSync(path, `${JSON.stringify({ ...create, clientVersion: '1.51', targetVersion: '1.41', losses })}\n`)
    expect(await summary(path)).toMatch(
      /What the engine could not express\n.*\n {2}HostConfig\.Annotations +1\.43 +1 +1\.43\/annotations$/m,
    )
    expect(JSON.parse(await summary(path, '--json')).losses).toEqual([
      { what: 'HostConfig.Annotations', change: '1.43/annotations', needs: '1.43', calls: 1 },
    ])
    const outlook = await summary(path, '--engine', '20.10')
    expect(outlook).toMatch(/can be refused: \S/)
    expect(outlook.replaceAll(/\s+/g, ' ')).toMatch(/can be lost, with a warning: [^(]+ \(1\.43\/annotations\)/)
  })

  it('tells of dropped records and unreadable lines, and ends with a sentence when there are no calls', async () => {
    const path = join(folder(), 'odd.log')
    const end =
      '{"stage":"complete","time":"2026-01-01T00:00:00.000000Z","method":"GET","path":"/x","userAgent":"a\\u001b[2Jb"}'
    writeFileSync(path, `{"stage":"dropped","dropped":{"count":7}}\n{"torn\n${end}\n`)
    const out = await summary(path)
    expect(out).toContain('The log itself says that 7 records had to be dropped.')
    expect(out).toContain('1 line could not be read.')
    expect(out).toContain('a\uFFFD[2Jb')
    writeFileSync(path, '')
    await expect(summary(path)).rejects.toThrow(/no finished call/)
    await expect(summary(join(folder(), 'none'))).rejects.toThrow(/: no such file or directory$/)
  })
})
