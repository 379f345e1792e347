import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import net from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { Authority } from '../support/certificates.ts'
import { eventually, RawConnection } from '../support/client.ts'
import { engine28 } from '../support/scripted-engine.ts'

/**
 * Docker from 29.2 on serves gRPC by HTTP/2 with prior knowledge on the socket of its API, as buildctl and every library of
 * gRPC speak it: the bridge answered 400 to the preface.
 */
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
const engine29 = { ...engine28, ApiVersion: '1.53', Version: '29.2.0' }
const podman = { ...engine29, Components: [{ Name: 'Podman Engine', Version: '9.0.0' }] }

/** As Go's server does: a connection that begins with the preface is HTTP/2, any other HTTP/1.1. */
class Engine {
  version: Record<string, unknown> = engine29
  /** The connections that are not HTTP/1.1, with their bytes. */
  readonly raw: { readonly socket: net.Socket; text: string; ended: boolean }[] = []
  /** Requests of HTTP/2. */
  readonly requests: string[] = []
  /** Keeps the bytes of HTTP/2 and does not answer them. */
  mute = false
  readonly #http = http.createServer((_req, res) => {
    res.setHeader('Content-Type', 'application/json')
    res.end(JSON.stringify(_req.url === '/version' ? this.version : []))
  })
  readonly #http2 = http2.createServer((req, res) => {
    this.requests.push(`${req.method} ${req.url}`)
    res.writeHead(200, { 'content-type': 'application/grpc', trailer: 'grpc-status' })
    req.on('data', (chunk: Buffer) => res.write(chunk))
    req.on('end', () => {
      res.addTrailers({ 'grpc-status': '0' })
      res.end()
    })
  })
  readonly #server = net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('readable', () => {
      const first: Buffer = socket.read()
      if (first === null) return void socket.destroy()
      const isHttp2 = first.toString('latin1', 0, 3) === 'PRI'
      if (isHttp2 && this.mute) {
        const seen = { socket, text: first.toString('latin1'), ended: false }
        this.raw.push(seen)
        socket.on('data', (chunk) => (seen.text += chunk.toString('latin1')))
        socket.on('end', () => (seen.ended = true))
        return
      }
      socket.unshift(first)
      ;(isHttp2 ? this.#http2 : this.#http).emit('connection', socket)
    })
  })

  async listen(path: string): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(path, resolve))
  }

  close(): void {
    for (const { socket } of this.raw) socket.destroy()
    this.#http.closeAllConnections()
    this.#server.close()
  }
}

