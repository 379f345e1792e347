import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually, RawConnection } from '../support/client.ts'

const HEAD_101 =
  'HTTP/1.1 101 UPGRADED\r\nContent-Type: application/vnd.docker.raw-stream\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'
const post = (path: string, headers = ''): string => `POST ${path} HTTP/1.1\r\nHost: docker\r\n${headers}\r\n`
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: tcp\r\n'

describe('tunnel lane', () => {
  const stage = stages()

  it('joins client and engine when the client asks with Upgrade: tcp, and keeps the engine’s head as it came', async () => {
    const { socket } = await stage({
      onUpgrade: (_req, duplex) => {
        duplex.write(`${HEAD_101}hello `)
        duplex.on('data', (chunk) => duplex.write(`echo ${chunk}`))
      },
    })
    const client = new RawConnection(socket)
    client.send(post('/v1.44/containers/x/attach?stream=1', UPGRADE))
    await client.until((text) => text.endsWith('hello '))
    client.send('abc')
    expect(await client.until((text) => text.endsWith('echo abc'))).toBe(`${HEAD_101}hello echo abc`)
    client.socket.destroy()
  })

  it('answers a raw 200 when the client hijacks without Upgrade, and asks the engine with Upgrade', async () => {
    const asked: string[] = []
    const { socket } = await stage({
      onUpgrade: (req, duplex) => {
        asked.push(`${req.headers.connection} ${req.headers.upgrade}`)
        duplex.write(HEAD_101)
        duplex.on('data', (chunk) => duplex.write(chunk))
      },
    })
    const client = new RawConnection(socket)
    client.send(
      `${post('/v1.18/containers/x/attach?stdin=1&stream=1', 'Content-Length: 0\r\n')}GET / HTTP/1.1 is no request here`,
    )
    const text = await client.until((seen) => seen.endsWith('no request here'))
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Type: application\/vnd\.docker\.raw-stream\r\n/)
    expect(text.toLowerCase()).not.toMatch(/upgrade|content-length|transfer-encoding/)
    expect(asked).toEqual(['Upgrade tcp'])
    client.socket.destroy()
  })

  it('takes a hijack off a connection that carried ordinary calls before', async () => {
    const { socket } = await stage({
      onRequest: (_req, res) => res.end('pong'),
      onUpgrade: (_req, duplex) => duplex.end(`${HEAD_101}bye`),
    })
    const client = new RawConnection(socket)
    client.send('GET /v1.44/_ping HTTP/1.1\r\nHost: x\r\n\r\n')
    await client.until((text) => text.endsWith('pong'))
    client.send(post('/v1.44/containers/x/attach', ''))
    expect(await client.until((text) => text.endsWith('bye'))).toContain('HTTP/1.1 200 OK\r\n')
    client.socket.destroy()
  })

  it.each([
    ['in one packet', [`{"Tty":false}raw`]],
    ['in pieces', ['{"Tty"', ':false}', 'raw']],
  ])(
    'sends the JSON body of exec start with the upgrade and the bytes after it into the tunnel, %s',
    async (_how, parts) => {
      const bodies: string[] = []
      const { socket } = await stage({
        onUpgrade: (req, duplex, head) => {
          let body = head.toString()
          req.on('data', (chunk) => {
            body += chunk
          })
          duplex.on('data', (chunk) => {
            if (body.length < 13) body += chunk
            else duplex.write(`[${chunk}]`)
          })
          void eventually(() => body.length >= 13, 'body').then(() => {
            bodies.push(body)
            duplex.write(HEAD_101)
          })
        },
      })
      const client = new RawConnection(socket)
      client.send(post('/v1.44/exec/abc/start', `${UPGRADE}Content-Type: application/json\r\nContent-Length: 13\r\n`))
      for (const part of parts) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        client.send(part)
      }
      await client.until((text) => text.endsWith('[raw]'))
      expect(bodies).toEqual(['{"Tty":false}'])
      client.socket.destroy()
    },
  )

  it('goes on carrying the engine’s output after the client has ended its side', async () => {
    const { socket } = await stage({
      onUpgrade: (_req, duplex) => {
        duplex.write(HEAD_101)
        let got = ''
        duplex.on('data', (chunk) => {
          got += chunk
        })
        duplex.on('end', () => {
          setTimeout(() => duplex.end(`${got.length} bytes`), 30)
        })
      },
    })
    const client = new RawConnection(socket)
    client.send(post('/v1.44/containers/x/attach', UPGRADE))
    await client.until((text) => text.endsWith('\r\n\r\n'))
    client.send('x'.repeat(300_000))
    client.finish()
    expect(await client.untilEnd()).toBe(`${HEAD_101}300000 bytes`)
  })

  it('goes on carrying the client’s input after the engine has ended its side', async () => {
    let got = ''
    const { socket } = await stage({
      onUpgrade: (_req, duplex) => {
        duplex.on('data', (chunk) => {
          got += chunk
        })
        duplex.end(HEAD_101)
      },
    })
    const client = new RawConnection(socket)
    client.send(post('/v1.44/containers/x/attach', UPGRADE))
    await client.untilEnd()
    client.send('late input')
    client.finish()
    await eventually(() => got === 'late input', 'the engine gets the late input')
  })

  it('keeps status and text of an engine that refuses the attach', async () => {
    const { socket } = await stage({
      onUpgrade: (_req, duplex) =>
        duplex.end(
          'HTTP/1.1 409 Conflict\r\nContent-Type: application/json\r\nContent-Length: 25\r\n\r\n{"message":"x is paused"}',
        ),
    })
    const client = new RawConnection(socket)
    client.send(post('/v1.18/containers/x/attach', UPGRADE))
    const text = await client.until((seen) => seen.endsWith('paused\n'))
    expect(text).toMatch(/^HTTP\/1\.1 (409 Conflict|500 Internal Server Error)\r\n/)
    expect(text).toContain('Content-Type: text/plain; charset=utf-8\r\n')
    expect(text).toMatch(/\r\n\r\nx is paused\n$/)
  })

  it('takes no more input of the client after the engine has closed its socket, and has told all that it said', async () => {
    const said = 'x'.repeat(3_000_000)
    const { socket } = await stage({
      onUpgrade: (_req, duplex) => void duplex.end(`${HEAD_101}${said}`, () => duplex.destroy()),
    })
    const client = new RawConnection(socket)
    const errors: string[] = []
    client.socket.on('error', (error: NodeJS.ErrnoException) => errors.push(error.code ?? ''))
    client.send(post('/v1.44/containers/x/attach?stream=1&stdin=1', UPGRADE))
    client.socket.pause()
    await sleep(300)
    client.socket.resume()
    await eventually(() => client.ended, 'the end')
    expect(client.received.length).toBe(HEAD_101.length + said.length)
    await sleep(100)
    client.send('nobody reads this')
    await eventually(() => errors.length > 0, 'an error of the first write')
    expect(errors).toEqual(['EPIPE'])
  })

  it('ends the connection after an error of attach, as the engine does: docker up to 17 takes it for an open stream until then', async () => {
    const { socket } = await stage({
      onUpgrade: (_req, duplex) =>
        duplex.end(
          'HTTP/1.1 404 Not Found\r\nContent-Type: application/vnd.docker.raw-stream\r\n\r\nNo such container: x\r\n',
        ),
    })
    const client = new RawConnection(socket)
    client.send(post('/v1.26/containers/x/attach', UPGRADE))
    const text = await client.untilEnd()
    expect(text).toMatch(/^HTTP\/1\.1 404 Not Found\r\n[\s\S]*\r\nConnection: close\r\n\r\nNo such container: x/)
  })

  it('answers a detached exec start, which hijacks nothing', async () => {
    const { socket } = await stage({
      onUpgrade: (_req, duplex) => duplex.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
    })
    const client = new RawConnection(socket)
    client.send(
      `${post('/v1.44/exec/abc/start', 'Content-Type: application/json\r\nContent-Length: 15\r\n')}{"Detach":true}`,
    )
    expect(await client.until((text) => text.endsWith('\r\n\r\n'))).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  it('treats Upgrade: TLS/1.2 as an ordinary request (Apache HttpClient 5.4)', async () => {
    const { socket, engine } = await stage({ onRequest: (_req, res) => res.end('OK') })
    const client = new RawConnection(socket)
    client.send('GET /v1.44/_ping HTTP/1.1\r\nHost: docker\r\nConnection: Upgrade\r\nUpgrade: TLS/1.2\r\n\r\n')
    expect(await client.until((text) => text.endsWith('OK'))).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(engine.seen).toEqual(['GET /v1.44/_ping'])
    client.socket.destroy()
  })

  it.each(['h2c', 'websocket'])('carries Upgrade: %s through', async (protocol) => {
    const { socket } = await stage({
      onUpgrade: (req, duplex) => {
        duplex.write(
          `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${req.headers.upgrade}\r\n\r\n`,
        )
        duplex.on('data', (chunk) => duplex.write(chunk))
      },
    })
    const client = new RawConnection(socket)
    const line = protocol === 'h2c' ? 'POST /v1.44/session' : 'GET /v1.44/containers/x/attach/ws'
    client.send(`${line} HTTP/1.1\r\nHost: docker\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`)
    await client.until((text) => text.endsWith('\r\n\r\n'))
    client.send(Buffer.from([0x81, 0x00, 0xff]))
    await client.until((text) => text.endsWith('\x81\x00\xff'))
    client.socket.destroy()
  })

  it.each(['session', 'grpc'])('has the engine refuse a protocol of %s that it does not speak', async (path) => {
    const { socket } = await stage({
      onUpgrade: (req, duplex) => {
        const text = `{"message":"protocol ${req.headers.upgrade} not supported"}`
        duplex.end(`HTTP/1.1 400 Bad Request\r\nContent-Length: ${text.length}\r\n\r\n${text}`)
      },
    })
    const client = new RawConnection(socket)
    client.send(post(`/v1.44/${path}`, 'Connection: Upgrade\r\nUpgrade: foo\r\n'))
    const answer = await client.until((text) => text.endsWith('}'))
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('protocol foo not supported')
    client.socket.destroy()
  })

  it('closes the engine’s connection when the engine writes to a client that has vanished', async () => {
    let closed = false
    const { socket } = await stage({
      onUpgrade: (_req, duplex) => {
        duplex.write(HEAD_101)
        // On a unix socket a vanished peer looks like one that ended its side until somebody writes (unix(7), EPIPE).
        const timer = setInterval(() => duplex.write('tick'), 10)
        duplex.on('close', () => {
          clearInterval(timer)
          closed = true
        })
      },
    })
    const client = new RawConnection(socket)
    client.send(post('/v1.44/containers/x/attach', UPGRADE))
    await client.until((text) => text.endsWith('tick'))
    client.socket.destroy()
    await eventually(() => closed, 'the engine’s connection is closed')
  })

  it('ends the client’s connection when the engine vanishes', async () => {
    const { socket } = await stage({
      onUpgrade: (_req, duplex) => {
        duplex.write(HEAD_101)
        setTimeout(() => duplex.destroy(), 20)
      },
    })
    const client = new RawConnection(socket)
    client.send(post('/v1.44/containers/x/attach', UPGRADE))
    await client.untilEnd()
  })

  it('writes an audit record when the tunnel opens and one when it closes, with the bytes each way and who ended it', async () => {
    const { socket, audit } = await stage({
      onUpgrade: (_req, duplex) => {
        duplex.write(HEAD_101)
        duplex.on('data', () => duplex.end('four'))
      },
    })
    const client = new RawConnection(socket)
    client.send(post('/v1.44/containers/x/attach', UPGRADE))
    await client.until((text) => text.endsWith('\r\n\r\n'))
    client.send('abc')
    await client.untilEnd()
    client.finish()
    await eventually(() => audit.length === 3, 'three records')
    expect(audit).toMatchObject([
      { stage: 'received', operation: 'ContainerAttach', lane: 'tunnel' },
      { stage: 'answered', status: 101, forwarded: { method: 'POST', path: '/v1.44/containers/x/attach' } },
      { stage: 'complete', status: 101, bytesIn: 3, bytesOut: 4, endedBy: 'engine', container: 'x' },
    ])
  })

  it('cuts open tunnels when it closes after the grace period', async () => {
    const { socket, bridge } = await stage({ onUpgrade: (_req, duplex) => duplex.write(HEAD_101) })
    const client = new RawConnection(socket)
    client.send(post('/v1.44/containers/x/attach', UPGRADE))
    await client.until((text) => text.endsWith('\r\n\r\n'))
    await bridge.close()
    await client.untilEnd()
  })
})
