import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { renderError } from '../../src/api/errors.ts'
import { findOperation } from '../../src/api/operations.ts'
import { comparePrefix, parseVersion, splitPrefix } from '../../src/api/version.ts'
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
}

const ID = /"Id": ?"([0-9a-f]{64})"/

/**
 * Finds what a recorded engine said to a request: the exchange of the same method and path that has most in common with
 * it in query and body; of equals the next one in the recording's order, for a second start is not answered as a first.
 */
export class Replay {
  readonly #candidates: readonly Candidate[]
  readonly #names: ReadonlyMap<string, string>
  #clock = 0

  constructor({ exchanges }: Recording) {
    this.#candidates = exchanges.map((exchange, at) => {
      const [path = '', search] = exchange.path.split('?', 2)
      return { exchange, at, path, leaves: leaves(new URLSearchParams(search), exchange.body) }
    })
    this.#names = new Map(exchanges.flatMap((exchange) => shown(exchange)))
  }

  answer(method: string, path: string, search: string, body: string): Exchange | undefined {
    const sent = leaves(new URLSearchParams(search), body)
    const best = this.#best(method, path, sent)
    if (best === undefined) return undefined
    const found = this.#stands(best, sent) ? best : this.#accepted(method, path)
    const watches = method === 'GET' || method === 'HEAD' || /\/(attach|resize|wait)$/.test(path)
    if (!watches) this.#clock = best.at + 1
    return found?.exchange
  }

  #best(method: string, path: string, sent: ReadonlySet<string>): Candidate | undefined {
    const wanted = this.#recorded(path)
    const score = (one: Candidate): number => [...one.leaves].filter((leaf) => sent.has(leaf)).length
    const order = (one: Candidate): number => (one.at >= this.#clock ? one.at : one.at + this.#candidates.length)
    return this.#candidates
      .filter(({ exchange, path: recorded }) => exchange.method === method && recorded === wanted)
      .toSorted((a, b) => score(b) - score(a) || a.leaves.size - b.leaves.size || order(a) - order(b))[0]
  }

  /** The path as it was recorded: by name, where a client says the id that it was given. */
  #recorded(path: string): string {
    const id = /[0-9a-f]{64}/.exec(path)?.[0]
    const name = id === undefined ? undefined : this.#names.get(id)
    return withoutIds(id === undefined || name === undefined ? path : path.replace(id, name))
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

/** The id and the name by which an inspect was recorded: its own `Id` is the only one of that name. */
function shown({ method, status, path, text }: Exchange): [id: string, name: string][] {
  const name = /^\/(?:containers\/([^/?]+)\/json|networks\/([^/?]+))(?:\?|$)/
    .exec(path)
    ?.slice(1)
    .find((one) => one !== undefined)
  const id = ID.exec(text ?? '')?.[1]
  return method === 'GET' && status === 200 && name !== undefined && id !== undefined ? [[id, name]] : []
}

async function whole(req: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of req as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces).toString('latin1')
}

/** The words in which the recorded engine refuses a version, as text to those below 1.24; undefined when it serves it. */
function refusal(recording: Recording, url: string): { message: string; json: boolean } | undefined {
  const { prefix } = splitPrefix(url.split('?', 1)[0] ?? '')
  if (prefix.kind !== 'version') return undefined
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

/** The recording at the newest version that is not above the one asked for; without one the newest of all. */
function recordedAt(recordings: readonly Recording[], url: string): number {
  const { prefix } = splitPrefix(url.split('?', 1)[0] ?? '')
  if (prefix.kind !== 'version') return recordings.length - 1
  const found = recordings.findLastIndex(({ version }) => {
    const recorded = parseVersion(version)
    return recorded !== undefined && comparePrefix(prefix.parts, recorded) >= 0
  })
  return Math.max(found, 0)
}

/**
 * An engine in this process that answers and refuses as a recorded one did, on a unix socket; the recordings are of one
 * engine, the oldest version first.
 */
export async function replayEngine(socket: string, recordings: readonly Recording[]): Promise<ReplayEngine> {
  const newest = recordings.at(-1)
  if (newest === undefined) throw new Error('nothing was recorded')
  const replays = recordings.map((recording) => new Replay(recording))
  const asked: Asked[] = []
  const base = { 'Api-Version': newest.highest, 'Docker-Experimental': 'false', Ostype: 'linux', Server: newest.server }
  const answer = async (req: IncomingMessage): Promise<Exchange | undefined> => {
    const [method, url] = [req.method ?? 'GET', req.url ?? '/']
    const body = await whole(req)
    const refused = refusal(newest, url)
    if (refused !== undefined) return { name: 'refused', method, path: url, status: 400, ...rendered(refused) }
    const [path = '', search = ''] = splitPrefix(url).rest.split('?', 2)
    const found = replays[recordedAt(recordings, url)]?.answer(method, decodeURIComponent(path), search, body)
    if (url !== '/version') asked.push({ method, url, body, exchange: found?.name })
    return found
  }
  const server = http.createServer(
    (req, res) =>
      void answer(req).then((found) => (found === undefined ? sendNone(req, res, base) : send(res, base, found))),
  )
  const taken = new Set<Duplex>() // closeAllConnections leaves these
  server.on('upgrade', (req: IncomingMessage, duplex: Duplex) => {
    taken.add(duplex)
    duplex.on('close', () => taken.delete(duplex))
    duplex.on('error', () => duplex.destroy()) // the client has gone
    void answer(req).then((found) => switchTo(duplex, found))
  })
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
      for (const duplex of taken) duplex.destroy()
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

/** A look-up that was not recorded gets 404: real engines answer so for an unknown object. */
function sendNone({ method }: IncomingMessage, res: ServerResponse, base: http.OutgoingHttpHeaders): void {
  res.writeHead(method === 'GET' ? 404 : 599, { ...base, 'Content-Type': 'text/plain' })
  res.end('nothing like this was recorded\n')
}

function send(res: ServerResponse, base: http.OutgoingHttpHeaders, found: Exchange): void {
  const type = found.type === undefined ? {} : { 'Content-Type': found.type }
  res.writeHead(found.status, { ...base, ...found.headers, ...type })
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
