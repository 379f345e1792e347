import { readFile } from 'node:fs/promises'
import { Client, type Dispatcher } from 'undici'
import type { EngineFacts } from '../api/engine-facts.ts'
import { asJson, isObject } from '../api/json/json.ts'
import { readFacts } from '../engine/discovery.ts'
import { type Address, formatAddress } from '../http/address.ts'
import type { TlsPaths } from '../http/tls/tls-files.ts'

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
 * or with a TimeoutError. The bridge itself never loads this file: undici takes 15 MB.
 */
export async function ask(address: Address, question: Question): Promise<Reply> {
  const client = await clientFor(address, question.tls)
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const late = new DOMException(`no answer within ${question.timeoutMs / 1000} s`, 'TimeoutError')
  const timer = setTimeout(() => reject(late), question.timeoutMs)
  client.dispatch(requestOf(address, question), replyTo(resolve, reject))
  return promise.finally(() => {
    clearTimeout(timer)
    return client.destroy()
  })
}

function requestOf(address: Address, { method = 'GET', path, headers, body }: Question) {
  const host = { Host: address.kind === 'unix' ? 'docker' : authorityOf(address) }
  return { method, path, headers: { ...host, ...headers }, body: body ?? null }
}

/** The program's bundle has nothing of undici but `Client`, whose `request` is elsewhere. */
function replyTo(resolve: (reply: Reply) => void, reject: (cause: Error) => void): Dispatcher.DispatchHandler {
  let head: Pick<Reply, 'status' | 'headers'> = { status: 0, headers: {} }
  const chunks: Buffer[] = []
  let size = 0
  return {
    onRequestStart: () => undefined,
    onResponseStart: (_controller, status, headers) => {
      head = { status, headers } // perhaps of an interim response: the last one counts
    },
    onResponseData: (_controller, chunk) => {
      size += chunk.length
      if (size <= LONGEST) chunks.push(chunk)
      else reject(new Error('its answer is too long to be right'))
    },
    onResponseEnd: () => resolve({ ...head, body: Buffer.concat(chunks) }),
    onResponseError: (_controller, error) => reject(asSystemError(error)),
  }
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

/** TCP listeners check `Host` against DNS rebinding. */
const authorityOf = (address: Address): string => formatAddress(address).slice('tcp://'.length)

async function clientFor(address: Address, tls: EngineTls | undefined): Promise<Client> {
  const authority = address.kind === 'unix' ? 'localhost' : authorityOf(address)
  const where = address.kind === 'unix' ? { socketPath: address.path } : {}
  const { verify, ...paths } = tls ?? { verify: true }
  const files = await Promise.all(
    Object.entries(paths).map(async ([name, path]) => [name, path && (await readFile(path))] as const),
  )
  return new Client(`${tls === undefined ? 'http' : 'https'}://${authority}`, {
    connect: { ...where, ...Object.fromEntries(files), rejectUnauthorized: verify, allowH2: false, timeout: 0 },
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

/** undici's error for a connection that ended before the response has no system error code. */
function asSystemError(error: Error): Error {
  if (!('code' in error) || error.code !== 'UND_ERR_SOCKET') return error
  return Object.assign(new Error('the other side hung up', { cause: error }), { code: 'ECONNRESET' })
}
