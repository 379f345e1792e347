import type http from 'node:http'
import net from 'node:net'
import { Client } from 'undici'

export interface Reply {
  readonly status: number
  readonly reason: string
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
}

export interface Asked {
  readonly method?: string
  readonly headers?: http.OutgoingHttpHeaders
  readonly body?: string | Buffer
}

/** One HTTP call over a unix socket, on a connection of its own. */
export async function call(socket: string, path: string, asked: Asked = {}): Promise<Reply> {
  const json =
    asked.body === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(asked.body)) }
  const client = new Client('http://localhost', {
    connect: { socketPath: socket },
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  try {
    const { statusCode, statusText, headers, body } = await client.request({
      path,
      method: asked.method ?? 'GET',
      headers: { ...json, ...asked.headers },
      body: asked.body ?? null,
      reset: true,
    })
    return { status: statusCode, reason: statusText, headers, text: await body.text() }
  } finally {
    await client.destroy()
  }
}

/** A raw connection: what was received so far, and ways to wait for more. */
export class RawConnection {
  readonly socket: net.Socket
  received = Buffer.alloc(0)
  ended = false
  closed = false
  #changed: (() => void)[] = []

  constructor(path: string) {
    this.socket = net.connect({ path, allowHalfOpen: true })
    this.socket.on('data', (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk])
      this.#wake()
    })
    this.socket.on('end', () => {
      this.ended = true
      this.#wake()
    })
    this.socket.on('close', () => {
      this.closed = true
      this.ended = true
      this.#wake()
    })
    this.socket.on('error', () => this.socket.destroy())
  }

  get text(): string {
    return this.received.toString('latin1')
  }

  send(data: string | Buffer): void {
    this.socket.write(data)
  }

  /** Sends FIN and goes on reading. */
  finish(): void {
    this.socket.end()
  }

  /** Resolves when `done` holds of what was received; rejects with what there was after `ms`. */
  async until(done: (text: string) => boolean, ms = 5_000): Promise<string> {
    const end = performance.now() + ms
    while (!done(this.text)) {
      const left = end - performance.now()
      if (left <= 0 || this.closed)
        throw new Error(`not seen${this.closed ? ' (closed)' : ''}; received ${JSON.stringify(this.text)}`)
      await this.#next(left)
    }
    return this.text
  }

  async untilEnd(ms = 5_000): Promise<string> {
    const end = performance.now() + ms
    while (!this.ended) {
      const left = end - performance.now()
      if (left <= 0) throw new Error(`did not end; received ${JSON.stringify(this.text)}`)
      await this.#next(left)
    }
    return this.text
  }

  #wake(): void {
    for (const wake of this.#changed.splice(0)) wake()
  }

  #next(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    this.#changed.push(() => {
      clearTimeout(timer)
      resolve()
    })
    return promise
  }
}

/** Whether a unix socket takes connections: its file is there a moment before. */
export function listens(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = net.connect(path, () => resolve(true)).on('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}

/** Resolves when `holds` does; rejects after `ms`. */
export async function eventually(holds: () => boolean, what: string, ms = 20_000): Promise<void> {
  const end = performance.now() + ms
  while (!holds()) {
    if (performance.now() > end) throw new Error(`never: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
