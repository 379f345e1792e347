import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { findOperation } from '../../src/api/operations.ts'
import { comparePrefix, parseVersion, splitPrefix } from '../../src/api/version.ts'
import { renderError } from '../../src/errors.ts'
import { type Exchange, leaves, type Recording, withoutIds } from './exchange.ts'

export interface Asked {
  readonly method: string
  readonly url: string
  readonly body: string
  /** The name of the recorded exchange that answered; undefined when none did. */
  readonly exchange: string | undefined
}

export interface ReplayEngine {
  readonly socket: string
  /** Requests in the order they came, without discovery's. */
  readonly asked: Asked[]
  close(): Promise<void>
}

interface Candidate {
  readonly exchange: Exchange
  readonly at: number
  readonly path: string
  readonly leaves: ReadonlySet<string>
  /** The id of what it shows, when it is an inspect. */
  readonly id: string | undefined
}

const ID = /"Id": ?"([0-9a-f]{64})"/

/**
 * Finds what a recorded engine said to a request: the exchange of the same method and path that has most in common with
 * it in query and body; of equals the next one in the recording's order, for a second start is not answered as a first.
 */
export class Replay {
  readonly #candidates: readonly Candidate[]
  #clock = 0

  constructor({ exchanges }: Recording) {
    this.#candidates = exchanges.map((exchange, at) => {
      const [path = '', search] = exchange.path.split('?', 2)
      return { exchange, at, path, leaves: leaves(new URLSearchParams(search), exchange.body), id: shown(exchange) }
    })
  }

  answer(method: string, path: string, search: string, body: string): Exchange | undefined {
    const sent = leaves(new URLSearchParams(search), body)
    const best = this.#best(method, path, sent)
    if (best === undefined) return undefined
    const found = this.#stands(best, sent) ? best : this.#accepted(method, path)
    if (method !== 'GET' && method !== 'HEAD') this.#clock = best.at + 1
    return found?.exchange
  }

  #best(method: string, path: string, sent: ReadonlySet<string>): Candidate | undefined {
    const wanted = withoutIds(path)
    const score = (one: Candidate): number => [...one.leaves].filter((leaf) => sent.has(leaf)).length
    const order = (one: Candidate): number => (one.at >= this.#clock ? one.at : one.at + this.#candidates.length)
    return this.#candidates
      .filter(({ exchange, path: recorded }) => exchange.method === method && this.#same(recorded, wanted, path))
      .toSorted((a, b) => score(b) - score(a) || a.leaves.size - b.leaves.size || order(a) - order(b))[0]
  }

  /** The same path, or an inspect that was recorded by name and is asked for by the id that it gave. */
  #same(recorded: string, wanted: string, path: string): boolean {
    if (recorded === wanted) return true
    const id = /[0-9a-f]{64}/.exec(path)?.[0]
    if (id === undefined) return false
    const [before = '', after = ''] = wanted.split('{id}')
    if (!recorded.startsWith(before) || !recorded.endsWith(after)) return false
    return this.#candidates.some((one) => one.path === recorded && one.id === id)
  }

  /** A refusal stands while all that was refused is still in the request; a success always does. */
  #stands({ exchange, leaves: refused }: Candidate, sent: ReadonlySet<string>): boolean {
    return exchange.status < 400 || [...refused].every((leaf) => sent.has(leaf))
  }

  /** The plainest request of the same endpoint that the engine accepted. */
  #accepted(method: string, path: string): Candidate | undefined {
    const operation = findOperation(method, path)?.operation.name
    return this.#candidates
      .filter(
        ({ exchange, path: one }) =>
          exchange.status < 300 && findOperation(exchange.method, one)?.operation.name === operation,
      )
      .toSorted((a, b) => a.leaves.size - b.leaves.size)[0]
  }
}

/** The object's own `Id`: inspects are one object, whose other ids have other names. */
function shown({ method, status, path, text }: Exchange): string | undefined {
  const inspects = method === 'GET' && status === 200 && path.endsWith('/json') && text?.startsWith('{')
  return inspects ? ID.exec(text ?? '')?.[1] : undefined
}

