import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { ProxyError } from '../../api/errors.ts'
import { Headers } from '../../http/headers.ts'
import { checkOrigin, type HostRules } from '../../proxy/hosts.ts'
import { type Asset, PAGE_HEADERS } from './assets.ts'
import { Feed } from './feed.ts'
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
  /** The summary of a change; undefined if unknown. */
  readonly sentence: (change: string) => string | undefined
  readonly exports: { readonly [Name in 'har' | 'recording']: (calls: readonly CallDetails[]) => Export }
}

export interface Export {
  readonly type: string
  readonly file: string
  readonly text: string
}

const MAX_VIEWERS = 16
const MAX_CONNECTIONS = 100
/** Enough for a list of ten thousand numbers. */
const LARGEST_BODY = 128 * 1024

/** The inspector's server: the page is public, everything else needs the token. */
export function inspectServer(served: Served): { readonly server: Server; close(): void } {
  const feeds = new Set<Feed>()
  const server = createServer((req, res) => {
    answer(served, feeds, req, res).catch((cause: unknown) => refuse(res, cause))
  })
  server.maxConnections = MAX_CONNECTIONS
  const close = (): void => {
    for (const feed of feeds) feed.close()
  }
  return { server, close }
}

async function answer(served: Served, feeds: Set<Feed>, req: IncomingMessage, res: ServerResponse): Promise<void> {
  checkOrigin(served.hosts, Headers.fromRaw(req.rawHeaders), req.url ?? '/')
  const [path = '/'] = (req.url ?? '/').split('?', 1)
  const route = `${req.method} ${path}`
  const asset = served.assets.get(path)
  if (asset !== undefined && (req.method === 'GET' || req.method === 'HEAD'))
    return say(res, 200, asset.type, asset.content)
  if (!isAuthorized(req.headers.authorization, served.token))
    throw new ProxyError('forbidden', NO_TOKEN, { status: 401 })
  const details = /^GET \/api\/calls\/(\d{1,15})$/.exec(route)?.[1]
  if (details !== undefined) return sayJson(res, explained(served, found(served.hub.details(Number(details)))))
  switch (route) {
    case 'GET /api/about':
      return sayJson(res, served.about())
    case 'GET /api/calls':
      return sayJson(res, served.hub.summaries)
    case 'GET /api/feed':
      return follow(served.hub, feeds, res)
    case 'POST /api/clear':
      served.hub.clear()
      return sayJson(res, {})
    case 'GET /api/har':
    case 'POST /api/har':
      return download(res, served.exports.har(served.hub.chosen(await idsIn(req))))
    case 'GET /api/recording':
    case 'POST /api/recording':
      return download(res, served.exports.recording(served.hub.chosen(await idsIn(req))))
    default:
      throw new ProxyError('not-found', 'the inspector has no such page')
  }
}

/** Adds the summary of each change that the record names. */
function explained({ sentence }: Served, details: CallDetails): object {
  const named = [...(details.record.changes ?? []), ...(details.record.losses ?? []).map(({ change }) => change)]
  return { ...details, sentences: Object.fromEntries(named.map((id) => [id, sentence(id) ?? ''])) }
}

function follow(hub: Hub, feeds: Set<Feed>, res: ServerResponse): void {
  if (feeds.size >= MAX_VIEWERS) throw new ProxyError('busy', `${MAX_VIEWERS} pages look on already`)
  res.writeHead(200, { ...PAGE_HEADERS, 'Content-Type': 'text/event-stream; charset=utf-8' })
  const feed = new Feed(hub, res)
  feeds.add(feed)
  res.once('close', () => feeds.delete(feed))
}

/** The numbers in a POST's body; undefined for all calls. */
async function idsIn(req: IncomingMessage): Promise<ReadonlySet<number> | undefined> {
  if (req.method !== 'POST') return undefined
  const text = await readText(req)
  const list: unknown = parsed(text)
  if (Array.isArray(list) && list.every((id) => Number.isSafeInteger(id))) return new Set(list)
  throw new ProxyError('bad-request', 'the body is a list of the numbers of calls')
}

/** Limited in size; the server's request timeout limits its time. */
async function readText(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LARGEST_BODY) throw new ProxyError('body-too-large', `the body is larger than ${LARGEST_BODY} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ProxyError('bad-request', 'the body is not JSON', { cause })
  }
}

const NO_TOKEN = 'the token is missing or is not that of this start: the log of the bridge has the URL'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** In constant time. */
function isAuthorized(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer ([\w-]{1,100})$/i.exec(authorization ?? '')?.[1]
  return given !== undefined && timingSafeEqual(digest(given), digest(token))
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new ProxyError('not-found', 'this call is not kept (any more)')
  return value
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
  say(res, status, 'application/json', Buffer.from(`${JSON.stringify({ message })}\n`))
}

const sayJson = (res: ServerResponse, value: object): void =>
  say(res, 200, 'application/json', Buffer.from(`${JSON.stringify(value)}\n`))

function download(res: ServerResponse, { type, file, text }: Export): void {
  res.setHeader('Content-Disposition', `attachment; filename="${file}"`)
  say(res, 200, type, Buffer.from(text))
}

function say(res: ServerResponse, status: number, type: string, content: Buffer): void {
  res.writeHead(status, { ...PAGE_HEADERS, 'Content-Type': type, 'Content-Length': content.length })
  res.end(res.req.method === 'HEAD' ? undefined : content)
}
