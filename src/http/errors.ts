import { codeOf } from '../config/text.ts'

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

/** Bytes that violate HTTP/1.1 (RFC 9112). The connection cannot be read further. */
export class Malformed extends Error {
  override readonly name = 'Malformed'
  readonly code: ErrorCode
  readonly status: number

  constructor(message: string, code: ErrorCode = 'bad-request', status: number = ERROR_STATUS[code]) {
    super(message)
    this.code = code
    this.status = status
  }
}

export const brokeOff = (where: string): ProxyError =>
  new ProxyError('engine-broke-off', `the engine at ${where} broke off: other side closed`)

export const sentMalformed = (where: string, cause: Error): ProxyError =>
  new ProxyError('engine-broke-off', `the engine at ${where} sent a malformed response: ${cause.message}`, { cause })

export const notAccepted = (where: string, cause?: Error): ProxyError =>
  new ProxyError('engine-timeout', `the engine at ${where} did not accept a connection in time`, { cause })

/** Codes of OpenSSL's certificate verification and of failed handshakes. */
const TLS_FAILED = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|EPROTO$)/
const UNTRUSTED = /^(?:UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO)/

/** Whether it failed before there was a connection. Several addresses of a name fail as one, whose code is the first's. */
const isUnconnected = (error: NodeJS.ErrnoException): boolean =>
  error instanceof AggregateError || error.syscall === 'connect' || error.syscall === 'getaddrinfo'

/** Converts a socket error. `where`: the engine's address. */
export function asEngineError(error: Error, where: string): ProxyError {
  if (error instanceof ProxyError) return error
  const code = codeOf(error)
  // EAGAIN: the backlog of the unix socket is full (connect(2)).
  if (code === 'ETIMEDOUT' || code === 'EAGAIN') return notAccepted(where, error)
  if (code === 'EMFILE' || code === 'ENFILE')
    return new ProxyError('engine-unreachable', `no file descriptor is left for a connection to the engine (${code})`, {
      cause: error,
    })
  if (isUnconnected(error))
    return new ProxyError('engine-unreachable', `cannot reach the engine at ${where} (${code}). Is it running?`, {
      cause: error,
    })
  if (TLS_FAILED.test(code)) {
    // A message may be a line of OpenSSL's log, or advise a flag of Node.
    const words =
      /SSL routines:[^:]*:([^:]+)/.exec(error.message)?.[1] ?? error.message.replace(/; if the root CA .*/, '')
    const advice = UNTRUSTED.test(code) ? '; name who signs it with --engine-tls-ca' : ''
    return new ProxyError('engine-unreachable', `TLS handshake failed with the engine at ${where}: ${words}${advice}`, {
      cause: error,
    })
  }
  return new ProxyError('engine-broke-off', `the engine at ${where} broke off: ${error.message}`, { cause: error })
}
