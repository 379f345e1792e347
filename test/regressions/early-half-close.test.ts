import net from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { portOf, stages } from '../support/bridge.ts'
import { RawConnection } from '../support/client.ts'
import { answer, RawEngine } from '../support/raw-engine.ts'

// A client that writes its input and ends its side before the engine has answered the upgrade (`echo x | docker exec -i`
// over a slow engine, docker-py's old hijack): net.Socket had emitted `end` by the time the tunnel was joined, nobody
// passed it on, and `cat` on the engine waited for ever.
describe('a client that ends its side before the tunnel is open', () => {
  const stage = stages()
  const HEAD_101 = 'HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'

  it.each([
    ['with Upgrade', 'Connection: Upgrade\r\nUpgrade: tcp\r\n'],
    ['without Upgrade', ''],
  ])('has its end passed on to the engine, %s', async (_how, headers) => {
    const { socket, bridge } = await stage(
      {
        onUpgrade: (_req, duplex, head) => {
          let got = head.toString()
          duplex.on('data', (chunk) => {
            got += chunk
          })
          duplex.on('end', () => duplex.end(`[${got}]`))
          setTimeout(() => duplex.write(HEAD_101), 100)
        },
      },
      ['--listen', 'tcp://127.0.0.1:0'],
    )
    const tcp = { port: portOf(bridge), host: '127.0.0.1' }
    for (const where of [{ path: socket }, tcp]) {
      const client = net.connect({ ...where, allowHalfOpen: true })
      client.end(`POST /v1.22/containers/x/attach?stdin=1 HTTP/1.1\r\nHost: localhost\r\n${headers}\r\nall of it`)
      expect(await text(client)).toMatch(/\[all of it\]$/)
    }
  })

  it('gets a 400 when what it announced as body is not all there', async () => {
    const { socket } = await stage({})
    const client = new RawConnection(socket)
    client.send('POST /v1.44/exec/x/start HTTP/1.1\r\nHost: docker\r\nContent-Length: 20\r\n\r\n{"Tty"')
    client.finish()
    expect(await client.until((text) => text.endsWith('\n'))).toMatch(/^HTTP\/1\.1 400 /)
  })
})

// OCaml's docker-api ends its side after each request, Swarm's manager that of an exec. While the bridge was still asking for the
// engine's version, or storing a record, the body was held and unread, and the end came before anybody wanted it: 400, `the
// connection ended within the request body`.
describe('a client that ends its side behind a whole body', () => {
  const stage = stages()
  const CREATED = answer('201 Created', 'Content-Type: application/json\r\n', '{"Id":"x","Warnings":[]}')
  const OPENED = 'HTTP/1.1 200 OK\r\nContent-Type: application/vnd.docker.raw-stream\r\n\r\nout}'
  const BODY = '{"Image":"x"}'
  const call = (path: string, body: string, length = body.length): string =>
    `POST ${path} HTTP/1.1\r\nHost: d\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`

  /** The response to what came, with its end, while the bridge asked for the engine's version. */
  const responseTo = async (bytes: string): Promise<string> => {
    const version = Promise.withResolvers<void>()
    const engine = new RawEngine(join(stage.folder(), 'raw.sock'), ({ target }) =>
      target.endsWith('/start') ? OPENED : CREATED,
    )
    engine.held = version.promise
    await engine.listen()
    const bridge = await stage.bridge(engine.socket)
    const client = new RawConnection(bridge.socket)
    client.send(bytes)
    client.finish()
    await new Promise((resolve) => setTimeout(resolve, 50)) // until both are read; nothing shows that they were
    version.resolve()
    try {
      return await client.until((text) => text.endsWith('\n') || text.endsWith('}'))
    } finally {
      client.socket.destroy()
      await engine.close()
    }
  }

  it.each([
    ['a create', call('/v1.29/containers/create', BODY), /^HTTP\/1\.1 201 /],
    ['an exec', call('/v1.22/exec/x/start', '{"Detach":false}'), /^HTTP\/1\.1 200 .*\r\n\r\nout}$/s],
  ])('is answered, though nobody had read it when the end came: %s', async (_what, bytes, expected) => {
    expect(await responseTo(bytes)).toMatch(expected)
  })

  it('is answered, though its body is in one chunk with a call before it', async () => {
    const { socket } = await stage({ onRequest: (req, res) => req.resume().on('end', () => res.end('{"Id":"x"}')) })
    const client = new RawConnection(socket)
    client.send(`HEAD /v1.29/_ping HTTP/1.1\r\nHost: d\r\n\r\n${call('/v1.29/containers/create', BODY)}`)
    client.finish()
    expect(await client.until((text) => text.endsWith('}\n'))).toContain('{"Id":"x"}')
  })

  it.each([
    ['a part of it', BODY],
    ['none of it', ''],
  ])('gets a 400 where %s came', async (_what, body) => {
    const response = await responseTo(call('/v1.29/containers/create', body, BODY.length + 1))
    expect(response).toMatch(/^HTTP\/1\.1 400 .*ended within the request body/s)
  })
})
