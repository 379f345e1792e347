import http from 'node:http'
import type { Duplex } from 'node:stream'
import { bodies, LARGE_LIST, reading } from './upstream.ts'

/**
 * An engine of 20.10's range for what nginx cannot play: endless events at a rate, an attach that echoes or floods, and
 * bodies of any size. `node bench/engine.ts SOCKET`
 */
const [socket = ''] = process.argv.slice(2)
const VERSION = JSON.stringify({
  Version: '20.10.24',
  ApiVersion: '1.41',
  MinAPIVersion: '1.12',
  Os: 'linux',
  Arch: 'amd64',
})
const LARGE = (await bodies()).get(`containers/json-${LARGE_LIST}`) ?? ''
const VARIANTS = 4
/** Written beforehand: an engine that is busy with its answers would be what is measured. */
const variants = (change: (turn: number) => string): Buffer[] =>
  Array.from({ length: VARIANTS }, (_, turn) => Buffer.from(change(turn)))
const CHANGING: Readonly<Record<string, readonly Buffer[]>> = {
  one: variants((turn) => LARGE.replace('"busybox', `"busybox-${turn}`)),
  every: variants((turn) => LARGE.replaceAll('"Status":"', `"Status":"Turn ${turn}, `)),
}
let count = 0
const TICK_MS = 5
const BLOCK = Buffer.alloc(64 * 1024, 'x')

const ID = 'a'.repeat(64)
const READING = JSON.stringify({ ...(await reading()), read: 'NOW' }).split('NOW')

/** Records that say when they were made, in nanoseconds. */
const MADE: Readonly<Record<'events' | 'stats', (nanoseconds: bigint) => string>> = {
  events: (now) =>
    `{"status":"exec_create","id":"${ID}","from":"busybox","Type":"container","Action":"exec_create","Actor":{"ID":"${ID}","Attributes":{"image":"busybox","name":"bench"}},"scope":"local","time":1,"timeNano":${now}}\n`,
  stats: (now) => `${READING.join(timeOf(now))}\n`,
}

/** As Go writes it: RFC 3339 with nine digits. */
function timeOf(now: bigint): string {
  const seconds = new Date(Number(now / 1_000_000n)).toISOString().slice(0, -4)
  return `${seconds}${String(now % 1_000_000_000n).padStart(9, '0')}Z`
}

function stream(res: http.ServerResponse, kind: keyof typeof MADE, perSecond: number): void {
  res.writeHead(200, { 'Content-Type': 'application/json' })
  res.flushHeaders()
  if (perSecond === 0) return
  const now = (): bigint => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n
  const timer = setInterval(() => {
    let text = ''
    for (let i = 0; i < (perSecond * TICK_MS) / 1000; i++) text += MADE[kind](now())
    if (!res.writableNeedDrain) res.write(text)
  }, TICK_MS)
  res.once('close', () => clearInterval(timer))
}

function flood(to: Duplex | http.ServerResponse, bytes: number): void {
  let left = bytes
  const more = (): void => {
    while (left > 0) {
      left -= BLOCK.length
      if (!to.write(BLOCK)) return
    }
    to.off('drain', more)
    to.end()
  }
  to.on('drain', more)
  more()
}

function swallow(req: http.IncomingMessage, res: http.ServerResponse): void {
  req.resume()
  req.once('end', () => res.end())
}

http
  .createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://engine')
    const path = pathname.replace(/^\/v1\.\d+/, '')
    if (path === '/version') res.setHeader('Content-Type', 'application/json').end(VERSION)
    else if (path === '/_ping') res.end('OK')
    else if (path === '/events') stream(res, 'events', Number(searchParams.get('rate') ?? '0'))
    else if (path.endsWith('/stats')) stream(res, 'stats', Number(searchParams.get('rate') ?? '0'))
    else if (path === '/containers/json') {
      res.writeHead(200, { 'Content-Type': 'application/json' })
      res.end(CHANGING[searchParams.get('changed') ?? 'one']?.[count++ % VARIANTS]) // another each time
    } else if (req.method === 'PUT') swallow(req, res)
    else if (path.endsWith('/archive')) {
      const size = Number(searchParams.get('size'))
      res.writeHead(200, { 'Content-Type': 'application/x-tar', 'Content-Length': String(size) })
      flood(res, size)
    } else res.writeHead(404).end()
  })
  .on('upgrade', (req, connection: Duplex) => {
    const size = Number(new URL(req.url ?? '/', 'http://engine').searchParams.get('size') ?? '0')
    connection.on('error', () => connection.destroy())
    connection.write(
      'HTTP/1.1 101 UPGRADED\r\nContent-Type: application/vnd.docker.raw-stream\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n',
    )
    if (size > 0) flood(connection, size)
    else connection.on('data', (chunk: Buffer) => connection.write(chunk))
    connection.on('end', () => connection.end())
  })
  .listen(socket)
