import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { join } from 'node:path'
import tls from 'node:tls'
import { describe, expect, it } from 'vitest'
import { portOf, stages } from '../support/bridge.ts'
import { Authority, type Issued } from '../support/certificates.ts'
import { call, eventually } from '../support/client.ts'
import { engine28 } from '../support/scripted-engine.ts'
import { tally } from '../support/tally.ts'

tally('TLS')

const flags = ({ cert, key, ca }: Issued, mutual: boolean): string[] => [
  ...['--listen', 'tcp://127.0.0.1:0', '--tls-cert', cert, '--tls-key', key],
  ...(mutual ? ['--tls-ca', ca] : []),
]

interface Reply {
  readonly status: number
  readonly text: string
}

async function get(port: number, path: string, secure: tls.ConnectionOptions): Promise<Reply> {
  const asked = https.get({ host: '127.0.0.1', port, path, agent: false, ...secure })
  const [answer] = (await once(asked, 'response')) as [http.IncomingMessage]
  let text = ''
  for await (const chunk of answer) text += chunk
  return { status: answer.statusCode ?? 0, text }
}

function halfOpen(port: number, ca: Buffer): tls.TLSSocket {
  const options: tls.ConnectionOptions & { allowHalfOpen: boolean } = {
    host: '127.0.0.1',
    port,
    ca,
    allowHalfOpen: true,
  }
  return tls.connect(options)
}

/** The common name of the certificate that a new connection is shown. */
async function shown(port: number, secure: tls.ConnectionOptions): Promise<string> {
  const socket = tls.connect({ host: '127.0.0.1', port, ...secure })
  await once(socket, 'secureConnect')
  const { subject } = socket.getPeerCertificate()
  socket.destroy()
  return String(subject.CN)
}

