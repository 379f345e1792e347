import { type Hostile, hostileSuite, pooled, SWITCH } from '../support/hostile.ts'

const H = 'Host: d\r\n'
const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const SMUGGLED = 'POST /v1.44/containers/x/kill HTTP/1.1\r\nHost: d\r\n\r\n'

/** To an endpoint that no table knows, whose body streams; nothing of a refused head may reach the engine. */
const refused = (name: string, headers: string, body: string, status = 400): Hostile => ({
  name,
  send: `POST /v1.44/foo HTTP/1.1\r\n${H}${headers}\r\n${body}`,
  statuses: [status],
  engine: [],
})

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
const cut = (name: string, body: string): Hostile => ({
  name,
  send: `POST /v1.44/foo HTTP/1.1\r\n${H}${CHUNKED}\r\n${body}`,
  statuses: [400],
  engine: [],
})

const switches = (request: { bytes: string }): string =>
  /\r\nupgrade: /i.test(request.bytes) ? SWITCH : 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'

hostileSuite('request smuggling', [
  refused('both lengths', `Content-Length: 5\r\n${CHUNKED}`, `0\r\n\r\n${SMUGGLED}`),
  refused('both lengths, the coding first', `${CHUNKED}Content-Length: 5\r\n`, `0\r\n\r\n${SMUGGLED}`),
  refused('two codings, the last unknown', `${CHUNKED}Transfer-Encoding: identity\r\n`, `0\r\n\r\n${SMUGGLED}`),
  refused('two codings in one', 'Transfer-Encoding: gzip, chunked\r\n', `0\r\n\r\n${SMUGGLED}`, 501),
  refused('two codings in two', `Transfer-Encoding: gzip\r\n${CHUNKED}`, `0\r\n\r\n${SMUGGLED}`, 501),
  refused('chunked before another', 'Transfer-Encoding: chunked, gzip\r\n', `0\r\n\r\n${SMUGGLED}`),
  refused('chunked twice', 'Transfer-Encoding: chunked, chunked\r\n', `0\r\n\r\n${SMUGGLED}`),
  refused('an unknown coding', 'Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${SMUGGLED}`, 501),
  refused('a coding with a space before the colon', 'Transfer-Encoding : chunked\r\n', '0\r\n\r\n'),
  refused('a coding behind a vertical tab', 'Transfer-Encoding: \x0bchunked\r\n', '0\r\n\r\n'),
  refused('a coding in a folded line', 'Transfer-Encoding:\r\n chunked\r\n', '0\r\n\r\n'),
  refused('an empty coding', 'Transfer-Encoding:\r\n', SMUGGLED),
  refused('two lengths that differ', 'Content-Length: 1\r\nContent-Length: 2\r\n', 'ab'),
  refused('two lengths that agree', 'Content-Length: 2\r\nContent-Length: 2\r\n', 'ab'),
  refused('a list of lengths', 'Content-Length: 2, 2\r\n', 'ab'),
  refused('a length with a sign', 'Content-Length: +2\r\n', 'ab'),
  refused('a negative length', 'Content-Length: -1\r\n', 'ab'),
  refused('a hexadecimal length', 'Content-Length: 0x2\r\n', 'ab'),
  refused('a length beyond 64 bits', 'Content-Length: 99999999999999999999\r\n', 'ab'),
  refused('an empty length', 'Content-Length:\r\n', 'ab'),
  refused('a length with a space inside', 'Content-Length: 1 2\r\n', 'ab'),
  refused('a folded header', 'X-A: b\r\n c: d\r\n', ''),
  refused('a first header that is folded', ' X-A: b\r\n', ''),
  refused('a bare line feed in the head', 'X-A: b\nContent-Length: 5\r\n', 'abcde'),
  refused('a bare carriage return in the head', 'X-A: b\rContent-Length: 5\r\n', 'abcde'),
  refused('a header without a colon', 'X-A\r\n', ''),
  refused('a header without a name', ': x\r\n', ''),
  refused('a name with a space', 'X A: b\r\n', ''),
  refused('a name with a null byte', 'X\0A: b\r\n', ''),
  refused('a value with a null byte', 'X-A: a\0b\r\n', ''),
  {
    name: 'bare line feeds alone',
    send: `GET /v1.44/_ping HTTP/1.1\nHost: d\n\n${SMUGGLED}`,
    statuses: [400],
    engine: [],
  },
  cut('a chunk size beyond 64 bits', 'fffffffffffffffff\r\nab\r\n0\r\n\r\n'),
  cut('a negative chunk size', '-2\r\nab\r\n0\r\n\r\n'),
  cut('a hexadecimal prefix', '0x2\r\nab\r\n0\r\n\r\n'),
  cut('an empty chunk size', '\r\nab\r\n0\r\n\r\n'),
  cut('a line feed in a chunk extension', `2;a\nb\r\nab\r\n0\r\n\r\n${SMUGGLED}`),
  cut('chunks with bare line feeds', '2\nab\n0\n\n'),
  cut('a chunk longer than it says', '2\r\nabcd\r\n0\r\n\r\n'),
  cut('a length among the trailers', '2\r\nab\r\n0\r\nContent-Length: 3\r\n\r\nabc'),
  {
    name: 'chunk extensions are taken off',
    send: `POST /v1.44/foo HTTP/1.1\r\n${H}${CHUNKED}\r\n2;a=b;c="d"\r\nab\r\n0\r\n\r\n`,
    statuses: [200],
    engine: [pooled('POST /v1.44/foo', 'Transfer-Encoding: chunked\r\n', '2\r\nab\r\n0\r\n\r\n')],
  },
  {
    name: 'trailers are taken off',
    send: `POST /v1.44/foo HTTP/1.1\r\n${H}Trailer: X-T\r\n${CHUNKED}\r\n2\r\nab\r\n0\r\nX-T: v\r\n\r\n`,
    statuses: [200],
    engine: [pooled('POST /v1.44/foo', 'Transfer-Encoding: chunked\r\n', '2\r\nab\r\n0\r\n\r\n')],
  },
  {
    name: 'a request in the chunked body of a DELETE stays a body',
    send: `DELETE /v1.44/foo HTTP/1.1\r\n${H}${CHUNKED}\r\n${chunk(SMUGGLED)}`,
    statuses: [200],
    engine: [pooled('DELETE /v1.44/foo', CHUNKED, chunk(SMUGGLED))],
  },
  {
    name: 'a request in the body of a GET stays a body',
    send: `GET /v1.44/containers/json HTTP/1.1\r\n${H}Content-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
    statuses: [200],
    engine: [pooled('GET /v1.44/containers/json', `Content-Length: ${SMUGGLED.length}\r\n`, SMUGGLED)],
  },
  {
    name: 'a request in the body of a HEAD stays a body',
    send: `HEAD /v1.44/containers/x/archive?path=/ HTTP/1.1\r\n${H}Content-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
    statuses: [200],
    engine: [pooled('HEAD /v1.44/containers/x/archive?path=/', `Content-Length: ${SMUGGLED.length}\r\n`, SMUGGLED)],
    answer: () => 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
  },
  {
    name: 'a request in the body of a DELETE with a length stays a body',
    send: `DELETE /v1.44/containers/x HTTP/1.1\r\n${H}Content-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
    statuses: [200],
    engine: [pooled('DELETE /v1.44/containers/x', `Content-Length: ${SMUGGLED.length}\r\n`, SMUGGLED)],
  },
  {
    name: 'HTTP/1.0 with a coding is refused',
    send: `POST /v1.44/foo HTTP/1.0\r\n${CHUNKED}\r\n0\r\n\r\n`,
    statuses: [400],
    engine: [],
  },
  { name: 'HTTP/0.9 is refused', send: 'GET /v1.44/_ping\r\n\r\n', statuses: [400], engine: [] },
  { name: 'HTTP/2.0 is refused', send: `GET /v1.44/_ping HTTP/2.0\r\n${H}\r\n`, statuses: [505], engine: [] },
  {
    name: 'HTTP/2 by prior knowledge is refused for an engine that does not speak it',
    send: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    statuses: [505],
    engine: [],
  },
  { name: 'TLS on a plain listener is refused', send: '\x16\x03\x01\x02\x00\x01', statuses: [400], engine: [] },
  { name: 'CONNECT is refused', send: `CONNECT x:80 HTTP/1.1\r\n${H}\r\n${SMUGGLED}`, statuses: [400], engine: [] },
  {
    name: 'pipelined calls are carried one after the other',
    send: `POST /v1.44/containers/a/stop HTTP/1.1\r\n${H}\r\nPOST /v1.44/containers/b/stop HTTP/1.1\r\n${H}\r\n`,
    statuses: [200, 200],
    engine: ['a', 'b'].map((name) => pooled(`POST /v1.44/containers/${name}/stop`)),
  },
  {
    name: 'garbage behind a call is refused after the call was answered',
    send: `GET /v1.44/_ping HTTP/1.1\r\n${H}\r\n\x00\x01garbage\r\n\r\n`,
    statuses: [200, 400],
    engine: [pooled('GET /v1.44/_ping')],
  },
  {
    name: 'a hijack behind a call gets its raw bytes, after the call was answered',
    send: `GET /v1.44/_ping HTTP/1.1\r\n${H}\r\nPOST /v1.44/containers/x/attach HTTP/1.1\r\n${H}Connection: Upgrade\r\nUpgrade: tcp\r\n\r\n${SMUGGLED}`,
    statuses: [200, 101],
    engine: [
      pooled('GET /v1.44/_ping'),
      'POST /v1.44/containers/x/attach HTTP/1.1\r\nHost: docker\r\nConnection: Upgrade\r\nUpgrade: tcp\r\nContent-Length: 0\r\n\r\n',
    ],
    raw: SMUGGLED,
    answer: switches,
  },
  {
    name: 'a hijack whose path is escaped is a hijack: what follows is no request',
    send: `POST /v1.44/containers/x/%61ttach HTTP/1.1\r\n${H}\r\n${SMUGGLED}`,
    statuses: [200],
    engine: [
      'POST /v1.44/containers/x/attach HTTP/1.1\r\nHost: docker\r\nConnection: Upgrade\r\nUpgrade: tcp\r\nContent-Length: 0\r\n\r\n',
    ],
    raw: SMUGGLED,
    answer: switches,
  },
  {
    name: 'an upgrade with a body where the engine does not switch: the body has a length, the rest goes nowhere',
    send: `GET /v1.44/foo HTTP/1.1\r\n${H}Connection: Upgrade\r\nUpgrade: tcp\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}${SMUGGLED}`,
    statuses: [200],
    engine: [
      `GET /v1.44/foo HTTP/1.1\r\nHost: docker\r\nConnection: Upgrade\r\nUpgrade: tcp\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
    ],
    answer: () => 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
  },
  {
    name: 'an upgrade whose body is chunked is carried with a length',
    send: `POST /v1.44/exec/x/start HTTP/1.1\r\n${H}Connection: Upgrade\r\nUpgrade: tcp\r\n${CHUNKED}\r\n0\r\n\r\n${SMUGGLED}`,
    statuses: [200],
    engine: [
      'POST /v1.44/exec/x/start HTTP/1.1\r\nHost: docker\r\nConnection: Upgrade\r\nUpgrade: tcp\r\nContent-Length: 0\r\n\r\n',
    ],
  },
  {
    name: 'an upgrade of a call that is answered a message is ignored, and the answer translated',
    send: `GET /v1.18/images/x/json HTTP/1.1\r\n${H}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
    statuses: [200],
    client: /VirtualSize/,
    engine: [pooled('GET /v1.44/images/x/json')],
    answer: () => 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"Size":7}',
  },
])