async function whole(req: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of req as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces).toString('latin1')
}

/** The words in which the recorded engine refuses a version, as text to those below 1.24; undefined when it serves it. */
function refusal(recording: Recording, url: string): { message: string; json: boolean } | undefined {
  const { prefix } = splitPrefix(url.split('?', 1)[0] ?? '')
  if (prefix.kind === 'none') return undefined
  const [low, high] = [parseVersion(recording.lowest), parseVersion(recording.highest)]
  if (low === undefined || high === undefined) throw new Error(`${recording.origin} names no versions`)
  const name = comparePrefix(prefix.parts, low) < 0 ? 'error-version-too-low' : 'error-version-too-high'
  if (name === 'error-version-too-high' && comparePrefix(prefix.parts, high) <= 0) return undefined
  const recorded = recording.exchanges.find((one) => one.name === name)?.text ?? ''
  const message = recorded.replace(/^\{"message":"|"\}\n$/g, '').trim()
  return {
    message: message.replace(/client version \S+/, `client version ${prefix.text}`),
    json: (prefix.parts[1] ?? 0) >= 24,
  }
}

/** An engine in this process that answers and refuses as a recorded one did, on a unix socket. */
export async function replayEngine(socket: string, recording: Recording): Promise<ReplayEngine> {
  const replay = new Replay(recording)
  const asked: Asked[] = []
  const base = { 'Api-Version': recording.highest, Ostype: 'linux', Server: recording.server }
  const answer = async (req: IncomingMessage): Promise<Exchange | undefined> => {
    const [method, url] = [req.method ?? 'GET', req.url ?? '/']
    const body = await whole(req)
    const refused = refusal(recording, url)
    if (refused !== undefined) return { name: 'refused', method, path: url, status: 400, ...rendered(refused) }
    const [path = '', search = ''] = splitPrefix(url).rest.split('?', 2)
    const found = replay.answer(method, decodeURIComponent(path), search, body)
    if (url !== '/version') asked.push({ method, url, body, exchange: found?.name })
    return found
  }
  const server = http.createServer((req, res) => void answer(req).then((found) => send(res, base, found)))
  server.on(
    'upgrade',
    (req: IncomingMessage, duplex: Duplex) => void answer(req).then((found) => switchTo(duplex, found)),
  )
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(socket, resolve)
  await promise
  return {
    socket,
    asked,
    close: async () => {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeAllConnections()
      await closed.promise
    },
  }
}

function rendered({ message, json }: { message: string; json: boolean }): { type: string; text: string } {
  const { body, headers } = renderError(message, json ? 'json' : 'text')
  return { type: headers['Content-Type'] ?? '', text: body.toString() }
}

const bytesOf = ({ text, base64 }: Exchange): Buffer =>
  base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64')

function send(res: ServerResponse, base: http.OutgoingHttpHeaders, found: Exchange | undefined): void {
  if (found === undefined) {
    res.writeHead(599, { ...base, 'Content-Type': 'text/plain' })
    res.end('nothing like this was recorded\n')
    return
  }
  res.writeHead(found.status, { ...base, ...(found.type === undefined ? {} : { 'Content-Type': found.type }) })
  res.end(found.status === 204 || found.status === 304 ? undefined : bytesOf(found))
}

/** A taken-over connection gives what was recorded of it and ends; an error stays HTTP. */
function switchTo(duplex: Duplex, found: Exchange | undefined): void {
  const status = found?.status ?? 599
  const type = `Content-Type: ${found?.type ?? 'text/plain'}\r\n`
  const body = found === undefined ? Buffer.alloc(0) : bytesOf(found)
  const head =
    status >= 400
      ? `HTTP/1.1 ${status} Refused\r\n${type}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`
      : `HTTP/1.1 101 UPGRADED\r\n${type}Connection: Upgrade\r\nUpgrade: tcp\r\n\r\n`
  duplex.end(Buffer.concat([Buffer.from(head), body]))
}
