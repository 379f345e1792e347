import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, RawConnection } from '../support/client.ts'

const podman = { ApiVersion: '1.41', MinAPIVersion: '1.24', Version: '5.4.2', Os: 'linux', Arch: 'amd64' }

describe('a call of Podman’s own API', () => {
  const stage = stages()

  it.each([
    '/v5.4.2/libpod/info',
    '/v4.0.0/libpod/containers/json?all=true',
    '/v5.5.0-dev/libpod/images/docker.io/library/busybox/json',
    '/v1.41/libpod/info',
    '/v1.12/libpod/info',
    '/libpod/_ping',
  ])('passes with the version that it says: %s', async (path) => {
    const body = '{"message":"as it came","Created":1}\n'
    const { socket, engine } = await stage({ version: podman, onRequest: (_req, res) => res.end(body) })
    expect(await call(socket, path)).toMatchObject({ status: 200, text: body })
    expect(engine.seen).toEqual([`GET ${path}`])
  })

  it.each(['exec/x/start', 'containers/x/attach'])(
    'takes the connection over without asking for it: %s',
    async (what) => {
      const { socket, engine } = await stage({
        version: podman,
        onUpgrade: (_req, duplex) => {
          duplex.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
          duplex.on('data', (chunk) => duplex.end(`echo ${chunk}`))
        },
      })
      const client = new RawConnection(socket)
      const path = `/v5.4.2/libpod/${what}`
      client.send(`POST ${path} HTTP/1.1\r\nHost: d\r\nContent-Length: 2\r\n\r\n{}`)
      await client.until((text) => text.endsWith('\r\n\r\n'))
      client.send('abc')
      expect(await client.until((text) => text.endsWith('echo abc'))).toMatch(/^HTTP\/1\.1 200 OK\r\n\r\necho abc$/)
      expect(engine.seen).toEqual([`POST ${path}`])
      client.socket.destroy()
    },
  )

  it('becomes a tunnel when the client asks for one', async () => {
    const { socket, engine } = await stage({
      version: podman,
      onUpgrade: (_req, duplex) =>
        duplex.end('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\nhello'),
    })
    const client = new RawConnection(socket)
    const path = '/v5.4.2/libpod/containers/x/attach?stdin=true'
    client.send(`POST ${path} HTTP/1.1\r\nHost: d\r\nContent-Length: 0\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n`)
    expect(await client.until((text) => text.endsWith('hello'))).toContain('HTTP/1.1 101 ')
    expect(engine.seen).toEqual([`POST ${path}`])
    client.socket.destroy()
  })

  it('has its errors untouched, whatever version other calls without one are given', async () => {
    const error = '{"cause":"no such container","message":"no such container","response":404}\n'
    const onRequest = (_req: IncomingMessage, res: ServerResponse): void => {
      res.writeHead(404, { 'Content-Type': 'application/json' }).end(error)
    }
    const { socket } = await stage({ version: podman, onRequest }, ['--unversioned-api', '1.22'])
    const { status, headers, text } = await call(socket, '/v5.4.2/libpod/containers/x/json')
    expect([status, headers['content-type'], text]).toEqual([404, 'application/json', error])
  })

  it('is not what only has a part of that name', async () => {
    const { socket, engine } = await stage({ version: podman, onRequest: (_req, res) => res.end('{}') })
    for (const path of ['/v5.4.2/libpodx/info', '/v5.4.2/containers/libpod/json', '/v5.4.2/x/libpod/info'])
      expect((await call(socket, path)).status).toBeGreaterThanOrEqual(400)
    expect(engine.seen).toEqual([])
  })
})
