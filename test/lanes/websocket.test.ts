import { once } from 'node:events'
import net from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually, RawConnection } from '../support/client.ts'

/** As Go's websocket package writes it: other reason, order and case than the engines' raw streams have. */
const HEAD_101 = [
  'HTTP/1.1 101 Whatever It Says',
  'upgrade: websocket',
  'Connection: upgrade',
  'X-Twice: one',
  'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
  'x-twice: two',
  '\r\n',
].join('\r\n')

const SWITCH =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n'
const asks = (query = '?stream=1', fields = SWITCH): string =>
  `GET /v1.44/containers/x/attach/ws${query} HTTP/1.1\r\nHost: docker\r\n${fields}\r\n`

const MORE_THAN_BUFFERS = 8 << 20

describe('attach/ws, which http-proxy carries', () => {
  const stage = stages()

  async function opened(onEngine: (duplex: Duplex) => void, head = HEAD_101) {
    const staged = await stage({
      onUpgrade: (_req, duplex) => {
        duplex.on('error', () => duplex.destroy())
        duplex.write(head)
        onEngine(duplex)
      },
    })
    const client = new RawConnection(staged.socket)
    client.send(asks())
    await client.until((text) => text.includes('\r\n\r\n'))
    return { ...staged, client, body: (): string => client.text.slice(client.text.indexOf('\r\n\r\n') + 4) }
  }

  /** A bridge before an engine that writes its own bytes. */
  async function facing(engine: (connection: net.Socket) => void): Promise<RawConnection> {
    const path = join(stage.folder(), 'engine.sock')
    const version = '{"ApiVersion":"1.51","MinAPIVersion":"1.24","Version":"28.5.2"}'
    const server = net.createServer((connection) => {
      connection.on('error', () => connection.destroy())
      connection.once('data', (data) => {
        if (data.includes('attach/ws')) engine(connection)
        else
          connection.end(`HTTP/1.1 200 OK\r\nContent-Length: ${version.length}\r\nConnection: close\r\n\r\n${version}`)
      })
    })
    await once(server.listen(path).unref(), 'listening')
    const { socket } = await stage.bridge(path)
    const client = new RawConnection(socket)
    client.send(asks())
    return client
  }

  it('gives the client the engine’s head byte for byte, and the bytes that came with it', async () => {
    const { client } = await opened((duplex) => duplex.write(Buffer.from('\x81\x02hi', 'latin1')))
    expect(await client.until((text) => text.endsWith('hi'))).toBe(`${HEAD_101}\x81\x02hi`)
    client.socket.destroy()
  })

  it('asks the engine with the client’s fields, in their order, the repeated ones too', async () => {
    const raw: string[][] = []
    const { socket } = await stage({
      onUpgrade: (req, duplex) => {
        raw.push([req.url ?? '', ...req.rawHeaders])
        duplex.end(HEAD_101)
      },
    })
    const client = new RawConnection(socket)
    client.send(asks('?stream=1&detachKeys=http:%2F//x', `X-A: 1\r\n42: number\r\nx-b: 2\r\n${SWITCH}X-a: 3\r\n`))
    await client.untilEnd()
    client.finish()
    const [path, ...fields] = raw[0] ?? []
    expect(path).toBe('/v1.44/containers/x/attach/ws?stream=1&detachKeys=http:%2F//x')
    const websocket = ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version', '13']
    const sent = ['Host', 'docker', 'X-A', '1', '42', 'number', 'x-b', '2', ...websocket, 'X-a', '3']
    expect(fields).toEqual([...sent, 'Connection', 'Upgrade', 'Upgrade', 'websocket'])
  })

  it('carries bytes both ways, shows them and counts them', async () => {
    const { client, audit } = await opened((duplex) => {
      duplex.on('data', (chunk) => duplex.write(chunk))
      duplex.on('end', () => duplex.end())
    })
    client.send(Buffer.from([0x82, 0x00, 0xff]))
    await client.until((text) => text.endsWith('\x82\x00\xff'))
    client.finish()
    await eventually(() => audit.length === 3, 'three records')
    expect(audit).toMatchObject([
      { stage: 'received', operation: 'ContainerAttachWebsocket', lane: 'tunnel' },
      { stage: 'answered', status: 101, forwarded: { method: 'GET', path: '/v1.44/containers/x/attach/ws?stream=1' } },
      { stage: 'complete', status: 101, bytesIn: 3, bytesOut: 3, container: 'x' },
    ])
  })

  it('passes on what the client wrote before the engine switched', async () => {
    const { socket } = await stage({
      onUpgrade: (_req, duplex) => {
        setTimeout(() => duplex.write(HEAD_101), 30)
        duplex.on('data', (chunk) => duplex.write(chunk))
      },
    })
    const client = new RawConnection(socket)
    client.send(`${asks()}early`)
    await client.until((text) => text.endsWith('early'))
    client.socket.destroy()
  })

  it('passes on the end of the client’s side, and then what the engine still has to say', async () => {
    const { client, body } = await opened((duplex) => {
      duplex.on('data', () => undefined)
      duplex.on('end', () => duplex.end('after the end'))
    })
    client.send('input')
    client.finish()
    await client.untilEnd()
    expect(body()).toBe('after the end')
  })

  it('passes on the end of the engine’s side, and then what the client still has to say', async () => {
    const heard: Buffer[] = []
    const { client, audit } = await opened((duplex) => {
      duplex.on('data', (chunk: Buffer) => heard.push(chunk))
      duplex.end()
    })
    await client.until(() => client.ended)
    client.send('late')
    client.finish()
    await eventually(() => Buffer.concat(heard).toString() === 'late', 'the engine heard it')
    await eventually(() => audit.length === 3, 'three records')
    expect(audit[2]).toMatchObject({ endedBy: 'engine' })
  })

  it('holds a client back whose engine does not read, and loses nothing', async () => {
    let engine: Duplex | undefined
    let size = 0
    const { client } = await opened((duplex) => {
      engine = duplex.pause()
      duplex.on('end', () => duplex.end('whole'))
    })
    client.send(Buffer.alloc(MORE_THAN_BUFFERS))
    client.finish()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(client.socket.writableLength).toBeGreaterThan(MORE_THAN_BUFFERS / 2)
    engine?.on('data', (chunk: Buffer) => {
      size += chunk.length
    })
    engine?.resume()
    await client.until((text) => text.endsWith('whole'))
    expect(size).toBe(MORE_THAN_BUFFERS)
  })

  it.each([
    ['', undefined],
    [', where it declined the upgrade', `HTTP/1.1 200 Fine\r\nContent-Length: ${MORE_THAN_BUFFERS + 1}\r\n\r\n.`],
  ])('holds an engine back whose client does not read, and loses nothing%s', { tags: 'slow' }, async (_when, head) => {
    let engine: Duplex | undefined
    const { client, body } = await opened((duplex) => {
      engine = duplex
    }, head)
    client.socket.pause()
    engine?.end(Buffer.alloc(MORE_THAN_BUFFERS))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(engine?.writableLength).toBeGreaterThan(MORE_THAN_BUFFERS / 2)
    client.socket.resume()
    await client.until(() => body().length >= MORE_THAN_BUFFERS, 20_000)
    client.socket.destroy()
  })

  it('gives a refusal of the engine as an ordinary response, in the client’s form, and keeps the connection', async () => {
    const { socket } = await stage({
      onRequest: (_req, res) => res.end('OK'),
      onUpgrade: (_req, duplex) => {
        const body = '{"message":"No such container: x"}'
        const [first, second] = [body.slice(0, 7), body.slice(7)]
        const chunks = [first, second].map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')
        duplex.end(
          `HTTP/1.1 404 Nowhere\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
        )
      },
    })
    const client = new RawConnection(socket)
    client.send(`GET /v1.20/containers/x/attach/ws HTTP/1.1\r\nHost: docker\r\n${SWITCH}\r\n`)
    await client.until((text) => text.includes('no such id: x'))
    expect(client.text).toMatch(/^HTTP\/1\.1 404 Nowhere\r\n/)
    expect(client.text).toContain('Content-Type: text/plain; charset=utf-8\r\n')
    expect(client.text.toLowerCase()).not.toMatch(/transfer-encoding|upgrade/)
    client.send('GET /v1.20/_ping HTTP/1.1\r\nHost: docker\r\n\r\n')
    expect(await client.until((text) => text.endsWith('OK'))).toContain('HTTP/1.1 200 OK')
    client.socket.destroy()
  })

  it('passes a response on that is no switch and no error', async () => {
    const { socket } = await stage({
      onUpgrade: (_req, duplex) => duplex.end('HTTP/1.1 200 Fine\r\nContent-Length: 4\r\n\r\nfine'),
    })
    const client = new RawConnection(socket)
    client.send(asks())
    await client.until((text) => text.endsWith('fine'))
    expect(client.text).toMatch(/^HTTP\/1\.1 200 Fine\r\nContent-Length: 4\r\n/)
    client.socket.destroy()
  })

  it.each([
    ['hangs up', '', /broke off: other side closed/],
    ['hangs up within its head', 'HTTP/1.1 101 Switch', /broke off/],
    ['hangs up within an error', 'HTTP/1.1 404 Not Found\r\nContent-Length: 40\r\n\r\n{"mess', /broke off/],
    [
      'switches with a control character',
      `HTTP/1.1 101 a\x01b${HEAD_101.slice(HEAD_101.indexOf('\r'))}`,
      /sent a malformed/,
    ],
    ['has a control character before its response', 'HTTP/1.1 102 a\0b\r\n\r\n', /sent a malformed response/],
    [
      'answers with a control character',
      'HTTP/1.1 200 a\x7fb\r\nContent-Length: 9\r\n\r\nhalf',
      /sent a malformed response/,
    ],
    ['does not speak HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', /sent a malformed response/],
  ])('answers 502 when the engine %s', async (_how, bytes, says) => {
    const client = await facing((connection) => connection.end(bytes))
    const text = await client.until((seen) => seen.endsWith('}\n') || seen.endsWith('}'))
    expect(text).toMatch(/^HTTP\/1\.1 502 /)
    expect(text).toMatch(says)
    client.socket.destroy()
  })

  it.each([
    ['before', 'silent', ''],
    ['after', 'stream=1', 'tick'],
  ])('closes the engine’s connection when its client vanishes %s the switch', async (_when, query, seen) => {
    let state = 'not asked'
    const { socket } = await stage({
      onUpgrade: (req, duplex) => {
        state = 'open'
        duplex.on('error', () => duplex.destroy())
        duplex.on('end', () => duplex.end())
        duplex.resume()
        const timer = req.url?.includes('silent') === true ? undefined : setInterval(() => duplex.write('tick'), 10)
        if (timer !== undefined) duplex.write(HEAD_101)
        duplex.on('close', () => {
          clearInterval(timer)
          state = 'closed'
        })
      },
    })
    const client = new RawConnection(socket)
    client.send(asks(`?${query}`))
    await eventually(() => state === 'open', 'the engine was asked')
    await client.until((text) => text.endsWith(seen))
    client.socket.destroy()
    await eventually(() => state === 'closed', 'the engine’s connection is closed')
  })

  it('ends the client’s connection when the engine resets its own', async () => {
    const client = await facing((connection) => {
      connection.write(HEAD_101)
      setTimeout(() => connection.destroy(), 20)
    })
    await client.untilEnd()
    expect(client.text).toBe(HEAD_101)
  })

  it('cuts open websockets when the bridge closes', async () => {
    const { client, bridge } = await opened(() => undefined)
    await bridge.close()
    await client.untilEnd()
  })

  it('is subject to the policy', async () => {
    const { socket, engine } = await stage({}, ['--policy', 'read-only'])
    const client = new RawConnection(socket)
    client.send(asks())
    await client.until((text) => text.includes('\r\n\r\n'))
    expect(client.text).toMatch(/^HTTP\/1\.1 403 /)
    expect(engine.seen).toEqual([])
    client.socket.destroy()
  })
})
