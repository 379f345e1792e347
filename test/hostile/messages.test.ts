import { gzipSync } from 'node:zlib'
import { type Hostile, hostileSuite, pooled } from '../support/hostile.ts'
import { answer } from '../support/raw-engine.ts'

const ping = (name: string, headers: string, seen: string, more: Partial<Hostile> = {}): Hostile => ({
  name,
  send: `GET /v1.44/_ping HTTP/1.1\r\n${headers}\r\n`,
  statuses: [200],
  engine: [pooled('GET /v1.44/_ping', seen)],
  ...more,
})

const JSON_TYPE = 'Content-Type: application/json\r\n'

/** A create at a version that the engine speaks: nothing is translated, but validation looks at the body. */
const create = (name: string, body: string, seen: string, { version = '1.44', headers = '' } = {}): Hostile => ({
  name,
  send: `POST /v${version}/containers/create HTTP/1.1\r\nHost: d\r\n${JSON_TYPE}${headers}Content-Length: ${body.length}\r\n\r\n${body}`,
  statuses: [200],
  engine: [pooled('POST /v1.44/containers/create', `${JSON_TYPE}${headers}Content-Length: ${seen.length}\r\n`, seen)],
})

const refusedCreate = (name: string, body: string, status: number, version = '1.44'): Hostile => ({
  ...create(name, body, ''),
  send: `POST /v${version}/containers/create HTTP/1.1\r\nHost: d\r\n${JSON_TYPE}Content-Length: ${body.length}\r\n\r\n${body}`,
  statuses: [status],
  engine: [],
  client: version === '1.44' ? /\r\n\r\n\{"message":/ : /text\/plain[\s\S]*\r\n\r\n[^{]/,
})

const many = 'a&'.repeat(9_999)
const excess = { statuses: [400], engine: [], client: /more than 10000 parameters/ }

const nested = (depth: number): string => `{"Image":"x","Labels":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`
const zipped = gzipSync('{"Image":"x"}').toString('latin1')
const form = 'Content-Type: application/x-www-form-urlencoded\r\n'

hostileSuite('headers and bodies', [
  ping('a host that is another', 'Host: evil.example\r\n', ''),
  ping('two hosts', 'Host: a\r\nHost: b\r\n', '', { statuses: [400], engine: [] }),
  ping('a host that is a path (clients 1.6 to 1.9)', 'Host: /var/run/docker.sock\r\n', ''),
  ping(
    'hop-by-hop headers',
    'Host: d\r\nKeep-Alive: 3\r\nTE: trailers\r\nProxy-Authorization: x\r\nProxy-Connection: x\r\n',
    '',
  ),
  ping(
    'blanks around values, which pass as they came',
    'Host: d\r\nX-A:1\r\nx-b:\t 2 \t\r\nX-C:\r\n',
    'X-A:1\r\nx-b:\t 2 \t\r\nX-C:\r\n',
    {
      answer: () => answer('200 OK', 'X-D:1\r\nx-e: \t2 \t\r\nX-F:\r\nKeep-Alive:x\r\n', 'OK'),
      client: /\r\nX-D:1\r\nx-e: \t2 \t\r\nX-F:\r\nContent-Length: 2\r\n/,
    },
  ),
  ping(
    'headers named by Connection',
    'Host: d\r\nConnection: x-a, X-B\r\nX-A: 1\r\nx-b: 2\r\nX-C: 3\r\n',
    'X-C: 3\r\n',
  ),
  ping('Connection naming the host', 'Host: d\r\nConnection: host, content-length\r\n', ''),
  ping('bytes beyond ASCII', 'Host: d\r\nX-A: \xc3\xa9\xff\r\n', 'X-A: \xc3\xa9\xff\r\n'),
  ping('a header twice', 'Host: d\r\nX-A: 1\r\nX-A: 2\r\n', 'X-A: 1\r\nX-A: 2\r\n'),
  ping(
    'names like an object’s own',
    'Host: d\r\n__proto__: x\r\nconstructor: y\r\n',
    '__proto__: x\r\nconstructor: y\r\n',
  ),
  ping('an upgrade to what is no tunnel', 'Host: d\r\nConnection: Upgrade\r\nUpgrade: TLS/1.2\r\n', ''),
  ping('no host', '', '', { statuses: [400], engine: [] }),
  ping('999 header fields', `Host: d\r\n${'a: b\r\n'.repeat(998)}`, 'a: b\r\n'.repeat(998)),
  ping('1,000 header fields', `Host: d\r\n${'a: b\r\n'.repeat(999)}`, '', { statuses: [431], engine: [] }),
  ping('100,000 header fields', `Host: d\r\n${'a: b\r\n'.repeat(100_000)}`, '', { statuses: [431], engine: [] }),
  ping('a header of 900 KiB', `Host: d\r\nX-A: ${'a'.repeat(900 << 10)}\r\n`, `X-A: ${'a'.repeat(900 << 10)}\r\n`),
  ping('a header of 2 MiB', `Host: d\r\nX-A: ${'a'.repeat(2 << 20)}\r\n`, '', {
    statuses: [431],
    engine: [],
    client: /Enginebridge-Error: header-too-large\r\n/,
  }),
  ping('a header above --max-header', `Host: d\r\nX-A: ${'a'.repeat(5000)}\r\n`, '', {
    statuses: [431],
    engine: [],
    flags: ['--max-header', '4KiB'],
  }),
  {
    name: 'a header twice',
    send: 'POST /v1.44/images/x/push HTTP/1.1\r\nHost: d\r\nX-Registry-Auth: e30=\r\nX-Registry-Auth: eyJ9\r\n\r\n',
    statuses: [200],
    engine: [pooled('POST /v1.44/images/x/push', 'X-Registry-Auth: e30=\r\nX-Registry-Auth: eyJ9\r\n')],
  },
  {
    name: 'an expectation that nobody meets',
    send: 'GET /v1.44/_ping HTTP/1.1\r\nHost: d\r\nExpect: 200-maybe\r\n\r\n',
    statuses: [417],
    engine: [],
  },
  {
    name: 'a body that waits to be asked for',
    send: `POST /v1.44/containers/create HTTP/1.1\r\nHost: d\r\n${JSON_TYPE}Expect: 100-continue\r\nContent-Length: 13\r\n\r\n{"Image":"x"}`,
    statuses: [100, 200],
    engine: [pooled('POST /v1.44/containers/create', `${JSON_TYPE}Content-Length: 13\r\n`, '{"Image":"x"}')],
  },
  {
    name: 'parameters in a form body win over the query, as engines have it',
    send: `POST /v1.44/containers/x/kill?signal=TERM HTTP/1.1\r\nHost: d\r\n${form}Content-Length: 11\r\n\r\nsignal=KILL`,
    statuses: [200],
    engine: [pooled('POST /v1.44/containers/x/kill?signal=KILL&signal=TERM', 'Content-Length: 0\r\n')],
  },
  {
    name: '10,000 parameters',
    send: `GET /v1.44/_ping?${many}a HTTP/1.1\r\nHost: d\r\n\r\n`,
    statuses: [200],
    engine: [pooled(`GET /v1.44/_ping?${many}a`, '')],
  },
  { name: '10,001 parameters', send: `GET /v1.44/_ping?${many}a&a HTTP/1.1\r\nHost: d\r\n\r\n`, ...excess },
  {
    name: '500,000 parameters, for a parser that splits at semicolons',
    send: `POST /v1.44/containers/create?${'a;'.repeat(500_000)} HTTP/1.1\r\nHost: d\r\n\r\n`,
    ...excess,
  },
  {
    name: 'a form of 1,000,000 parameters',
    send: `POST /v1.44/containers/x/kill HTTP/1.1\r\nHost: d\r\n${form}Content-Length: 2000000\r\n\r\n${'a&'.repeat(1_000_000)}`,
    ...excess,
  },
  {
    name: 'a form body cannot end the request line',
    send: `POST /v1.44/containers/x/kill HTTP/1.1\r\nHost: d\r\n${form}Content-Length: 28\r\n\r\nsignal=9 HTTP/1.1\r\nX: y\r\n\r\n#`,
    statuses: [200],
    engine: [
      pooled('POST /v1.44/containers/x/kill?signal=9%20HTTP/1.1%0D%0AX:%20y%0D%0A%0D%0A%23', 'Content-Length: 0\r\n'),
    ],
  },
  create('space between members', '{ "Image" : "x" }', '{"Image":"x"}'),
  create(
    'a member twice',
    '{"Image":"x","HostConfig":{"Memory":9},"HostConfig":{"Privileged":true}}',
    '{"Image":"x","HostConfig":{"Memory":9,"Privileged":true}}',
  ),
  create(
    'a member in two spellings',
    '{"Image":"x","hostconfig":{"Privileged":true},"HostConfig":{"Memory":9}}',
    '{"Image":"x","HostConfig":{"Privileged":true,"Memory":9}}',
  ),
  create(
    'the last of two spellings',
    '{"Image":"x","HOSTNAME":"a","Hostname":"b","hostname":"c"}',
    '{"Image":"x","Hostname":"c"}',
  ),
  create(
    'a long s',
    '{"Image":"x","Ho\u00c5\u00bftConfig":{"Privileged":true}}',
    '{"Image":"x","HostConfig":{"Privileged":true}}',
  ),
  create('__proto__', '{"Image":"x","__proto__":{"Privileged":true}}', '{"Image":"x","__proto__":{"Privileged":true}}'),
  create(
    '__proto__ at a version that is translated',
    '{"Image":"x","__proto__":{"a":1},"constructor":{"prototype":{"b":1}},"HostConfig":{"IpcMode":"private","CgroupnsMode":"host","RestartPolicy":{"Name":"no"}}}',
    '{"Image":"x","__proto__":{"a":1},"constructor":{"prototype":{"b":1}},"HostConfig":{"IpcMode":"private","CgroupnsMode":"host","RestartPolicy":{"Name":"no"}}}',
    { version: '1.43' },
  ),
  create(
    'labels that differ in case alone',
    '{"Image":"x","Labels":{"a":"1","A":"2"}}',
    '{"Image":"x","Labels":{"a":"1","A":"2"}}',
  ),
  create('1e400', '{"Image":"x","HostConfig":{"Memory":1e400}}', '{"Image":"x","HostConfig":{"Memory":1e400}}'),
  create(
    '400 digits',
    `{"Image":"x","HostConfig":{"Memory":${'9'.repeat(400)}}}`,
    `{"Image":"x","HostConfig":{"Memory":${'9'.repeat(400)}}}`,
  ),
  create('what is no JSON is for the engine to refuse', '{"Image":', '{"Image":'),
  create('a compressed body is for the engine to refuse: it takes none', zipped, zipped, {
    headers: 'Content-Encoding: gzip\r\n',
  }),
  create('a coding that is said and not done is not looked at', '{"Image":"x"}', '{"Image":"x"}', {
    headers: 'Content-Encoding: gzip\r\n',
  }),
  create('nesting within bounds', nested(900), nested(900)),
  refusedCreate('nesting of 100,000', nested(100_000), 400),
  refusedCreate('nesting of 100,000 by an old client', nested(100_000), 400, '1.18'),
  refusedCreate('lists nested 1,000,000 deep', '['.repeat(1_000_000), 400),
  {
    ...refusedCreate('a body above --max-request-body', `{"Image":"${'x'.repeat(2000)}"}`, 413),
    flags: ['--max-request-body', '1KiB'],
  },
  {
    ...refusedCreate('the same by an old client', `{"Image":"${'x'.repeat(2000)}"}`, 413, '1.18'),
    flags: ['--max-request-body', '1KiB'],
  },
  {
    name: 'an exec start that says a body above --max-request-body',
    send: `POST /v1.44/exec/x/start HTTP/1.1\r\nHost: d\r\n${JSON_TYPE}Content-Length: 9999999999\r\n\r\n{}`,
    statuses: [413],
    engine: [],
  },
])
