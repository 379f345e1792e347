import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent } from 'node:http'
import httpProxy from 'http-proxy'
import { connectOptions } from '../engine/address.ts'
import { asRefusal, type EngineRequest } from '../engine/connection.ts'
import type { Dial } from '../engine/dial.ts'
import { Refusal } from '../errors.ts'
import type { Headers } from '../translate/headers.ts'
import type { PlainCarriage, PlainLane } from './carriage.ts'
import { breakOff, exchange, type Head, passThrough, type Receiver } from './receive.ts'
import { finishError, sendFinished } from './reply.ts'
import { announcesBody, buildRequest, enginePath, forwardedHeaders, outgoing, translateRequest } from './request.ts'
import { showRequest, watchBody } from './tap.ts'

/** Calls and downloads with nothing to translate: undici's pool is the faster of the two clients (bench/). */
export const relayLane: PlainLane = (carriage) => {
  const request = buildRequest(carriage)
  const send = (built: EngineRequest): Promise<void> => exchange(carriage, built, (head) => passThrough(carriage, head))
  return request instanceof Promise ? request.then(send) : send(request)
}

/** Takes answers with long heads as the other client does: http-proxy has no setting for it. */
class WideAgent extends Agent {
  readonly #header: number

  constructor(header: number) {
    super({ keepAlive: true, maxFreeSockets: 16 })
    this.#header = header
  }

  // What node:http calls for each request (lib/_http_client.js), with `maxHeaderSize` as its own option sets it.
  addRequest(out: ClientRequest & { maxHeaderSize?: number }, ...rest: unknown[]): void {
    out.maxHeaderSize = this.#header
    const add = (Agent.prototype as unknown as { addRequest(...all: unknown[]): void }).addRequest
    add.call(this, out, ...rest)
  }
}

/** http-proxy joins paths and takes `http:/` in one for the beginning of an address (common.urlJoin): escaped, it does not. */
function asItIs(path: string): string {
  const end = path.indexOf('?')
  const [way, query] = end === -1 ? [path, ''] : [path.slice(0, end), path.slice(end)]
  return way.replace(/(https?):\//g, '$1:%2F') + query
}

/** All of them: of a header that comes twice, engines look at the first. */
function everyHeader(headers: Headers): Record<string, string | string[]> {
  const all: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of headers.entries()) {
    const key = name.toLowerCase()
    const known = all[key]
    all[key] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value]
  }
  return all
}

interface Pending {
  readonly carriage: PlainCarriage
  readonly resolve: () => void
  readonly reject: (cause: unknown) => void
}

/**
 * Untouched bytes both ways for uploads: tar archives, image loads, build contexts. The one place that knows http-proxy; a maintained
 * fork with the same interface (http-proxy-3, httpxy) can take its place.
 */
export class BytesLane {
  readonly #dial: Dial
  readonly #agent: Agent
  readonly #proxy: httpProxy
  readonly #pending = new WeakMap<IncomingMessage, Pending>()

  constructor(dial: Dial, { header }: { readonly header: number } = { header: 1 << 20 }) {
    this.#dial = dial
    this.#agent = new WideAgent(header)
    this.#agent.createConnection = () => dial.connect('whole')
    this.#proxy = httpProxy.createProxyServer({ selfHandleResponse: true, toProxy: true })
    this.#proxy.on('proxyReq', (out, req) => this.#started(out, req))
    this.#proxy.on('proxyRes', (answer, req) => this.#answered(answer, req))
  }

