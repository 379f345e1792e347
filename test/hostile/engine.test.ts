import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually, RawConnection } from '../support/client.ts'
import { answer, RawEngine } from '../support/raw-engine.ts'

const JSON_TYPE = 'Content-Type: application/json\r\n'
const PLAIN = '/v1.44/_ping'
const BODY = '/v1.18/images/x/json'
const BYTES = '/v1.44/containers/x/export'
const RECORDS = '/v1.18/events'
const LANES = { relay: PLAIN, body: BODY, bytes: BYTES, records: RECORDS } as const

interface Answered {
  readonly name: string
  readonly target: string
  readonly engine: string
  /** The whole answer that the client gets, after its connection was closed where it is. */
  readonly client: RegExp
  readonly flags?: readonly string[]
  /** What the client asks to switch to. */
  readonly upgrade?: string
}

/** The same answer on each lane. */
const everywhere = (name: string, engine: string, client: RegExp, flags: readonly string[] = []): Answered[] =>
  Object.entries(LANES).map(([lane, target]) => ({ name: `${name}, ${lane}`, target, engine, client, flags }))

const BROKE = /^HTTP\/1\.1 502 [\s\S]*\r\nEnginebridge-Error: engine-broke-off\r\n/
const nested = '['.repeat(100_000) + ']'.repeat(100_000)