describe('HTTP/2 with prior knowledge', () => {
  const stage = stages()
  let engine: Engine
  afterEach(() => engine.close())

  const start = async (flags: readonly string[] = [], version: Record<string, unknown> = engine29) => {
    engine = new Engine()
    engine.version = version
    await engine.listen(join(stage.folder(), 'h2.sock'))
    return stage.bridge(join(stage.folder(), 'h2.sock'), flags)
  }
  const clientOf = (socket: string): http2.ClientHttp2Session =>
    http2.connect('http://engine', { createConnection: () => net.connect(socket) })
  const call = (client: http2.ClientHttp2Session, path: string, body: Buffer): Promise<[number, Buffer, unknown]> => {
    const { promise, resolve, reject } = Promise.withResolvers<[number, Buffer, unknown]>()
    const stream = client.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    const pieces: Buffer[] = []
    let status = 0
    let trailer: unknown
    stream.on('response', (headers) => (status = Number(headers[':status'])))
    stream.on('trailers', (trailers) => (trailer = trailers['grpc-status']))
    stream.on('data', (chunk: Buffer) => pieces.push(chunk))
    stream.on('error', reject)
    stream.on('end', () => resolve([status, Buffer.concat(pieces), trailer]))
    stream.end(body)
    return promise
  }
  const refused = async (socket: string, bytes = PREFACE): Promise<{ status: string; message: string }> => {
    const client = new RawConnection(socket)
    client.send(bytes)
    const text = await client.untilEnd()
    expect(text.match(/HTTP\/1\.1 \d+/g)).toHaveLength(1)
    expect(text).toMatch(/^connection: close\r$/im)
    return { status: text.slice(9, 12), message: text.slice(text.indexOf('\r\n\r\n') + 4) }
  }

  it('reaches an engine that speaks it, with many calls at once, and is recorded when it opens and ends', async () => {
    const { socket, audit, metrics } = await start()
    const client = clientOf(socket)
    const body = Buffer.alloc(300_000, 'gRPC')
    const answers = await Promise.all(
      ['/moby.buildkit.v1.Control/Info', '/moby.buildkit.v1.Control/Solve', '/v1.53/containers/create'].map((path) =>
        call(client, path, body),
      ),
    )
    for (const [status, came, trailer] of answers) {
      expect(status).toBe(200)
      expect(came.equals(body)).toBe(true)
      expect(trailer).toBe('0')
    }
    expect(engine.requests).toHaveLength(3)
    expect(audit.map(({ stage: at }) => at)).toEqual(['received', 'answered'])
    expect(await metrics.metrics()).toMatch(/^enginebridge_tunnels_open(\{.*\})? 1$/m)
    await new Promise<void>((resolve) => client.close(() => resolve()))
    await eventually(() => audit.length === 3, 'its last record')
    expect(audit[2]).toMatchObject({
      ...{ stage: 'complete', lane: 'tunnel', method: 'PRI', path: '*', status: 101, endedBy: 'client' },
      forwarded: { method: 'PRI', path: '*' },
    })
    expect(audit[2]?.['bytesIn']).toBeGreaterThan(900_000)
    expect(audit[2]?.['bytesOut']).toBeGreaterThan(900_000)
    expect(audit[2]?.error).toBeUndefined()
  })

  it('is recognised wherever its preface is cut, and passes byte for byte', async () => {
    const { socket } = await start()
    engine.mute = true
    const bytes = `${PREFACE}\0\0\0\u0004\0\0\0\0\0behind`
    for (let cut = 0; cut <= PREFACE.length; cut++) {
      const client = new RawConnection(socket)
      client.socket.setNoDelay(true)
      if (cut > 0) client.send(bytes.slice(0, cut))
      await new Promise((resolve) => setTimeout(resolve, 4))
      client.send(bytes.slice(cut))
      await eventually(() => engine.raw.at(-1)?.text.endsWith('behind') === true, `what was cut at ${cut}`)
      expect(engine.raw.at(-1)?.text).toBe(bytes)
      engine.raw.at(-1)?.socket.write('\0\0\0\u0004')
      expect(await client.until((text) => text.length === 4)).toBe('\0\0\0\u0004')
      client.socket.destroy()
      engine.raw.length = 0
    }
  })

  it('passes the end of each side on by itself', async () => {
    const { socket, audit } = await start()
    engine.mute = true
    const client = new RawConnection(socket)
    client.send(PREFACE)
    client.finish()
    await eventually(() => engine.raw[0]?.ended === true, 'the end of the client’s side')
    engine.raw[0]?.socket.end('still here')
    expect(await client.untilEnd()).toBe('still here')
    await eventually(() => audit.some(({ stage: at }) => at === 'complete'), 'its last record')
    expect(audit.at(-1)).toMatchObject({ bytesIn: 24, bytesOut: 10 })
  })

  it('ends on both sides when the client is gone', async () => {
    const { socket, audit } = await start()
    engine.mute = true
    const client = new RawConnection(socket)
    client.send(PREFACE)
    await eventually(() => engine.raw.length === 1, 'the preface at the engine')
    client.socket.destroy()
    await eventually(() => engine.raw[0]?.ended === true, 'the end at the engine')
    engine.raw[0]?.socket.end()
    await eventually(() => audit.some(({ stage: at }) => at === 'complete'), 'its last record')
    expect(audit.at(-1)).toMatchObject({ endedBy: 'client' })
  })

  it.each([
    [
      'an engine before 29.2',
      engine28,
      [],
      '505',
      'the engine (Docker 28.5.2) does not speak HTTP/2 without an upgrade; use HTTP/1.1',
    ],
    [
      '1.52',
      { ...engine29, ApiVersion: '1.52' },
      [],
      '505',
      'the engine (Docker 29.2.0) does not speak HTTP/2 without an upgrade; use HTTP/1.1',
    ],
    [
      'Podman',
      podman,
      [],
      '505',
      'the engine (Podman Engine 29.2.0) does not speak HTTP/2 without an upgrade; use HTTP/1.1',
    ],
    [
      'a policy',
      engine29,
      ['--policy', 'read-only'],
      '403',
      'policy: calls inside HTTP/2 cannot be judged; use HTTP/1.1 (rule http2)',
    ],
  ] as const)(
    'is refused in a sentence, recorded, and nothing goes out: %s',
    async (_what, version, flags, status, message) => {
      const { socket, audit } = await start(flags, version)
      engine.mute = true
      expect(await refused(socket)).toEqual({ status, message: `${JSON.stringify({ message })}\n` })
      await eventually(() => audit.some(({ stage: at }) => at === 'failed'), 'its last record')
      expect(audit.at(-1)).toMatchObject({ method: 'PRI', path: '*', status: Number(status), error: { message } })
      if (status === '403') expect(audit.at(-1)).toMatchObject({ policy: { decision: 'denied', rule: 'http2' } })
      expect(engine.raw).toEqual([])
    },
  )

  it('is given up where its preface stays incomplete for the time that the error names', async () => {
    const { socket } = await start(['--body-timeout', '100ms'])
    const message = 'no data of the request body for 0.1 s (--body-timeout)'
    const answer = { status: '408', message: `${JSON.stringify({ message })}\n` }
    expect(await refused(socket, PREFACE.slice(0, -3))).toEqual(answer)
  })

  it('passes a policy that only observes, which says what it would have done', async () => {
    const { socket, audit } = await start(['--policy', 'read-only', '--policy-mode', 'observe'])
    const client = clientOf(socket)
    expect((await call(client, '/x', Buffer.from('a')))[0]).toBe(200)
    client.destroy()
    await eventually(() => audit.some(({ stage: at }) => at === 'complete'), 'its last record')
    expect(audit.at(-1)).toMatchObject({ policy: { decision: 'observed', rule: 'http2' } })
  })

  it('is refused on TCP, where Host and Origin of each call are looked at', async () => {
    const { addresses, audit } = await start(['--listen', 'tcp://127.0.0.1:0', '--insecure'])
    const at = addresses.find(({ kind }) => kind === 'tcp')
    if (at?.kind !== 'tcp') throw new Error('it does not listen on TCP')
    const socket = net.connect(at.port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.write(PREFACE)
    await new Promise((resolve) => socket.once('end', resolve))
    socket.destroy()
    expect(text).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/)
    expect(text).toContain('HTTP/2 is served on unix sockets only: on TCP every call is checked; use HTTP/1.1')
    await eventually(() => audit.some(({ status }) => status === 403), 'its record')
  })

  it.each([
    [
      'only begins like its preface',
      'PRI * HTTP/2.0\r\n\r\nDELETE /v1.53/containers/x HTTP/1.1\r\nHost: d\r\n\r\n',
      ['400'],
    ],
    ['comes behind a call of HTTP/1.1', `GET /v1.53/_ping HTTP/1.1\r\nHost: d\r\n\r\n${PREFACE}`, ['200', '400']],
    ['ends within its preface', 'PRI * HTTP/2.0\r\n\r\nSM', ['400']],
    ['is a method of HTTP/1.1', 'PRI * HTTP/1.1\r\nHost: d\r\n\r\n', ['400']],
  ])('never reaches the engine where it %s', async (_what, bytes, statuses) => {
    const { socket, audit } = await start()
    engine.mute = true
    const client = new RawConnection(socket)
    client.send(bytes)
    if (bytes.endsWith('SM')) client.finish()
    const told = (text: string): string[] => text.match(/(?<=HTTP\/1\.1 )\d+/g) ?? []
    await client.until((text) => told(text).length === statuses.length)
    client.socket.destroy()
    expect(told(client.text)).toEqual(statuses)
    expect(engine.raw).toEqual([])
    await eventually(() => audit.some(({ status }) => String(status) === statuses.at(-1)), 'its record')
  })

  it('counts as a call: --max-calls and --rate refuse it', async () => {
    const { socket } = await start(['--max-calls', '1'])
    const client = clientOf(socket)
    await call(client, '/x', Buffer.from('a'))
    expect((await refused(socket)).status).toBe('503')
    client.destroy()
    engine.close()
    const other = await stage.bridge(join(stage.folder(), 'none.sock'), ['--rate', '1'])
    await refused(other.socket)
    expect((await refused(other.socket)).status).toBe('429')
  })

  it('is cut when the bridge ends, and has its last record', async () => {
    const bridge = await start()
    const client = clientOf(bridge.socket)
    client.on('error', () => undefined)
    await call(client, '/x', Buffer.from('a'))
    await bridge.close()
    await eventually(() => bridge.audit.length === 3, 'its last record')
    expect(bridge.audit.at(-1)).toMatchObject({ stage: 'complete', method: 'PRI' })
    client.destroy()
  })

  it('is refused for an engine on TLS, which does not speak it there', async () => {
    const authority = new Authority(join(stage.folder(), 'ca'))
    const issued = authority.issue('engine', join(stage.folder(), 'engine'))
    const secure = https.createServer(issued.pem(), (req, res) => {
      res.setHeader('Content-Type', 'application/json')
      res.end(JSON.stringify(req.url === '/version' ? engine29 : []))
    })
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
    engine = new Engine()
    const bound = secure.address()
    if (typeof bound !== 'object' || bound === null) throw new Error('it does not listen')
    const { socket } = await stage.bridge(`tcp://127.0.0.1:${bound.port}`, ['--engine-tls-ca', issued.ca])
    const message = 'the engine (Docker 29.2.0) does not speak HTTP/2 over TLS; use HTTP/1.1'
    expect(await refused(socket)).toEqual({ status: '505', message: `${JSON.stringify({ message })}\n` })
    secure.close()
    secure.closeAllConnections()
  })

  it('says so when the engine is gone', async () => {
    const bridge = await stage.bridge(join(stage.folder(), 'none.sock'))
    engine = new Engine()
    expect((await refused(bridge.socket)).status).toBe('503')
  })
})