  readonly carry: PlainLane = async (carriage) => {
    const { req, res, message, entry } = carriage
    await translateRequest(carriage, undefined)
    const length = message.headers.get('Content-Length')
    const chunked = announcesBody(message.headers) && length === undefined
    carriage.guard?.check(outgoing(carriage, announcesBody(message.headers) ? 'streamed' : undefined))
    const headers = forwardedHeaders(message.headers)
    if (length !== undefined) headers.set('Content-Length', length)
    if (chunked) headers.set('Transfer-Encoding', 'chunked')
    // http-proxy reads these three from the request itself.
    req.url = asItIs(enginePath(carriage))
    req.method = message.method
    req.headers = everyHeader(headers)
    showRequest(carriage, { method: message.method, path: req.url, headers: headers.raw(), body: null })
    if (announcesBody(message.headers)) watchBody(carriage)
    if (res.destroyed) return entry.clientLeft() // before anything went out: nothing does
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#pending.set(req, { carriage, resolve, reject })
    // Here, because http-proxy tells nobody of a client that left before the engine had taken the connection.
    res.once('close', () => {
      if (res.writableFinished) return
      entry.clientLeft()
      resolve()
    })
    const target = { ...this.#target(), protocol: 'http:' }
    this.#proxy.web(req, res, { target, agent: this.#agent }, (error) =>
      this.#failed(req, asRefusal(error, this.#dial.address)),
    )
    await promise
  }

  close(): void {
    this.#agent.destroy()
    this.#proxy.close()
  }

  #target(): Record<string, string | number> {
    const options = connectOptions(this.#dial.address)
    return 'path' in options ? { socketPath: options.path } : options
  }

  /** http-proxy leaves the engine's connection open when the client leaves an endless answer: end it here. */
  #started(out: ClientRequest, req: IncomingMessage): void {
    const pending = this.#pending.get(req)
    if (pending === undefined) return
    const { res, message } = pending.carriage
    const expect = message.headers.get('Expect')
    if (expect !== undefined) {
      out.setHeader('Expect', expect) // here, because http-proxy skips this event when it is among the headers
      out.on('continue', () => res.writeContinue()) // the engine's verdict, not ours
      out.flushHeaders() // nothing else would send the head: the body waits for the verdict
    }
    res.once('close', () => {
      if (!res.writableFinished) out.destroy()
    })
    if (res.closed) out.destroy()
  }

  #failed(req: IncomingMessage, cause: Refusal): void {
    const pending = this.#pending.get(req)
    if (pending === undefined) return
    if (pending.carriage.res.headersSent) breakOff(pending.carriage.res)
    pending.reject(cause)
  }

  #answered(answer: IncomingMessage, req: IncomingMessage): void {
    const pending = this.#pending.get(req)
    if (pending === undefined) {
      answer.destroy()
      return
    }
    const { carriage, resolve, reject } = pending
    const status = answer.statusCode ?? 502
    const reason = answer.statusMessage ?? ''
    const sending = { pause: () => answer.pause(), resume: () => answer.resume(), abort: () => answer.destroy() }
    const head: Head = { status, reason, headers: answer.rawHeaders, sending }
    const { entry, tap } = carriage
    entry.heard()
    tap?.answer('answered', head)
    if (tap !== undefined) answer.on('data', (chunk: Buffer) => tap.body('answered', chunk))
    try {
      receiveAnswer(
        answer,
        status >= 400 ? collectRaw(carriage, head) : passThrough(carriage, head),
        resolve,
        (error) => this.#failed(req, asRefusal(error, this.#dial.address)),
      )
    } catch (cause) {
      answer.destroy()
      reject(cause)
    }
  }
}

function receiveAnswer(
  answer: IncomingMessage,
  receiver: Receiver,
  done: () => void,
  failed: (error: Error) => void,
): void {
  answer.on('data', (chunk: Buffer) => {
    try {
      receiver.data(chunk)
    } catch (cause) {
      answer.destroy()
      failed(cause instanceof Error ? cause : new Error(String(cause)))
    }
  })
  answer.on('end', () => {
    Promise.resolve(receiver.end()).then(done, failed)
  })
  answer.on('error', failed)
}

function collectRaw(carriage: PlainCarriage, head: Head): Receiver {
  const chunks: Buffer[] = []
  let size = 0
  return {
    data: (chunk) => {
      size += chunk.length
      if (size > carriage.limits.errorBody)
        throw new Refusal('engine-broke-off', `the engine's error is larger than ${carriage.limits.errorBody} bytes`)
      chunks.push(chunk)
    },
    end: async () => {
      const finished = await finishError(carriage, head.status, head.headers, Buffer.concat(chunks))
      sendFinished(carriage, finished, head.status, head.reason)
    },
  }
}
