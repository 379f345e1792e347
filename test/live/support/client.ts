import { parseJson } from '../../../src/api/json/json.ts'
import { type Head, Wire } from './wire.ts'

export interface Body {
  readonly json?: unknown
  readonly bytes?: Buffer
  readonly type?: string
  readonly chunked?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer read whole. */
export class Reply {
  readonly head: Head
  readonly bytes: Buffer

  constructor(head: Head, bytes: Buffer) {
    this.head = head
    this.bytes = bytes
  }

  get status(): number {
    return this.head.status
  }

  get type(): string | undefined {
    return this.head.headers['content-type']
  }

  get text(): string {
    return this.bytes.toString()
  }

  /** Status and text together: what a failed expectation should show. */
  get said(): string {
    return `${this.status} ${this.text}`
  }

  /** The body as JSON, 64-bit integers kept. */
  json(): unknown {
    return parseJson(this.text)
  }

  /** A member of the body: `at('State', 'Running')`. */
  at(...path: readonly (string | number)[]): unknown {
    return path.reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
      this.json(),
    )
  }
}

/**
 * A client that speaks one API version over raw connections, one a call, as clients up to 1.9 did: its `Host` is the
 * socket's path. Without a version it sends no prefix.
 */
export class Client {
  readonly socket: string
  readonly version: string | undefined
  readonly #host: string

  constructor(socket: string, version?: string, host: string = socket) {
    this.socket = socket
    this.version = version
    this.#host = host
  }

  /** A client of the engine itself, which refuses a `Host` that is a path. */
  static ofEngine(socket: string): Client {
    return new Client(socket, undefined, 'docker')
  }

  /** The minor number, 0 without a version. */
  get minor(): number {
    return Number(this.version?.split('.')[1] ?? 0)
  }

  get = (path: string, more?: Body): Promise<Reply> => this.call('GET', path, more)
  delete = (path: string): Promise<Reply> => this.call('DELETE', path)
  put = (path: string, more: Body): Promise<Reply> => this.call('PUT', path, more)

  /** A POST with a JSON body, or with none and `Content-Length: 0` and `text/plain`, as old clients send it. */
  post = (path: string, json?: unknown): Promise<Reply> =>
    this.call('POST', path, json === undefined ? { type: 'text/plain' } : { json })

  async call(method: string, path: string, more: Body = {}): Promise<Reply> {
    const wire = this.send(method, path, more)
    const head = await wire.head()
    const pieces: Buffer[] = []
    if (method !== 'HEAD') for await (const piece of wire.body(head)) pieces.push(piece)
    wire.leave()
    return new Reply(head, Buffer.concat(pieces))
  }

  /** Sends a request and leaves the reading to the caller. */
  send(method: string, path: string, more: Body = {}): Wire {
    const body = more.json === undefined ? more.bytes : Buffer.from(JSON.stringify(more.json))
    const type = more.type ?? (more.json === undefined ? undefined : 'application/json')
    const length = method === 'POST' || method === 'PUT' || body !== undefined
    const lines = [
      `${method} ${this.version === undefined ? '' : `/v${this.version}`}${path} HTTP/1.1`,
      `Host: ${this.#host}`,
      `User-Agent: Docker-Client/legacy (linux)`,
      ...(type === undefined ? [] : [`Content-Type: ${type}`]),
      ...(more.chunked === true
        ? ['Transfer-Encoding: chunked']
        : length
          ? [`Content-Length: ${body?.length ?? 0}`]
          : []),
      ...Object.entries(more.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    ]
    const wire = new Wire(this.socket)
    wire.write(`${lines.join('\r\n')}\r\n\r\n`)
    if (body !== undefined) wire.write(more.chunked === true ? inChunks(body) : body)
    return wire
  }

  /** Takes the connection over: with `Upgrade: tcp`, or as clients up to 2016 did, without asking. */
  async hijack(path: string, how: 'upgrade' | 'plain', json?: unknown): Promise<{ head: Head; wire: Wire }> {
    const headers: Record<string, string> = how === 'upgrade' ? { Connection: 'Upgrade', Upgrade: 'tcp' } : {}
    const wire = this.send('POST', path, json === undefined ? { headers, type: 'text/plain' } : { headers, json })
    return { head: await wire.head(), wire }
  }

  /** Creates a container of busybox and gives its id; fails with the engine's words. */
  async create(config: object = {}, name?: string): Promise<string> {
    const query = name === undefined ? '' : `?name=${name}`
    const reply = await this.post(`/containers/create${query}`, { Image: 'busybox', ...config })
    const id = reply.status === 201 ? reply.at('Id') : undefined
    if (typeof id !== 'string') throw new Error(`create: ${reply.said}`)
    return id
  }

  /** Creates and starts. */
  async run(config: object = {}, name?: string): Promise<string> {
    const id = await this.create(config, name)
    const reply = await this.post(`/containers/${id}/start`)
    if (reply.status !== 204) throw new Error(`start: ${reply.said}`)
    return id
  }

  /** Runs to its end. */
  async finish(config: object, name?: string): Promise<string> {
    const id = await this.run(config, name)
    const reply = await this.post(`/containers/${id}/wait`)
    if (reply.status !== 200) throw new Error(`wait: ${reply.said}`)
    return id
  }
}

/** Two chunks, cut in the middle. */
function inChunks(body: Buffer): Buffer {
  const half = body.length >> 1
  const parts = [body.subarray(0, half), body.subarray(half)].filter((part) => part.length > 0)
  const framed = parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])
  return Buffer.concat([...framed, Buffer.from('0\r\n\r\n')])
}

/** Takes the frames of a stream without terminal apart: 1 is stdout, 2 stderr, then three zeros and the length. */
export function demultiplex(stream: Buffer): { stdout: string; stderr: string } {
  const out = { stdout: '', stderr: '' }
  for (let at = 0; at < stream.length; ) {
    const kind = stream[at]
    if (kind !== 1 && kind !== 2) throw new Error(`no frame at ${at}: ${stream.subarray(at).toString()}`)
    const size = stream.readUInt32BE(at + 4)
    out[kind === 1 ? 'stdout' : 'stderr'] += stream.subarray(at + 8, at + 8 + size).toString()
    at += 8 + size
  }
  return out
}

/** The JSON objects of a stream, with or without anything between them. */
export function records(text: string): unknown[] {
  const lines = text.replaceAll(/\}\s*\{"/g, '}\n{"').split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => parseJson(line))
}