describe('a listener with TLS', () => {
  const stage = stages()
  const authority = (): Authority => new Authority(join(stage.folder(), 'ca'))
  const issue = (of: Authority, name: string): Issued => of.issue(name, join(stage.folder(), name))

  it('serves calls over TLS, and refuses plain HTTP on the same port in the words of engines', async () => {
    const bridge = issue(authority(), 'bridge')
    const started = await stage({ onRequest: (_req, res) => res.end('OK') }, flags(bridge, false))
    const { audit, bridge: running, engine } = started
    const port = portOf(running)
    expect(await get(port, '/v1.44/_ping', { ca: bridge.pem().ca })).toEqual({ status: 200, text: 'OK' })
    const seen = engine.seen.length
    const plain = await fetch(`http://127.0.0.1:${port}/v1.44/_ping`)
    expect([plain.status, await plain.text()]).toEqual([400, 'Client sent an HTTP request to an HTTPS server.\n'])
    expect(engine.seen.length).toBe(seen)
    await eventually(() => audit.at(-1)?.['stage'] === 'failed', 'it is on record')
    expect(audit.at(-1)).toMatchObject({ status: 400, error: { message: 'the TLS handshake failed: http request' } })
  })

  it('offers TLS 1.2 and 1.3 and nothing older', async () => {
    const bridge = issue(authority(), 'bridge')
    const { bridge: running } = await stage({ onRequest: (_req, res) => res.end('OK') }, flags(bridge, false))
    const { ca } = bridge.pem()
    const at = (version: tls.SecureVersion): Promise<Reply> =>
      get(portOf(running), '/_ping', {
        ca,
        minVersion: version,
        maxVersion: version,
        ...(version < 'TLSv1.2' ? { ciphers: 'DEFAULT@SECLEVEL=0' } : {}),
      })
    expect((await at('TLSv1.2')).status).toBe(200)
    expect((await at('TLSv1.3')).status).toBe(200)
    await expect(at('TLSv1.1')).rejects.toThrow(/protocol version|ECONNRESET|alert/i)
  })

  it('with --tls-ca lets in only clients whose certificate that authority signed', async () => {
    const ours = authority()
    const bridge = issue(ours, 'bridge')
    const client = issue(ours, 'client').pem()
    const stranger = new Authority(join(stage.folder(), 'other'), 'another').issue('x', join(stage.folder(), 'x')).pem()
    const started = await stage({ onRequest: (_req, res) => res.end('OK') }, flags(bridge, true))
    const { engine, bridge: running, audit } = started
    const port = portOf(running)
    expect((await get(port, '/v1.44/_ping', client)).text).toBe('OK')
    const seen = engine.seen.length
    await expect(get(port, '/v1.44/info', { ca: client.ca })).rejects.toThrow()
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const)
      await expect(get(port, '/v1.44/info', { ...stranger, ca: client.ca, maxVersion })).rejects.toThrow()
    expect(engine.seen.length).toBe(seen)
    const failed = (): unknown[] =>
      audit.filter(({ stage: at }) => at === 'failed').map(({ error, peer }) => ({ error, peer }))
    await eventually(() => failed().length === 3, 'each of them is on record')
    const message = expect.stringMatching(/^the client's certificate is not accepted: UNABLE_TO_/)
    // It was the line of a log of OpenSSL, with an address of its memory in front.
    expect(failed()[0]).toMatchObject({
      error: { message: 'the TLS handshake failed: peer did not return a certificate' },
    })
    expect(failed().slice(1)).toEqual(
      Array(2).fill({
        error: { code: 'bad-request', message },
        peer: { address: '127.0.0.1', port: expect.any(Number) },
      }),
    )
  })

  it('waits for a handshake no longer than for the head of a request', async () => {
    const bridge = issue(authority(), 'bridge')
    const own = [...flags(bridge, true), '--header-timeout', '300ms']
    const { bridge: running } = await stage({ onRequest: (_req, res) => res.end('OK') }, own)
    const silent = net.connect(portOf(running), '127.0.0.1').on('error', () => undefined)
    await once(silent, 'close', { signal: AbortSignal.timeout(20_000) })
  })

  it.each([
    ['nothing', ''],
    ['no certificate', 'PEM'],
  ])('does not begin to trust nobody when the file of the authority has %s in it', async (_what, text) => {
    const bridge = issue(authority(), 'bridge')
    const client = bridge.pem()
    const script = { onRequest: (_req: unknown, res: http.ServerResponse) => res.end('OK') }
    const { bridge: running } = await stage(script, flags(bridge, true))
    writeFileSync(bridge.ca, text)
    await running.reload()
    expect((await get(portOf(running), '/v1.44/_ping', client)).text).toBe('OK')
    await expect(stage(script, flags(bridge, true))).rejects.toThrow(/ca\.pem cannot be used for TLS/)
  })

  it('shows a replaced certificate to new connections, and keeps open ones', async () => {
    const ours = authority()
    const bridge = issue(ours, 'before')
    const { bridge: running } = await stage({ onRequest: (_req, res) => res.end('OK') }, flags(bridge, false))
    const port = portOf(running)
    const { ca } = bridge.pem()
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca })
    const sockets = new Set<unknown>()
    const ask = async (): Promise<number | undefined> => {
      const asked = https.get({ host: '127.0.0.1', port, path: '/v1.44/_ping', agent })
      asked.on('socket', (socket) => sockets.add(socket))
      const [answer] = (await once(asked, 'response')) as [http.IncomingMessage]
      answer.resume()
      await once(answer, 'end')
      return answer.statusCode
    }
    expect(await ask()).toBe(200)
    ours.issue('after', bridge.folder)
    await running.reload()
    expect(await shown(port, { ca })).toBe('after')
    expect([await ask(), sockets.size]).toEqual([200, 1])
    agent.destroy()
  })

  it('reads a certificate again when its file changes, without being told', async () => {
    const ours = authority()
    const bridge = issue(ours, 'before')
    const { bridge: running } = await stage({ onRequest: (_req, res) => res.end('OK') }, flags(bridge, false))
    const { ca } = bridge.pem()
    ours.issue('after', bridge.folder)
    let name = ''
    for (const end = Date.now() + 20_000; name !== 'after' && Date.now() < end; )
      name = await shown(portOf(running), { ca })
    expect(name).toBe('after')
  })

  it('goes on with the former certificate when the new files do not belong together', async () => {
    const ours = authority()
    const bridge = issue(ours, 'before')
    const { bridge: running } = await stage({ onRequest: (_req, res) => res.end('OK') }, flags(bridge, false))
    const { ca } = bridge.pem()
    const other = ours.issue('after', join(stage.folder(), 'after'))
    writeFileSync(bridge.cert, readFileSync(other.cert))
    await running.reload()
    expect(await shown(portOf(running), { ca })).toBe('before')
  })

  it('goes on with the former certificate when the new key is of another kind, which OpenSSL does not notice', async () => {
    const bridge = issue(authority(), 'before')
    const { bridge: running } = await stage({ onRequest: (_req, res) => res.end('OK') }, flags(bridge, false))
    const { ca } = bridge.pem()
    const { privateKey } = generateKeyPairSync('ed25519')
    writeFileSync(bridge.key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    await running.reload()
    expect(await shown(portOf(running), { ca })).toBe('before')
  })

  it('hands over a connection, and each side may end first', async () => {
    const bridge = issue(authority(), 'bridge')
    let heard = ''
    const { bridge: running } = await stage(
      {
        onUpgrade: (_req, socket) => {
          socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
          socket.on('data', (chunk) => {
            heard += chunk
          })
          socket.on('end', () => socket.end(`heard ${heard}`))
        },
      },
      flags(bridge, false),
    )
    const socket = halfOpen(portOf(running), bridge.pem().ca)
    let got = ''
    socket.on('data', (chunk) => {
      got += chunk
    })
    socket.write(
      'POST /v1.44/containers/x/attach?stdin=1 HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n',
    )
    await eventually(() => got.includes('101'), 'the connection is handed over')
    socket.end('all of the input')
    await once(socket, 'end')
    expect(got).toMatch(/heard all of the input$/)
  })

  it('takes a hijack without Upgrade off the parser', async () => {
    const bridge = issue(authority(), 'bridge')
    const { bridge: running } = await stage(
      {
        onUpgrade: (_req, socket) => {
          socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
          socket.on('data', (chunk) => socket.end(`echo ${chunk}`))
        },
      },
      flags(bridge, false),
    )
    const socket = halfOpen(portOf(running), bridge.pem().ca)
    let got = ''
    socket.on('data', (chunk) => {
      got += chunk
    })
    socket.write('POST /v1.44/containers/x/attach?stdin=1 HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await eventually(() => got.includes('200 OK'), 'the connection is handed over')
    socket.write('\x00raw, no request')
    await once(socket, 'end')
    expect(got).toMatch(/echo \0raw, no request$/)
    socket.destroy()
  })
})

