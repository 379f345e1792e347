import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MAX_MEMBERS } from '../../src/api/json/reader.ts'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { engine28 } from '../support/scripted-engine.ts'

const OLD_ENGINE = { ApiVersion: '1.24', MinAPIVersion: '1.12', Version: '1.12.6' }
const POLICY = 'rules:\n  preset: all\n  bodies:\n    base: strict\n'

const repeated = (open: string, count: number, one: (i: number) => string, close: string): string =>
  open + Array.from({ length: count }, (_, i) => one(i)).join(',') + close
const member = (i: number): string => `"a${i.toString(36)}":0`
/** `hostconfig` in a thousand spellings, again and again. */
const spelled = (i: number): string =>
  `"${[...'hostconfig'].map((letter, at) => ((i >> at) & 1 ? letter.toUpperCase() : letter)).join('')}":{}`

const MOST = MAX_MEMBERS - 100
const half = (open: string, close: string): string => repeated(open, MOST / 2, (i) => `"a${i.toString(36)}":""`, close)
const within: readonly (readonly [what: string, body: string])[] = [
  ['members', repeated('{"Image":"a",', MOST, member, '}')],
  ['members of a HostConfig', repeated('{"Image":"a","HostConfig":{', MOST, member, '}}')],
  ['labels', repeated('{"Image":"a","Labels":{', MOST, (i) => `"a${i.toString(36)}":""`, '}}')],
  [
    'members with an escape in their names',
    repeated('{"Image":"a",', MOST, (i) => `"\\u0061${i.toString(36)}":0`, '}'),
  ],
  // each time, V8 looked up the name a little longer: 1 MB took 17 seconds
  [
    'labels, and one that comes again and again',
    repeated(half('{"Image":"a","Labels":{', ','), MOST / 2, () => '"a":""', '}}'),
  ],
  [
    'Labels, again and again',
    repeated(half('{"Image":"a","Labels":{', '},'), MOST / 2, () => '"Labels":{"a":""}', '}'),
  ],
  ['spellings of one member', repeated('{"Image":"a",', MOST, spelled, '}')],
  ['variables of a wrong type', repeated('{"Image":"a","Env":[', MOST, () => '0', ']}')],
  ['mounts', repeated('{"Image":"a","HostConfig":{"Mounts":[', MOST, () => '{}', ']}}')],
]

const TOO_MANY = `an object or list of the JSON has more than ${MAX_MEMBERS} members`
const beyond: readonly (readonly [what: string, body: string])[] = [
  ['members', repeated('{"Image":"a",', 250_000, member, '}')],
  ['labels', repeated('{"Image":"a","Labels":{', 250_000, member, '}}')],
  ['mounts', repeated('{"Image":"a","HostConfig":{"Mounts":[', 1_000_000, () => '{}', ']}}')],
  ['nested lists', repeated('{"Image":"a","X":[', 500_000, () => '[[]]', ']}')],
]

/** Processor time of this thread, on which the bridge runs too, in ms: other load on the machine does not change it. */
const worked = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** JSON.parse alone, at its slowest. */
const parsing = (body: string): number => {
  const took = [1, 2].map(() => {
    const began = worked()
    JSON.parse(body)
    return worked() - began
  })
  return Math.max(...took)
}

/**
 * Every rule on a member folded the names of all others again: 1 MB held the only thread for 1.7 s (3.4 s under strict
 * rules), 12 MB for minutes and 591 MB.
 */
describe('a JSON body with very many members', () => {
  const stage = stages()

  async function create(
    version: string,
    body: string,
    engine = {},
  ): Promise<{ status: number; text: string; ms: number }> {
    const file = join(stage.folder(), 'policy.yaml')
    writeFileSync(file, POLICY)
    const { socket } = await stage(
      {
        version: { ...engine28, ...engine },
        onRequest: (req, res) => void req.resume().on('end', () => res.writeHead(201).end('{"Id":"x"}')),
      },
      ['--policy', file, '--announce-api', '1.51'],
    )
    const path = `/v${version}/containers/create`
    const headers = { 'Content-Type': 'application/json' }
    await call(socket, path, { method: 'POST', headers, body: '{"Image":"a"}' })
    const bytes = Buffer.from(body)
    const began = worked()
    const { status, text } = await call(socket, path, { method: 'POST', headers, body: bytes })
    return { status, text, ms: worked() - began }
  }

  it.each(within)(
    'of 1 MB, %s, costs a few times what JSON.parse costs, translation, validation and strict rules included',
    async (_what, body) => {
      for (const version of ['1.22', '1.44']) {
        const least = parsing(body)
        const { ms } = await create(version, body)
        expect(ms).toBeLessThan(12 * least + 150)
      }
    },
  )

  it('of mounts that an older engine gets as Binds costs no more for each than for one', async () => {
    const mount = (i: number): string => `{"Type":"bind","Source":"/a${i}","Target":"/b"}`
    const mounts = (count: number): string => repeated('{"Image":"a","HostConfig":{"Mounts":[', count, mount, ']}}')
    await create('1.51', mounts(5_000), OLD_ENGINE)
    const few = await create('1.51', mounts(5_000), OLD_ENGINE)
    const many = await create('1.51', mounts(20_000), OLD_ENGINE)
    expect(many.ms).toBeLessThan(8 * few.ms + 100)
  })

  it('of every port of tcp, published, is a container as on any engine', async () => {
    const all = (value: (port: number) => string): string =>
      repeated('{', 65_535, (i) => `"${i + 1}/tcp":${value(i + 1)}`, '}')
    const bindings = all((port) => `[{"HostIp":"","HostPort":"${port}"}]`)
    const body = `{"Image":"a","ExposedPorts":${all(() => '{}')},"HostConfig":{"PortBindings":${bindings}}}`
    for (const version of ['1.21', '1.44']) {
      const { status, ms } = await create(version, body)
      expect([version, status]).toEqual([version, 201])
      expect(ms).toBeLessThan(12 * parsing(body) + 300)
    }
  })

  it.each(beyond)('of 3 MB, %s, is refused in the form of its client, before it is parsed', async (_what, body) => {
    const least = parsing(body)
    const before = process.memoryUsage().heapTotal
    const old = await create('1.22', body)
    expect([old.status, old.text]).toEqual([400, `${TOO_MANY}\n`])
    const late = await create('1.44', body)
    expect(JSON.parse(late.text)).toEqual({ message: TOO_MANY })
    expect(late.ms).toBeLessThan(least + 150)
    expect(process.memoryUsage().heapTotal - before).toBeLessThan(100 * 1024 * 1024) // the body itself is in it
  })
})
