import net from 'node:net'
import { engine28 } from './scripted-engine.ts'

/** The filter of the bridge's look-up of containers with other ids (src/engine/replaced). */
const LOOK_UP = encodeURIComponent('{"label":["enginebridge.replaces"]}')
/** The filter of its look-up of containers that a killed bridge left half done. */
const LEFT_OVERS = encodeURIComponent('{"name":["enginebridge-set-aside-"]}')

export interface RawRequest {
  /** Every byte as latin1: request line, headers, body with its chunks. */
  readonly bytes: string
  readonly method: string
  readonly target: string
  readonly connection: net.Socket
}

export type RawAnswer = (request: RawRequest) => string | Buffer | undefined

/** An answer with a Content-Length. */
export const answer = (status: string, headers: string, body: string): string =>
  `HTTP/1.1 ${status}\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

const JSON_TYPE = 'Content-Type: application/json\r\n'
const json = (value: unknown, headers = JSON_TYPE): string => answer('200 OK', headers, JSON.stringify(value))

/**
 * An engine without an HTTP library: it keeps every byte that it gets, and writes a test's answer byte for byte. Nothing
 * is normalised, so that a test sees what a real engine would have seen.
 */
export class RawEngine {
  readonly socket: string
  readonly connections = new Set<net.Socket>()
  /** Complete requests in their order, without the bridge's own (`/version`, the look-ups). */
  readonly requests: RawRequest[] = []
  /** Bytes of a connection after its protocol was switched, or of an incomplete request. */
  readonly rest = new Map<net.Socket, string>()
  version: Record<string, unknown> = engine28
  /** Headers of the answers to the bridge's own calls. */
  headers = JSON_TYPE
  /** The engine answers `/version` when this has resolved. */
  held: Promise<void> = Promise.resolve()
  readonly #server: net.Server
  readonly #answer: RawAnswer

  constructor(socket: string, answer: RawAnswer = () => json({})) {
    this.socket = socket
    this.#answer = answer
    this.#server = net.createServer({ allowHalfOpen: true }, (connection) => this.#serve(connection))
  }

  /** Every byte that the engine got, requests and rest, without the bridge's own calls. */
  get seen(): string[] {
    return [...this.requests.map(({ bytes }) => bytes), ...[...this.rest.values()].filter((text) => text !== '')]
  }

  listen(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#server.once('error', reject)
    this.#server.listen(this.socket, resolve)
    return promise
  }

  async close(): Promise<void> {
    for (const connection of this.connections) connection.destroy()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#server.close(() => resolve())
    await promise
  }

  #serve(connection: net.Socket): void {
    this.connections.add(connection)
    connection.on('error', () => connection.destroy())
    connection.once('close', () => this.connections.delete(connection))
    connection.on('end', () => connection.end())
    let switched = false
    this.rest.set(connection, '')
    connection.on('data', (chunk: Buffer) => {
      let text = (this.rest.get(connection) ?? '') + chunk.toString('latin1')
      for (let end = switched ? undefined : endOf(text); end !== undefined; end = switched ? undefined : endOf(text)) {
        switched = this.#take(text.slice(0, end), connection)
        text = text.slice(end)
      }
      this.rest.set(connection, text)
    })
  }

  /** Answers one request; true if the answer switches protocols. */
  #take(bytes: string, connection: net.Socket): boolean {
    const [method = '', target = ''] = bytes.split(' ', 2)
    if (target === '/version') void this.held.then(() => connection.write(json(this.version, this.headers)))
    else if (target.includes(LOOK_UP) || target.includes(LEFT_OVERS)) connection.write(json([], this.headers))
    else {
      const request = { bytes, method, target, connection }
      this.requests.push(request)
      const said = this.#answer(request)
      if (said === undefined) return false
      connection.write(said)
      return said.toString('latin1', 0, 12) === 'HTTP/1.1 101' || said.slice(0, 12) === 'HTTP/1.1 101'
    }
    return false
  }
}

/** The end of the first request in a text; undefined if it is incomplete. */
function endOf(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n')
  if (head === -1) return undefined
  const headers = text.slice(0, head + 2).toLowerCase()
  if (/\r\ntransfer-encoding: *chunked\r\n/.test(headers)) {
    const last = /\r\n0\r\n\r\n/.exec(text.slice(head + 2))
    return last === null ? undefined : head + 2 + last.index + last[0].length
  }
  const end = head + 4 + Number(/\r\ncontent-length: *(\d+)\r\n/.exec(headers)?.[1] ?? 0)
  return text.length >= end ? end : undefined
}