describe('an engine with TLS', () => {
  const stage = stages()

  /** An engine on TLS that asks for certificates. */
  async function secureEngine(issued: Issued): Promise<{ port: number; close: () => void }> {
    const options = { ...issued.pem(), requestCert: true, rejectUnauthorized: true, allowHalfOpen: true }
    const server = https.createServer(options)
    server.on('request', (req: http.IncomingMessage, res: http.ServerResponse) => {
      res.setHeader('Content-Type', 'application/json')
      if (req.url === '/version') res.end(JSON.stringify(engine28))
      else if (req.url?.includes('filters') === true) res.end('[]')
      else res.end(JSON.stringify({ asked: req.url }))
    })
    server.on('upgrade', (_req, socket) => {
      socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
      let heard = ''
      socket.on('data', (chunk: Buffer) => {
        heard += chunk
      })
      socket.on('end', () => socket.end(`heard ${heard}`))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const bound = server.address()
    const close = (): void => {
      server.close()
      server.closeAllConnections()
    }
    return { port: typeof bound === 'object' && bound !== null ? bound.port : 0, close }
  }

  const bridgeTo = async (port: number, more: readonly string[]): Promise<string> => {
    const { readConfig } = await import('../../src/proxy/settings/config.ts')
    const { startBridge } = await import('../../src/proxy/bridge.ts')
    const { pino } = await import('pino')
    const socket = join(stage.folder(), `b${port}.sock`)
    const args = ['--listen', `unix://${socket}`, '--engine', `tcp://127.0.0.1:${port}`, '--grace', '0', ...more]
    const running = await startBridge(readConfig(args, {}), {
      log: pino({ level: 'silent' }),
      audit: { write: () => undefined },
    })
    closing.push(() => running.close())
    return socket
  }
  const closing: (() => void | Promise<void>)[] = []

  it('is asked over mutual TLS in every lane: whole bodies, streamed ones, tunnels and websockets', async () => {
    const authority = new Authority(join(stage.folder(), 'ca'))
    const engine = await secureEngine(authority.issue('engine', join(stage.folder(), 'engine')))
    closing.push(engine.close)
    const { ca, cert, key } = authority.issue('bridge', join(stage.folder(), 'bridge'))
    const flags = ['--engine-tls-ca', ca, '--engine-tls-cert', cert, '--engine-tls-key', key]
    const socket = await bridgeTo(engine.port, flags)
    expect(JSON.parse((await call(socket, '/v1.51/info')).text)).toEqual({ asked: '/v1.51/info' })
    expect(JSON.parse((await call(socket, '/v1.51/containers/x/export')).text)).toEqual({
      asked: '/v1.51/containers/x/export',
    })
    for (const [method, path, protocol] of [
      ['POST', '/v1.51/containers/x/attach', 'tcp'],
      ['GET', '/v1.51/containers/x/attach/ws', 'websocket'],
    ] as const) {
      const headers = { Connection: 'Upgrade', Upgrade: protocol }
      const tunnel = http.request({ socketPath: socket, path, method, headers })
      tunnel.end()
      const [, raw] = (await once(tunnel, 'upgrade')) as [unknown, import('node:net').Socket]
      raw.end('hello') // the end is passed on, and the answer still comes
      const [answer] = (await once(raw, 'data')) as [Buffer]
      expect(String(answer)).toBe('heard hello')
      raw.destroy()
    }
    for (const close of closing.splice(0).reverse()) await close()
  })

  it('that refuses the certificate of the bridge is quoted: it said that the other side closed', async () => {
    const authority = new Authority(join(stage.folder(), 'ca'))
    const engine = await secureEngine(authority.issue('engine', join(stage.folder(), 'engine')))
    closing.push(engine.close)
    const { ca } = authority.issue('bridge', join(stage.folder(), 'bridge'))
    const { text, status } = await call(await bridgeTo(engine.port, ['--engine-tls-ca', ca]), '/v1.44/info')
    const words = /TLS handshake failed with the engine at tcp:[^ ]+: tlsv13 alert certificate required"/
    expect([status, text]).toEqual([503, expect.stringMatching(words)])
    for (const close of closing.splice(0).reverse()) await close()
  })

  it('is not trusted when another authority signed its certificate, unless the check is off', async () => {
    const engine = await secureEngine(
      new Authority(join(stage.folder(), 'ca')).issue('engine', join(stage.folder(), 'engine')),
    )
    closing.push(engine.close)
    const other = new Authority(join(stage.folder(), 'other'), 'another')
    const { ca } = other.issue('x', join(stage.folder(), 'x'))
    const { text, status } = await call(await bridgeTo(engine.port, ['--engine-tls-ca', ca]), '/v1.44/info')
    const words = /TLS handshake failed with the engine at .*self-signed .*; name who signs it with --engine-tls-ca"/
    expect([status, text]).toEqual([503, expect.stringMatching(words)])
    for (const close of closing.splice(0).reverse()) await close()
  })
  it('whose authority is unknown brings the flag for it, not one of Node', async () => {
    const { cert, key } = new Authority(join(stage.folder(), 'ca')).issue('engine', join(stage.folder(), 'e')).pem()
    const engine = https.createServer({ cert, key })
    await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve))
    closing.push(() => void engine.close())
    const { port } = engine.address() as net.AddressInfo
    const { text } = await call(await bridgeTo(port, ['--engine-tls-verify']), '/v1.44/info')
    expect(text).toMatch(/: unable to verify the first certificate; name who signs it with --engine-tls-ca"/)
    for (const close of closing.splice(0).reverse()) await close()
  })

  it('that speaks none is told in words, not in a line of the log of OpenSSL', async () => {
    const plain = net.createServer((socket) =>
      socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    )
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
    closing.push(() => void plain.close())
    const { port } = plain.address() as net.AddressInfo
    const { text } = await call(await bridgeTo(port, ['--engine-tls-verify']), '/v1.44/info')
    expect(text).toMatch(/TLS handshake failed with the engine at [^ ]+: wrong version number"/)
    for (const close of closing.splice(0).reverse()) await close()
  })
})
