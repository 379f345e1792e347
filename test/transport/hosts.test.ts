import { once } from 'node:events'
import net from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isLoopback } from '../../src/http/listen/exposure.ts'
import { stages } from '../support/bridge.ts'
import { tally } from '../support/tally.ts'

tally('Host and Origin')

interface Bound {
  readonly addresses: readonly ({ kind: 'unix' } | { kind: 'tcp'; port: number })[]
}

/** A request with exactly these header lines; the status and what the engine had seen. */
async function ask(bridge: Bound, ...lines: string[]): Promise<number> {
  const tcp = bridge.addresses.find((address) => address.kind === 'tcp')
  const socket = net.connect(tcp?.kind === 'tcp' ? tcp.port : 0, '127.0.0.1')
  socket.write(`${['GET /v1.44/_ping HTTP/1.1', ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'end')
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])
}

const TCP = ['--listen', 'tcp://127.0.0.1:0']

describe('Host and Origin on a TCP listener', () => {
  const stage = stages()
  const start = (flags: readonly string[] = []): ReturnType<typeof stage> =>
    stage({ onRequest: (_req, res) => res.end('OK') }, [...TCP, ...flags])

  it.each([
    '127.0.0.1:2375',
    '[::1]:2375',
    '10.1.2.3',
    'localhost',
    'LOCALHOST:1',
    'x.localhost',
    'socket-proxy:2375',
    '',
  ])('answers programs that say Host: %s', async (host) => {
    const { bridge } = await start()
    expect(await ask(bridge, `Host: ${host}`)).toBe(200)
  })

  it.each([
    'evil.example',
    'evil.example:2375',
    'evil.example.',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '[evil.example]',
    '127.0.0.1:2375@evil.example',
    'a b',
    '/var/run/docker.sock',
  ])('refuses Host: %s, which a page may have made to mean this machine', async (host) => {
    const { bridge, engine } = await start()
    expect(await ask(bridge, `Host: ${host}`)).toBe(403)
    expect(engine.seen).toEqual([])
  })

  it.each([
    ['Origin: https://evil.example'],
    ['Origin: null'],
    ['Origin: http://localhost:8080'],
    ['Sec-Fetch-Site: cross-site'],
    ['Sec-Fetch-Site: same-site'],
  ])('refuses what a page sends across origins: %s', async (line) => {
    const { bridge, engine } = await start()
    expect(await ask(bridge, 'Host: 127.0.0.1', line)).toBe(403)
    expect(engine.seen).toEqual([])
  })

  it('answers names and origins of --allowed-hosts, and no others', async () => {
    const { bridge } = await start(['--allowed-hosts', 'Docker.example:2375', '--allowed-hosts', '*.lan.example'])
    expect(await ask(bridge, 'Host: docker.example')).toBe(200)
    expect(await ask(bridge, 'Host: nas.lan.example:2375', 'Origin: https://docker.example')).toBe(200)
    expect(await ask(bridge, 'Host: lan.example')).toBe(403)
    expect(await ask(bridge, 'Host: evillan.example')).toBe(403)
    expect(await ask(bridge, 'Host: docker.example', 'Origin: https://evil.example')).toBe(403)
  })

  it('names the flag that lets pages of other sites in; --allowed-hosts does not', async () => {
    const { bridge } = await start(['--allowed-hosts', '*'])
    const { port } = bridge.addresses.find((address) => address.kind === 'tcp') ?? { port: 0 }
    const reply = await fetch(`http://127.0.0.1:${port}/_ping`, { headers: { 'Sec-Fetch-Site': 'cross-site' } })
    expect([reply.status, await reply.text()]).toEqual([403, expect.stringContaining('(--api-cors-header)')])
  })

  it('refuses pages of other sites when --api-cors-header is blank, as without it', async () => {
    const { bridge } = await start(['--api-cors-header', ''])
    expect(await ask(bridge, 'Host: localhost', 'Sec-Fetch-Site: cross-site')).toBe(403)
    expect(await ask(bridge, 'Host: localhost', 'Origin: ')).toBe(403)
  })

  it('answers the pages of --api-cors-header', async () => {
    const { bridge } = await start(['--api-cors-header', 'https://ui.example'])
    expect(await ask(bridge, 'Host: localhost', 'Origin: https://ui.example')).toBe(200)
    expect(await ask(bridge, 'Host: localhost', 'Origin: https://other.example')).toBe(403)
  })

  it('refuses an upgrade that a page asks for', async () => {
    const { bridge, engine } = await start()
    const lines = ['Host: localhost', 'Origin: https://evil.example', 'Upgrade: websocket']
    expect(await ask(bridge, ...lines)).toBe(403)
    expect(engine.seen).toEqual([])
  })

  it('lets unix sockets alone: clients up to 1.9 send the path of the socket', async () => {
    const { socket } = await stage({ onRequest: (_req, res) => res.end('OK') })
    const raw = net.connect(join(socket))
    raw.write('GET /v1.44/_ping HTTP/1.1\r\nHost: /var/run/docker.sock\r\nConnection: close\r\n\r\n')
    const [answer] = (await once(raw, 'data')) as [Buffer]
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200/)
    raw.destroy()
  })
})

describe('loopback', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.1.2.3', true],
    ['::1', true],
    ['localhost', true],
    ['::ffff:127.0.0.1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['10.0.0.1', false],
    ['localhost.evil.example', false],
  ])('%s: %s', (host, expected) => {
    expect(isLoopback(host)).toBe(expected)
  })
})
