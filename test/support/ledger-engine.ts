import { appendFileSync } from 'node:fs'
import http from 'node:http'
import { parseArgs } from 'node:util'

/**
 * An engine in a process of its own, which can be killed and frozen: `--socket PATH --api X.Y --ledger FILE`, or with `--backlog N`
 * on a TCP port of loopback, where so many connections may wait. Every request
 * goes into the ledger before anything else is done for it, so that a call that came twice is seen, whatever happens next.
 */
const { values } = parseArgs({
  options: {
    socket: { type: 'string' },
    backlog: { type: 'string' },
    api: { type: 'string', default: '1.51' },
    ledger: { type: 'string' },
  },
})

const facts = {
  ApiVersion: values.api,
  MinAPIVersion: '1.24',
  Version: `engine ${values.api}`,
  Os: 'linux',
  Arch: 'amd64',
}
const LATER_MS = 5

type Handler = (req: http.IncomingMessage, res: http.ServerResponse) => void

function everyFewMs(res: http.ServerResponse, text: () => string, times = Number.POSITIVE_INFINITY): void {
  let left = times
  const timer = setInterval(() => {
    if (left-- > 0) res.write(text())
    else res.end()
  }, LATER_MS)
  res.once('close', () => clearInterval(timer))
}

const json =
  (value: unknown, status = 200): Handler =>
  (_req, res) => {
    res.writeHead(status, { 'Content-Type': 'application/json' })
    res.end(JSON.stringify(value))
  }

const ID = 'a'.repeat(64)
const Actor = { ID, Attributes: { image: 'busybox', name: 'web' } }
const event = (): string =>
  `${JSON.stringify({ status: 'start', id: ID, from: 'busybox', Type: 'container', Action: 'start', Actor, time: 1, timeNano: 1e9 })}\n`

const ROUTES: readonly (readonly [RegExp, Handler])[] = [
  [/^GET (\/v[\d.]+)?\/version/, json(facts)],
  [/_ping/, (_req, res) => res.end('OK')],
  [/^GET .*\/(containers|images)\/json/, json([])],
  [/^GET .*\/events/, (_req, res) => everyFewMs(res.writeHead(200, { 'Content-Type': 'application/json' }), event)],
  [/^GET .*\/export/, (_req, res) => everyFewMs(res, () => 'x'.repeat(4096), 20)],
  [/^GET .*\/json/, json({ Id: 'x', Config: {}, HostConfig: {}, NetworkSettings: {}, State: {} })],
  [/\/create/, json({ Id: 'x', Warnings: [] }, 201)],
  [/\/never/, () => undefined],
]

const server = http.createServer({ requestTimeout: 0 }, (req, res) => {
  const line = `${req.method} ${req.url}`
  note(line)
  req.resume()
  res.on('error', () => res.destroy())
  const handler = ROUTES.find(([pattern]) => pattern.test(line))?.[1]
  // Anything else is a change: done a little later, when its whole request has come.
  if (handler !== undefined) handler(req, res)
  else req.on('end', () => setTimeout(() => res.writeHead(204).end(), LATER_MS))
})
server.on('upgrade', (req, socket, head) => {
  note(`${req.method} ${req.url}`)
  socket.on('error', () => socket.destroy())
  socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
  socket.write(head)
  socket.pipe(socket)
})
const ready = (): void => {
  const address = server.address()
  process.stdout.write(`ready ${typeof address === 'object' ? address?.port : ''}\n`)
}
if (values.backlog === undefined) server.listen(values.socket, ready)
else server.listen({ host: '127.0.0.1', port: 0, backlog: Number(values.backlog) }, ready)

function note(line: string): void {
  if (values.ledger !== undefined) appendFileSync(values.ledger, `${line}\n`)
}
