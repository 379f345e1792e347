import { readFile } from 'node:fs/promises'
import { Client } from 'undici'
import type { EngineFacts } from '../api/engine-facts.ts'
import { asJson, isObject } from '../api/json/json.ts'
import { readFacts } from '../engine/discovery.ts'
import { type Address, formatAddress } from '../http/address.ts'
import type { TlsPaths } from '../http/listen/tls-files.ts'

/** `verify`: the server's certificate is verified. */
export interface EngineTls extends TlsPaths {
  readonly verify: boolean
}

export interface Question {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly tls?: EngineTls | undefined
  /** For the whole call. */
  readonly timeoutMs: number
  /** Limit for the response's body in bytes; the rest is not read. */
  readonly limit: number
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  /** The body exceeded the limit. */
  readonly cut: boolean
}

/**
 * One call of a tool over a new connection. Rejects with the system's error, with `ECONNRESET` if the server hung up,
 * or with a TimeoutError. The bridge itself never loads this file: undici takes 15 MB.
 */
export async function ask(address: Address, question: Question): Promise<Reply> {
  const client = await clientFor(address, question.tls)
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    timeout.reject(new DOMException(`no answer within ${question.timeoutMs / 1000} s`, 'TimeoutError'))
  }, question.timeoutMs)
  try {
    return await Promise.race([reply(client, question), timeout.promise])
  } finally {
    clearTimeout(timer)
    await client.destroy()
  }
}

export const VERSION_TIMEOUT_MS = 2000
const VERSION_LIMIT_BYTES = 1 << 20

/** An engine's facts from `GET /version`. */
export async function askVersion(address: Address): Promise<EngineFacts> {
  const { status, body, cut } = await ask(address, {
    path: '/version',
    headers: { Host: 'docker' },
    timeoutMs: VERSION_TIMEOUT_MS,
    limit: VERSION_LIMIT_BYTES,
  })
  if (status !== 200) throw new Error(`GET /version answered ${status}`)
  const facts = cut ? undefined : asJson(body.toString())
  if (!isObject(facts)) throw new Error('its response to GET /version has no API version')
  return readFacts(facts)
}

async function clientFor(address: Address, tls: EngineTls | undefined): Promise<Client> {
  const authority = address.kind === 'unix' ? 'localhost' : formatAddress(address).slice('tcp://'.length)
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

function reply(client: Client, { method = 'GET', path, headers = {}, body, limit }: Question): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const head: Pick<Reply, 'status' | 'headers'>[] = []
  const chunks: Buffer[] = []
  let size = 0
  const done = (cut: boolean): void => {
    const { status, headers: fields } = head[0] ?? { status: 0, headers: {} }
    resolve({ status, headers: fields, body: Buffer.concat(chunks), cut })
  }
  client.dispatch(
    { method, path, headers, body: body ?? null },
    {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, status, fields) => {
        if (status >= 200) head.push({ status, headers: fields })
      },
      onResponseData: (_controller, chunk) => {
        size += chunk.length
        if (size <= limit) chunks.push(chunk)
        else done(true)
      },
      onResponseEnd: () => done(false),
      onResponseError: (_controller, error) => reject(asSystemError(error)),
    },
  )
  return promise
}

/** undici's error for a connection that ended before the response has no system error code. */
function asSystemError(error: Error): Error {
  if (!('code' in error) || error.code !== 'UND_ERR_SOCKET') return error
  return Object.assign(new Error('the other side hung up', { cause: error }), { code: 'ECONNRESET' })
}
