import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { ProxyError } from '../../api/errors.ts'
import { Headers } from '../../http/headers.ts'
import { checkOrigin, type HostRules } from '../../proxy/hosts.ts'
import { type Asset, PAGE_HEADERS } from './assets.ts'
import { feed } from './feed.ts'
import type { Hub } from './hub.ts'
import type { CallDetails } from './shown/view.ts'

/** Dependencies of the page's server. */
export interface Served {
  readonly hub: Hub
  readonly token: string
  readonly assets: ReadonlyMap<string, Asset>
  readonly hosts: HostRules
  /** Facts about the bridge and its engine for the page. */
  readonly about: () => object
  readonly exports: { readonly [Name in 'har' | 'recording']: (calls: readonly CallDetails[]) => string }
}

const MAX_VIEWERS = 16
const MAX_CONNECTIONS = 100
/** Enough for a list of ten thousand numbers. */
const LARGEST_BODY = 128 * 1024

/** The inspector's server: the page is public, everything else needs the token. */
export function inspectServer(served: Served): Server {
  const viewers = new Set<ServerResponse>()
  const server = createServer((req, res) => {
    answer(served, viewers, req, res).catch((cause: unknown) => refuse(res, cause))
  })
  server.maxConnections = MAX_CONNECTIONS
  return server
}

async function answer(
  served: Served,
  viewers: Set<ServerResponse>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const [path = '/'] = (req.url ?? '/').split('?', 1)
  const headers = Headers.fromRaw(req.rawHeaders)
  // A link, in a web terminal say: the page has nothing of the calls, and no other site can frame or read it.
  if (path === '/' && req.headers['sec-fetch-mode'] === 'navigate') headers.delete('Sec-Fetch-Site')
  checkOrigin(served.hosts, headers, req.url ?? '/')
  const asset = served.assets.get(path)
  if (asset !== undefined && (req.method === 'GET' || req.method === 'HEAD'))
    return say(res, 200, asset.type, asset.content)
  if (!isAuthorized(req.headers.authorization, served.token))
    throw new ProxyError('forbidden', NO_TOKEN, { status: 401 })
  const { hub } = served
  const route = `${req.method} ${path}`
  switch (route) {
    case 'GET /api/about':
      return sayJson(res, JSON.stringify(served.about()))
    case 'GET /api/calls':
      return sayJson(res, JSON.stringify(hub.summaries))
    case 'GET /api/feed':
      return follow(hub, viewers, res)
    case 'POST /api/clear':
      hub.clear()
      return sayJson(res, '{}')
    case 'GET /api/har':
    case 'POST /api/har':
      return download(res, 'json', 'har', served.exports.har(hub.chosen(await idsIn(req))))
    case 'GET /api/recording':
    case 'POST /api/recording':
      return download(res, 'jsonl', 'jsonl', served.exports.recording(hub.chosen(await idsIn(req))))
  }
  const id = /^GET \/api\/calls\/(\d{1,15})$/.exec(route)?.[1]
  if (id === undefined) throw new ProxyError('not-found', 'the inspector has no such page')
  const call = hub.json(Number(id))
  if (call === undefined) throw new ProxyError('not-found', 'this call is not kept (any more)')
  sayJson(res, call)
}

function follow(hub: Hub, viewers: Set<ServerResponse>, res: ServerResponse): void {
  if (viewers.size >= MAX_VIEWERS) throw new ProxyError('busy', `${MAX_VIEWERS} pages look on already`)
  viewers.add(res)
  res.once('close', () => viewers.delete(res))
  res.writeHead(200, { ...PAGE_HEADERS, 'Content-Type': 'text/event-stream; charset=utf-8' })
  feed(hub, res)
}

/** The numbers in a POST's body; undefined for all calls. The server's request timeout limits its time. */
async function idsIn(req: IncomingMessage): Promise<ReadonlySet<number> | undefined> {
  if (req.method !== 'POST') return undefined
  let text = ''
  for await (const chunk of req.setEncoding('latin1') as AsyncIterable<string>) {
    text += chunk
    if (text.length > LARGEST_BODY) throw new ProxyError('body-too-large', `the body is above ${LARGEST_BODY} bytes`)
  }
  if (/^\s*\[[\d,\s]*\]\s*$/.test(text)) return new Set((text.match(/\d+/g) ?? []).map(Number))
  throw new ProxyError('bad-request', 'the body is a list of the numbers of calls')
}

const NO_TOKEN = 'the token is missing or is not that of this start: the log of the bridge has the URL'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** In constant time. */
function isAuthorized(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer ([\w-]{1,100})$/i.exec(authorization ?? '')?.[1]
  return given !== undefined && timingSafeEqual(digest(given), digest(token))
}

function refuse(res: ServerResponse, cause: unknown): void {
  if (res.headersSent) {
    res.destroy()
    return
  }
  const { message, status } =
    cause instanceof ProxyError ? cause : new ProxyError('internal', 'the inspector failed', { cause })
  if (status === 401) res.setHeader('WWW-Authenticate', 'Bearer')
  if (!res.req.complete) res.setHeader('Connection', 'close')
  sayJson(res, JSON.stringify({ message }), status)
}

const sayJson = (res: ServerResponse, json: string, status = 200): void =>
  say(res, status, 'application/json', Buffer.from(`${json}\n`))

function download(res: ServerResponse, type: 'json' | 'jsonl', ending: string, text: string): void {
  const time = new Date().toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length).replaceAll(':', '-')
  res.setHeader('Content-Disposition', `attachment; filename="enginebridge-${time}.${ending}"`)
  say(res, 200, `application/${type}`, Buffer.from(text))
}

function say(res: ServerResponse, status: number, type: string, content: Buffer): void {
  res.writeHead(status, { ...PAGE_HEADERS, 'Content-Type': type, 'Content-Length': content.length })
  res.end(res.req.method === 'HEAD' ? undefined : content)
}
