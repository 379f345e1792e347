import { Agent, type ClientRequest, IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { type Duplex, duplexPair } from 'node:stream'
import { codeOf } from '../../config/text.ts'
import { asEngineError, brokeOff, Malformed, ProxyError, sentMalformed } from '../errors.ts'
import { Headers } from '../headers.ts'
import { asHead, type ResponseHead, readResponseHead } from '../message/head.ts'
import { headText } from '../message/head-text.ts'
import type { EngineCall, EngineRequest, ResponseSink } from './request.ts'

/** The part of the pool that a websocket uses. */
export interface WebsocketSender {
  readonly where: string
  /** Maximum bytes of a response head. */
  readonly header: number
  /** A connection for this call alone. */
  connectFor(call: WebsocketRequest): Socket
}

/**
 * Opens a websocket through http-proxy, loaded on first use. http-proxy is given one end of a stream pair as its
 * client; the exchange uses the other end as the engine's connection. Heads bypass it, because http-proxy rewrites them
 * without their reason, case and order.
 */
export class WebsocketRequest implements EngineCall {
  readonly #sender: WebsocketSender
  readonly #request: EngineRequest
  readonly #sink: ResponseSink
  readonly #ours: Duplex
  readonly #theirs: Duplex
  #out: ClientRequest | undefined
  #engine: Socket | undefined
  #over = false
  #aborted = false

  constructor(sender: WebsocketSender, request: EngineRequest, sink: ResponseSink) {
    this.#sender = sender
    this.#request = request
    this.#sink = sink
    const [ours, theirs] = duplexPair()
    this.#ours = ours
    this.#theirs = theirs
    this.#begin().catch((cause) => this.#fail(cause))
  }

  get closedByUs(): boolean {
    return this.#aborted
  }

  async #begin(): Promise<void> {
    const { default: httpProxy } = await import('http-proxy')
    if (this.#over) return
    const { method, path, headers } = this.#request
    const asked = Object.assign(new IncomingMessage(new Socket()), { method, url: path })
    asked.headers.upgrade = 'websocket' // http-proxy requires it
    const agent = new Agent()
    agent.createConnection = () => {
      this.#engine = this.#sender.connectFor(this)
      return this.#engine
    }
    const proxy = httpProxy.createProxyServer()
    proxy.on('proxyReqWs', (out) => this.#watch(out))
    const client = Object.assign(this.#theirs, { setTimeout: nothing, setNoDelay: nothing, setKeepAlive: nothing })
    // http-proxy modifies `ssl` and passes it to node:http. It would merge slashes in the path and reorder the headers.
    const ssl = { maxHeaderSize: this.#sender.header }
    Object.defineProperties(ssl, { path: fixed(path), headers: fixed(headers.raw()) })
    const target = { protocol: 'http:', host: 'engine', port: 80 } // the agent connects
    proxy.ws(asked, client, NOTHING, { agent, target, ssl, toProxy: true }, (error) => this.#fail(error))
  }

  /** Runs before http-proxy's own listeners. */
  #watch(out: ClientRequest): void {
    this.#out = out
    out.on('information', (message) => {
      const head = this.#headOf(message)
      if (head !== undefined) this.#sink.interim?.(head.status, head.reason, head.headers)
    })
    out.on('response', (response) => {
      const head = this.#headOf(response)
      if (head !== undefined) this.#answered(response, head)
    })
    out.on('upgrade', (response, engine) => {
      const head = this.#headOf(response)
      if (head === undefined) engine.destroy()
      else this.#switched(engine, head)
    })
  }

  /** Undefined when the call is over, also by a malformed head: node:http lets control characters of a reason through. */
  #headOf({ statusCode = 0, statusMessage = '', rawHeaders }: NodeHead): ResponseHead | undefined {
    if (this.#over) return undefined
    try {
      const lines = rawHeaders.map((part, i) => part + (i % 2 === 0 ? ': ' : '\r\n')).join('')
      const text = headText(1, statusCode, statusMessage, Headers.fromLines(lines)) // as it came: it is checked here
      return readResponseHead(asHead(text.slice(0, -'\r\n'.length)))
    } catch (cause) {
      if (!(cause instanceof Malformed)) throw cause
      this.#fail(sentMalformed(this.#sender.where, cause))
      return undefined
    }
  }

  /** The engine answered without switching. */
  #answered(response: IncomingMessage, { status, reason, headers }: ResponseHead): void {
    this.#skipHead()
    response.on('error', (error) => this.#fail(error))
    this.#ours.on('data', (piece: Buffer) => {
      if (this.#over) return
      this.#sink.data(piece, 0)
      this.#sink.flush?.()
    })
    this.#ours.on('end', () => this.#finish())
    this.#sink.head(status, reason, headers, this)
  }

  #finish(): void {
    if (this.#over) return
    this.#over = true
    this.#ours.destroy()
    this.#sink.end()
  }

  #switched(engine: Duplex, { status, reason, headers }: ResponseHead): void {
    this.#over = true
    this.#skipHead()
    const ours = this.#ours
    // pipe() forwards the end of a stream, but no error or close.
    engine.on('error', (error) => ours.destroy(error))
    engine.on('close', () => {
      if (!engine.readableEnded) ours.destroy()
    })
    ours.on('close', () => {
      if (!ours.readableEnded || !ours.writableFinished) engine.destroy()
    })
    const close = (): void => {
      this.#aborted ||= !ours.destroyed && !ours.readableEnded
      ours.destroy()
    }
    this.#sink.switched?.(status, reason, headers, { socket: ours, rest: NOTHING, close })
  }

  /** Drops http-proxy's own rendering of the response head. */
  #skipHead(): void {
    const theirs = this.#theirs
    const { write } = theirs
    theirs.write = () => {
      theirs.write = write
      return true
    }
  }

  pause(): void {
    this.#ours.pause()
  }

  resume(): void {
    this.#ours.resume()
  }

  abort(): void {
    if (this.#over) return
    this.#aborted = true
    this.#fail(new ProxyError('engine-broke-off', 'the client left'))
  }

  halfClose(): void {
    if (!this.#over) this.#engine?.end()
  }

  #fail(cause: Error): void {
    if (this.#over) return
    this.#over = true
    this.#out?.destroy()
    this.#engine?.destroy()
    this.#ours.destroy()
    this.#sink.failed(fromNode(cause, this.#sender.where))
  }
}

type NodeHead = Pick<IncomingMessage, 'statusCode' | 'statusMessage' | 'rawHeaders'>

const NOTHING = Buffer.alloc(0)
const nothing = (): void => undefined

/** A property that ignores assignments. */
const fixed = <T>(value: T): PropertyDescriptor => ({ enumerable: true, get: () => value, set: nothing })

function fromNode(error: Error, where: string): ProxyError {
  const code = codeOf(error)
  if (code.startsWith('HPE_')) return sentMalformed(where, error)
  // node:http's errors for a connection that ended before the response did.
  if (code === 'ECONNRESET' && /^(?:socket hang up|aborted)$/.test(error.message)) return brokeOff(where)
  return asEngineError(error, where)
}
