import { Agent, type ClientRequest, IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { type Duplex, duplexPair } from 'node:stream'
import { asEngineFault, brokeOff, EngineFault } from './fault.ts'
import type { EngineCall, EngineRequest, ResponseSink } from './request.ts'

/** What a websocket takes of the pool that opens it. */
export interface WebsocketSender {
  readonly where: string
  /** Bytes of a response's head. */
  readonly header: number
  /** A connection that only this call uses. */
  connectFor(call: WebsocketRequest): Socket
}

/**
 * Opens a websocket through http-proxy, which is loaded for the first one. http-proxy gets one end of a pair of streams as its
 * client, and the exchange the other one as the engine's connection. Heads do not take this way: http-proxy would write them
 * anew, without their reason, case and order.
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
    asked.headers.upgrade = 'websocket' // http-proxy looks at it
    const agent = new Agent()
    agent.createConnection = () => {
      this.#engine = this.#sender.connectFor(this)
      return this.#engine
    }
    const proxy = httpProxy.createProxyServer()
    proxy.on('proxyReqWs', (out) => this.#watch(out))
    const client = Object.assign(this.#theirs, { setTimeout: nothing, setNoDelay: nothing, setKeepAlive: nothing })
    // http-proxy adds to `ssl` and hands it to node:http. It would join the slashes of a path and lose the order of fields.
    const ssl = { maxHeaderSize: this.#sender.header }
    Object.defineProperties(ssl, { path: fixed(path), headers: fixed(headers) })
    const target = { protocol: 'http:', host: 'engine', port: 80 } // the agent connects
    proxy.ws(asked, client, NOTHING, { agent, target, ssl, toProxy: true }, (error) => this.#fail(error))
  }

  /** These listeners come before http-proxy's own. */
  #watch(out: ClientRequest): void {
    this.#out = out
    out.on('information', ({ statusCode, statusMessage, rawHeaders }) =>
      this.#sink.interim?.(statusCode, statusMessage, rawHeaders),
    )
    out.on('response', (response) => this.#answered(response))
    out.on('upgrade', (response, engine) => this.#switched(response, engine))
  }

  /** The engine did not switch: an ordinary response. */
  #answered(response: IncomingMessage): void {
    if (this.#over) return
    this.#skipHead()
    response.on('error', (error) => this.#fail(error))
    this.#ours.on('data', (piece: Buffer) => {
      if (this.#over) return
      this.#sink.data(piece, 0)
      this.#sink.flush?.()
    })
    this.#ours.on('end', () => this.#finish())
    this.#sink.head(response.statusCode ?? 0, response.statusMessage ?? '', response.rawHeaders, this)
  }

  #finish(): void {
    if (this.#over) return
    this.#over = true
    this.#ours.destroy()
    this.#sink.end()
  }

  #switched(response: IncomingMessage, engine: Duplex): void {
    if (this.#over) {
      engine.destroy()
      return
    }
    this.#over = true
    this.#skipHead()
    const ours = this.#ours
    // Streams that are piped pass on an end, and nothing of what goes wrong.
    engine.on('error', (error) => ours.destroy(error))
    engine.on('close', () => {
      if (!engine.readableEnded) ours.destroy()
    })
    ours.on('close', () => {
      if (!ours.readableEnded || !ours.writableFinished) engine.destroy()
    })
    const { statusMessage = '', rawHeaders } = response
    if (this.#sink.switched === undefined) ours.destroy()
    else this.#sink.switched(101, statusMessage, rawHeaders, { socket: ours, rest: NOTHING })
  }

  /** What http-proxy writes first is its own form of the head that the exchange gets as it came. */
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
    this.#fail(new EngineFault('engine-broke-off', 'the client left'))
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
    this.#sink.failed(asFault(cause, this.#sender.where))
  }
}

const NOTHING = Buffer.alloc(0)
const nothing = (): void => undefined

/** A property that stays as it is when another value is assigned to it. */
const fixed = <T>(value: T): PropertyDescriptor => ({ enumerable: true, get: () => value, set: nothing })

function asFault(error: Error, where: string): EngineFault {
  const code = 'code' in error ? String(error.code) : ''
  if (code.startsWith('HPE_'))
    return new EngineFault(
      'engine-broke-off',
      `the engine at ${where} sent a malformed response: ${error.message}`,
      error,
    )
  // node:http says so of a connection that ended before the response did.
  if (code === 'ECONNRESET' && /^(?:socket hang up|aborted)$/.test(error.message)) return brokeOff(where)
  return asEngineFault(error, where)
}
