import http from 'node:http'
import { Pool } from 'undici'

/**
 * The yardstick: the least that a Node program can do for a call. No routing, no error forms, no audit, no bounds.
 * `node bench/relay.ts PORT ENGINE_SOCKET`
 */
const [port = '', socketPath = ''] = process.argv.slice(2)
const pool = new Pool('http://engine', {
  connect: { socketPath },
  connections: null,
  pipelining: 1,
  headersTimeout: 0,
  bodyTimeout: 0,
})

http
  .createServer((req, res) => {
    const path = req.url ?? '/'
    const body =
      req.headers['content-length'] === undefined && req.headers['transfer-encoding'] === undefined ? null : req
    pool.dispatch(
      { method: req.method ?? 'GET', path, headers: ['host', 'docker'], body },
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
  .listen(Number(port), '127.0.0.1')
