import { readFile } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import type { EngineFacts } from '../api/engine-facts.ts'
import { asJson, isObject } from '../api/json/json.ts'
import { readFacts } from '../engine/discovery.ts'
import type { Address } from '../http/address.ts'
import type { TlsPaths } from '../http/listen/tls-files.ts'

/** `verify`: the server's certificate is verified. */
export interface EngineTls extends TlsPaths {
  readonly verify: boolean
}

export interface Question {
  /** Default: GET. */
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly tls?: EngineTls | undefined
  /** For the whole call. */
  readonly timeoutMs: number
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** Limit for the response's body in bytes. */
const LONGEST = 64 << 20

/**
 * One call of a tool over a new connection. Rejects with the system's error, with `ECONNRESET` if the server hung up,
 * or with a TimeoutError.
 */
export async function ask(address: Address, question: Question): Promise<Reply> {
  const { method = 'GET', path, headers, body, tls, timeoutMs } = question
  const unix = address.kind === 'unix'
  const request = (tls === undefined ? http : https).request({
    ...(unix ? { socketPath: address.path } : { host: address.host, port: address.port }),
    ...(tls === undefined ? {} : await tlsOptions(tls)),
    ...{ method, path, headers: { ...(unix ? { Host: 'docker' } : {}), ...headers }, agent: false },
  })
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const late = new DOMException(`no answer within ${timeoutMs / 1000} s`, 'TimeoutError')
  const timer = setTimeout(() => reject(late), timeoutMs)
  request.on('error', reject).on('response', (response) => replyFrom(response).then(resolve, reject))
  request.end(body)
  return promise.finally(() => {
    clearTimeout(timer)
    request.destroy()
  })
}

async function tlsOptions({ verify, ...paths }: EngineTls): Promise<https.RequestOptions> {
  const files = Object.entries(paths).map(async ([name, path]) => [name, await readFile(path)] as const)
  return { ...Object.fromEntries(await Promise.all(files)), rejectUnauthorized: verify }
}

async function replyFrom(response: http.IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LONGEST) throw new Error('its answer is too long to be right')
    chunks.push(chunk)
  }
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }
}

const VERSION_TIMEOUT_MS = 2000

/** An engine's facts from `GET /version`. */
export async function askVersion(address: Address): Promise<EngineFacts> {
  const { status, body } = await ask(address, { path: '/version', timeoutMs: VERSION_TIMEOUT_MS })
  if (status !== 200) throw new Error(`GET /version answered ${status}`)
  const facts = asJson(body.toString())
  if (!isObject(facts)) throw new Error('its response to GET /version has no API version')
  return readFacts(facts)
}
