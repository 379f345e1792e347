import http from 'node:http'
import net from 'node:net'
import type { Duplex } from 'node:stream'
import { Pool } from 'undici'

/**
 * The yardstick: the least that a Node program can do for a call. No routing, no error forms, no audit, no bounds.
 * `node bench/relay.ts PORT ENGINE_SOCKET [SOCKET]`: on a port of loopback, and on a unix socket too where one is named.
 */
const [port = '', socketPath = '', socket] = process.argv.slice(2)
const pool = new Pool('http://engine', {
  connect: { socketPath },
  connections: null,
  pipelining: 1,
  headersTimeout: 0,
  bodyTimeout: 0,
})

const relay = (): http.Server =>
  http.createServer((req, res) => {
    const path = req.url ?? '/'
    const { 'content-length': length, 'transfer-encoding': coding } = req.headers
    const body = length === undefined && coding === undefined ? null : req
    const headers = ['host', 'docker', ...(length === undefined ? [] : ['content-length', length])]
    pool.dispatch(
      { method: req.method ?? 'GET', path, headers, body },
      {
        onRequestStart: () => undefined,
        onResponseStart: (controller, status) => {
          const raw = controller.rawHeaders as Buffer[]
          res.writeHead(
            status,
            raw.map((part) => part.toString('latin1')),
          )
          res.on('drain', () => controller.resume())
          res.on('close', () => {
            if (!res.writableFinished) controller.abort(new Error('the client left'))
          })
        },
        onResponseData: (controller, chunk) => {
          if (!res.write(chunk)) controller.pause()
        },
        onResponseEnd: () => {
          res.end()
        },
        onResponseError: (_controller, error) => {
          res.destroy(error)
        },
      },
    )
  })
const tunnel = (req: http.IncomingMessage, client: Duplex, head: Buffer): void => {
  const engine = net.connect(socketPath)
  engine.write(`${req.method} ${req.url} HTTP/1.1\r\nHost: docker\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n`)
  engine.write(head)
  engine.pipe(client).pipe(engine)
  for (const side of [engine, client]) side.on('error', () => side.destroy())
}

relay().on('upgrade', tunnel).listen(Number(port), '127.0.0.1')
if (socket !== undefined) relay().on('upgrade', tunnel).listen(socket)
