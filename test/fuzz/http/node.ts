import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { Client } from 'undici'
import type { ReadMessage } from '../../support/http-messages.ts'
import { type Theirs, withoutBlankEnd } from './llhttp.ts'

/** A connection without a socket: what is pushed comes from the peer, what is written goes nowhere. */
class Pipe extends Duplex {
  constructor(written: () => void = () => undefined) {
    super({
      read: () => undefined,
      write: (_chunk, _encoding, done) => {
        written()
        done()
      },
    })
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  setTimeout(): this {
    return this
  }
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
}

type Kept = ReadMessage & { closes: boolean }

interface Heard {
  readonly messages: Kept[]
  error: string | undefined
}

const message = (start: readonly string[], fields: readonly string[], closes: boolean): Kept => ({
  start,
  fields,
  framing: 'none',
  body: '',
  whole: false,
  chunks: [],
  closes,
})

function gather(came: IncomingMessage, into: Kept, heard: Heard, then: () => void): void {
  came.setEncoding('latin1')
  came.on('data', (text: string) => {
    into.body += text
  })
  came.on('end', () => {
    into.whole = came.complete
    then()
  })
  came.on('error', (cause) => {
    heard.error ??= cause.message
  })
}

/** The bytes ended in the middle of a message: that is nothing against those that came. */
const ENDED =
  /^(?:aborted|socket hang up|other side closed|terminated)$|Invalid EOF state|length does not match content-length/

const told = ({ messages, error: said }: Heard): Theirs => {
  const error = said !== undefined && ENDED.test(said) ? undefined : said
  const last = messages.at(-1)
  // What has another behind it was read whole, though node may have cut it off before it said so.
  for (const message of messages) if (message !== last) message.whole = true
  const over = last?.whole === true && last.closes
  return { messages, error: over ? undefined : error, over }
}

/** As many turns as a few messages need to come through node's streams. */
const TURNS = 12
const MAX_TURNS = 1_000

async function until(done: () => boolean): Promise<void> {
  for (let i = 0; i < MAX_TURNS && !done(); i++) await turn()
}

const heardBy = new WeakMap<Duplex, Heard>()
const server = createServer({ insecureHTTPParser: false, keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 })
const take = (req: IncomingMessage, res: ServerResponse): void => {
  const heard = heardBy.get(req.socket)
  if (heard === undefined) throw new Error('a request from nowhere')
  const found = message([req.method ?? '', req.url ?? '', req.httpVersion], req.rawHeaders, !res.shouldKeepAlive)
  heard.messages.push(found)
  gather(req, found, heard, () => res.end())
}
server.on('request', take).on('checkContinue', take).on('checkExpectation', take)
server.on('clientError', (cause, socket) => {
  const heard = heardBy.get(socket as Duplex)
  if (heard !== undefined) heard.error ??= cause.message
})

/** node:http's server reads what a client sends. */
export async function readByNodeServer(pieces: readonly Buffer[]): Promise<Theirs> {
  const pipe = new Pipe()
  const heard: Heard = { messages: [], error: undefined }
  heardBy.set(pipe, heard)
  server.emit('connection', pipe)
  for (const piece of pieces) pipe.push(piece)
  for (let i = 0; i < TURNS; i++) await turn()
  // One whose Host is missing is answered by node itself.
  if (pipe.destroyed) heard.error ??= 'destroyed'
  const theirs = told(heard)
  pipe.destroy()
  return theirs
}

/** node:http's client reads the answer to one request, and what comes before it. */
export async function readByNodeClient(pieces: readonly Buffer[], method: string): Promise<Theirs> {
  const heard: Heard = { messages: [], error: undefined }
  const pipe = new Pipe()
  const req = request({ createConnection: () => pipe, method, insecureHTTPParser: false, host: 'd', path: '/' })
  const head = (came: Pick<IncomingMessage, 'httpVersion' | 'statusCode' | 'statusMessage' | 'rawHeaders'>): Kept => {
    const found = message([came.httpVersion, String(came.statusCode), came.statusMessage ?? ''], came.rawHeaders, false)
    heard.messages.push(found)
    return found
  }
  req.on('information', (came) => {
    head(came).whole = true
  })
  req.on('upgrade', (came, socket) => {
    head(came).whole = true
    socket.destroy()
  })
  req.on('response', (came) => gather(came, head(came), heard, () => undefined))
  let closed = false
  req.on('close', () => {
    closed = true
  })
  req.on('error', (cause) => {
    heard.error ??= cause.message
  })
  req.end()
  await turn()
  for (const piece of pieces) pipe.push(piece)
  pipe.push(null)
  await until(() => closed)
  const theirs = told(heard)
  pipe.destroy()
  return theirs
}

/** undici reads the answer to one request, and what comes before it. It tells no version, and of a reason only the last piece. */
export async function readByUndici(pieces: readonly Buffer[], method: string): Promise<Theirs> {
  const heard: Heard = { messages: [], error: undefined }
  let asked = false
  const pipe = new Pipe(() => {
    asked = true
  })
  const client = new Client('http://d', {
    connect: (_options, ready) => setImmediate(() => ready(null, pipe as never)),
    bodyTimeout: 0,
    headersTimeout: 0,
  })
  let done = false
  const fail = (cause: Error): void => {
    heard.error ??= cause.message
    done = true
  }
  client.dispatch(
    { path: '/', method: method as 'GET' },
    {
      onRequestStart: () => undefined,
      onResponseStart: (controller, status) => {
        const raw = controller.rawHeaders as readonly Buffer[] | undefined
        const fields = (raw ?? []).map((part) => withoutBlankEnd(part.toString('latin1')))
        const found = message([String(status)], fields, false)
        found.whole = status < 200
        heard.messages.push(found)
      },
      onResponseData: (_controller, chunk) => {
        const last = heard.messages.at(-1)
        if (last !== undefined) last.body += chunk.toString('latin1')
      },
      onResponseEnd: () => {
        const last = heard.messages.at(-1)
        if (last !== undefined) last.whole = true
        done = true
      },
      onResponseError: (_controller, cause) => fail(cause),
    },
  )
  await until(() => asked)
  for (const piece of pieces) pipe.push(piece)
  pipe.push(null)
  await until(() => done)
  const theirs = told(heard)
  await client.destroy()
  pipe.destroy()
  return theirs
}
