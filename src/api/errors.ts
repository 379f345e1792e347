import { Fault } from '../http/fault.ts'
import { Malformed } from '../http/message/malformed.ts'
import { asJson, isObject, memberAt } from './json/json.ts'
import { type ApiVersion, isOlder, JSON_ERRORS_FROM } from './version.ts'

/**
 * All errors that the bridge itself sends. The code goes into the header `Enginebridge-Error`, which distinguishes them
 * from the engine's errors.
 */
export const ERROR_STATUS = {
  validation: 400,
  loss: 400,
  version: 400,
  'bad-request': 400,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'request-timeout': 408,
  'body-too-large': 413,
  'too-many-requests': 429,
  'header-too-large': 431,
  internal: 500,
  'endpoint-missing': 501,
  'engine-unreachable': 502,
  'engine-broke-off': 502,
  'engine-unknown': 503,
  audit: 503,
  busy: 503,
  draining: 503,
  'engine-timeout': 504,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof ERROR_STATUS

/** A response that the bridge sends instead of the engine, in the form of the client's version. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly code: ErrorCode
  readonly status: number

  /** `status` differs from the code's default only where real engines of the client's version sent another one. */
  constructor(code: ErrorCode, message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.status = options.status ?? ERROR_STATUS[code]
  }
}

/** Converts a connection error into a response for the client; returns anything else unchanged. */
export function asProxyError(cause: unknown): unknown {
  if (cause instanceof Fault) return new ProxyError(cause.code, cause.message, { cause })
  if (!(cause instanceof Malformed)) return cause
  return new ProxyError('bad-request', `cannot read the request body: ${cause.message}`, {
    status: cause.status,
    cause,
  })
}

/** Undefined where the work fails: for what a call can do without. */
export const unlessFailed = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((cause: unknown) => {
    if (!(cause instanceof ProxyError)) throw cause
    return undefined
  })

/** Errors are text up to 1.23, JSON from 1.24 and without a version (moby CHANGELOG v1.24, httputils/errors.go). */
export type ErrorForm = 'text' | 'json'

export const errorForm = (client: ApiVersion): ErrorForm => (isOlder(client, JSON_ERRORS_FROM) ? 'text' : 'json')

/** The message of an engine's error body in either form; the untrimmed text if it has neither. */
export function errorText(body: string, contentType: string | undefined): string {
  if (contentType?.startsWith('application/json')) {
    const parsed = asJson(body)
    if (parsed === undefined) return body.trimEnd()
    if (typeof parsed === 'string') return parsed // predefined networks on 1.9–1.11
    if (isObject(parsed) && 'message' in parsed) return String(parsed['message'])
    if (isObject(parsed) && 'cause' in parsed) return String(parsed['cause']) // Podman
    const failure = memberAt(parsed, 'errorDetail', 'message') // of a push, on Podman
    if (typeof failure === 'string') return failure
  }
  return body.replace(/\r?\n$/, '')
}

/** An error body with its headers, byte for byte as Go's http.Error and httputils.MakeErrorHandler write it. */
export function renderError(text: string, form: ErrorForm): { body: string; headers: Record<string, string> } {
  if (form === 'json')
    return { body: `${JSON.stringify({ message: text })}\n`, headers: { 'Content-Type': 'application/json' } }
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }
  return { body: `${text}\n`, headers }
}