const ANSWERS: readonly Answered[] = [
  ...everywhere('garbage', '\x00\x01\x02garbage\r\n\r\n', BROKE),
  ...everywhere('another protocol', 'SSH-2.0-OpenSSH_9.9\r\n', BROKE),
  ...everywhere('a head without an end, above the limit', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(9000)}`, BROKE, [
    '--max-header',
    '8KiB',
  ]),
  ...everywhere('two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\n{}abc', BROKE),
  ...everywhere('a null byte in a header', 'HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 2\r\n\r\n{}', BROKE),
  ...everywhere('a bare line feed', 'HTTP/1.1 200 OK\r\nX-A: b\nX-B: c\r\nContent-Length: 2\r\n\r\n{}', BROKE),
  ...everywhere('a folded header', 'HTTP/1.1 200 OK\r\nX-A: b\r\n c: d\r\nContent-Length: 2\r\n\r\n{}', BROKE),
  ...everywhere(
    'a head of 100 KiB passes',
    answer('200 OK', `${JSON_TYPE}X-A: ${'a'.repeat(100 << 10)}\r\n`, '{}'),
    /^HTTP\/1\.1 200 [\s\S]*X-A: a{102400}\r\n/,
  ),
  ...everywhere(
    'headers that its Connection names do not pass, others do',
    answer('200 OK', `${JSON_TYPE}Connection: x-a, close\r\nX-A: 1\r\nX-B: 2\r\n`, '{}'),
    /^HTTP\/1\.1 200 (?![\s\S]*X-A)[\s\S]*X-B: 2\r\n/,
  ),
  ...everywhere(
    'headers that the Connection of an error names do not pass',
    answer('500 X', `${JSON_TYPE}Connection: x-a, close\r\nX-A: 1\r\nX-B: 2\r\n`, '{"message":"x"}'),
    /^HTTP\/1\.1 500 (?![\s\S]*X-A)[\s\S]*X-B: 2\r\n/,
  ),
  ...Object.entries({ tcp: '/v1.44/containers/x/attach', websocket: '/v1.44/containers/x/attach/ws' }).flatMap(
    ([upgrade, target]): Answered[] => [
      {
        name: `a switch keeps its Connection, and headers that this names do not pass, ${upgrade}`,
        ...{ target, upgrade },
        engine: `HTTP/1.1 101 X\r\nConnection: Upgrade, x-a\r\nUpgrade: ${upgrade}\r\nX-A: 1\r\nX-B: 2\r\n\r\nraw`,
        client: /^HTTP\/1\.1 101 X\r\nConnection: Upgrade(?:, x-a)?\r\nUpgrade: \w+\r\nX-B: 2\r\n\r\nraw$/,
      },
      {
        name: `headers that the Connection of a refused switch names do not pass, ${upgrade}`,
        ...{ target, upgrade },
        engine: answer('409 X', `${JSON_TYPE}Connection: x-a, close\r\nX-A: 1\r\nX-B: 2\r\n`, '{"message":"x"}'),
        client: /^HTTP\/1\.1 409 (?![\s\S]*X-A)[\s\S]*X-B: 2\r\n/,
      },
    ],
  ),
  ...everywhere(
    'a reason that no head may have',
    answer('200 \xe2\x9c\x93\x7f', JSON_TYPE, '{}'),
    /^HTTP\/1\.1 (200 OK\r\n|502 )/,
  ),
  ...everywhere(
    'a second answer behind the first is nobody’s',
    `${answer('200 OK', JSON_TYPE, '{}')}HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nsmuggled`,
    /^HTTP\/1\.1 (?![\s\S]*smuggled)/,
  ),
  ...everywhere(
    'an error without an end, above the limit',
    `HTTP/1.1 500 X\r\nContent-Length: 9000\r\n\r\n${'e'.repeat(5000)}`,
    BROKE,
    ['--max-error-body', '4KiB'],
  ),
  {
    name: 'a body shorter than its length, untouched: the connection is cut',
    target: BYTES,
    engine: 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc',
    client: /^HTTP\/1\.1 200 [\s\S]*\r\n\r\nabc$/,
  },
  {
    name: 'a body shorter than its length, translated',
    target: BODY,
    engine: `HTTP/1.1 200 OK\r\n${JSON_TYPE}Content-Length: 10\r\n\r\n{"a`,
    client: BROKE,
  },
  {
    name: 'chunks that are none, untouched: the connection is cut',
    target: BYTES,
    engine: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nxyz\r\n',
    client: /^(?![\s\S]*0\r\n\r\n$)/,
  },
  {
    name: 'chunks that are none, translated',
    target: BODY,
    engine: `HTTP/1.1 200 OK\r\n${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    client: BROKE,
  },
  {
    name: 'an answer above the limit',
    target: BODY,
    engine: answer('200 OK', JSON_TYPE, `{"a":"${'x'.repeat(5000)}"}`),
    client: BROKE,
    flags: ['--max-response-body', '4KiB'],
  },
  {
    name: 'an answer nested 100,000 deep',
    target: BODY,
    engine: answer('200 OK', JSON_TYPE, `{"a":${nested}}`),
    client: BROKE,
  },
  {
    name: 'a compressed answer that nobody asked for',
    target: BODY,
    engine: answer('200 OK', `${JSON_TYPE}Content-Encoding: gzip\r\n`, '\x1f'),
    client: BROKE,
  },
  {
    name: 'an answer that is no JSON goes on as it came',
    target: BODY,
    engine: answer('200 OK', JSON_TYPE, '{"a":'),
    client: /^HTTP\/1\.1 200 [\s\S]*\r\n\r\n\{"a":$/,
  },
  {
    name: 'an answer with __proto__',
    target: BODY,
    engine: answer('200 OK', JSON_TYPE, '{"__proto__":{"Size":9},"Size":7}'),
    client: /\{"__proto__":\{"Size":9\},"Size":7,[\s\S]*"VirtualSize":7/,
  },
  {
    name: 'a record without an end, above the limit: the stream is cut',
    target: RECORDS,
    engine: `HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\n{"status":"${'x'.repeat(5000)}`,
    client: /^(?![\s\S]*0\r\n\r\n$)/,
    flags: ['--max-record', '4KiB'],
  },
  {
    name: 'a record nested 100,000 deep: the stream is cut',
    target: RECORDS,
    engine: `HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\n{"status":${nested}}`,
    client: /^(?![\s\S]*0\r\n\r\n$)/,
  },
  {
    name: 'a switch that nobody asked for',
    target: PLAIN,
    engine: 'HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\nraw',
    client: BROKE,
  },
  {
    name: 'an interim answer with fields of its connection',
    target: PLAIN,
    engine: `HTTP/1.1 103 Early Hints\r\nConnection: close, x-a\r\nX-A: 1\r\nLink: x\r\nKeep-Alive: timeout=5\r\n\r\n${answer('200 OK', JSON_TYPE, '{}')}`,
    client: /^HTTP\/1\.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP\/1\.1 200 /,
  },
  {
    name: 'a length in an interim answer and in a 204',
    target: PLAIN,
    engine:
      'HTTP/1.1 103 Early Hints\r\nContent-Length: 2\r\n\r\nHTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n{}',
    client: /^HTTP\/1\.1 103 Early Hints\r\n\r\nHTTP\/1\.1 204 No Content\r\nConnection: close\r\n\r\n$/,
  },
  {
    name: '1,000 interim answers',
    target: PLAIN,
    engine: `${'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'.repeat(1000)}${answer('200 OK', JSON_TYPE, '{}')}`,
    client: /^HTTP\/1\.1 103 Early Hints\r\nLink: x\r\n\r\n[\s\S]*HTTP\/1\.1 200 /,
  },
]

describe('an engine that answers', () => {
  const stage = stages()
  const count = { tried: 0, held: 0 }
  let engine: RawEngine
  afterEach(() => engine.close())
  afterAll(() => process.stdout.write(`engines: ${count.tried} hostile answers tried, ${count.held} held\n`))

  it.each(ANSWERS.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    count.tried++
    engine = new RawEngine(join(stage.folder(), 'raw.sock'), ({ connection, target }) => {
      if (target.includes('last')) return answer('200 OK', '', 'fine')
      connection.end(Buffer.from(one.engine, 'latin1'))
      return undefined
    })
    await engine.listen()
    const bridge = await stage.bridge(engine.socket, one.flags)
    const client = new RawConnection(bridge.socket)
    const asked = one.upgrade === undefined ? 'Connection: close' : `Connection: Upgrade\r\nUpgrade: ${one.upgrade}`
    const method = one.upgrade === 'tcp' ? 'POST' : 'GET'
    client.send(`${method} ${one.target} HTTP/1.1\r\nHost: d\r\n${asked}\r\n\r\n`)
    if (one.upgrade !== undefined) await client.until((text) => text.includes('\r\n\r\n')).then(() => client.finish())
    expect(await client.untilEnd()).toMatch(one.client)
    await eventually(() => bridge.audit.some(({ stage: at }) => at !== 'received'), 'the call has its audit record')
    const next = new RawConnection(bridge.socket)
    next.send('GET /v1.44/_ping?last HTTP/1.1\r\nHost: d\r\nConnection: close\r\n\r\n')
    expect(await next.untilEnd()).toMatch(/^HTTP\/1\.1 200 [\s\S]*fine$/)
    count.held++
  })
})
