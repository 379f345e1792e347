import http from 'node:http'
import { connectOptions } from '../../src/http/address.ts'
import type { Opened } from '../../src/proxy/inspector.ts'
import type { CallDetails, CallSummary } from '../../src/tools/inspect/shown/view.ts'

export interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
}

/** Asks the inspector as its page does. */
export class Viewer {
  readonly #opened: Opened

  constructor(opened: Opened | undefined) {
    if (opened === undefined) throw new Error('there is no inspector')
    this.#opened = opened
  }

  /** `headers` over those of the page. */
  ask(path: string, { method = 'GET', headers = {}, body = '' } = {}): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const all = { Authorization: `Bearer ${this.#opened.token}`, 'Content-Length': Buffer.byteLength(body), ...headers }
    const where = this.#opened.address
    const to = where.kind === 'unix' ? { socketPath: where.path } : connectOptions(where)
    const req = http.request({ ...to, path, method, headers: all, agent: false }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('error', reject)
      res.on('end', () => {
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(chunks).toString() })
      })
    })
    req.on('error', reject)
    req.end(body)
    return promise
  }

  async calls(): Promise<CallSummary[]> {
    return JSON.parse((await this.ask('/api/calls')).text) as CallSummary[]
  }

  async details(id: number): Promise<CallDetails & { sentences: Record<string, string> }> {
    return JSON.parse((await this.ask(`/api/calls/${id}`)).text) as CallDetails & { sentences: Record<string, string> }
  }

  /** The live feed as it has come so far. */
  feed(): { text(): string; ended(): boolean; res: Promise<http.IncomingMessage>; leave(): void } {
    const got = { text: '', ended: false }
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
    const headers = { Authorization: `Bearer ${this.#opened.token}` }
    const where = this.#opened.address
    const to = where.kind === 'unix' ? { socketPath: where.path } : connectOptions(where)
    const req = http.get({ ...to, path: '/api/feed', headers, agent: false }, (res) => {
      res.setEncoding('utf8')
      res.on('data', (chunk: string) => {
        got.text += chunk
      })
      res.on('error', () => undefined)
      res.on('close', () => {
        got.ended = true
      })
      resolve(res)
    })
    req.on('error', reject)
    return { text: () => got.text, ended: () => got.ended, res: promise, leave: () => req.destroy() }
  }
}
