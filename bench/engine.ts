import http from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * An engine of 20.10's range for what nginx cannot play: events that never come, an attach that echoes or floods, and bodies of
 * any size. `node bench/engine.ts SOCKET`
 */
const [socket = ''] = process.argv.slice(2)
const VERSION = JSON.stringify({
  Version: '20.10.24',
  ApiVersion: '1.41',
  MinAPIVersion: '1.12',
  Os: 'linux',
  Arch: 'amd64',
})
const BLOCK = Buffer.alloc(64 * 1024, 'x')

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
    else if (path === '/events') res.writeHead(200, { 'Content-Type': 'application/json' }).flushHeaders()
    else if (searchParams.has('filters'))
      res.end('[]') // the bridge looks for containers that were made anew
    else if (req.method === 'PUT') swallow(req, res)
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
