import { codeOf } from '../config/text.ts'

/** A failure on the bridge's way to the engine, or of the client within a body, with a message for the client. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: 'engine-unreachable' | 'engine-broke-off' | 'engine-timeout' | 'body-too-large' | 'request-timeout'

  constructor(code: Fault['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
  }
}

export const brokeOff = (where: string): Fault =>
  new Fault('engine-broke-off', `the engine at ${where} broke off: other side closed`)

export const sentMalformed = (where: string, cause: Error): Fault =>
  new Fault('engine-broke-off', `the engine at ${where} sent a malformed response: ${cause.message}`, cause)

export const notAccepted = (where: string, cause?: Error): Fault =>
  new Fault('engine-timeout', `the engine at ${where} did not accept a connection in time`, cause)

/** Codes of OpenSSL's certificate verification and of failed handshakes. */
const TLS_FAILED = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|EPROTO$)/
const UNTRUSTED = /^(?:UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO)/

/** Whether it failed before there was a connection. Several addresses of a name fail as one, whose code is the first's. */
const isUnconnected = (error: NodeJS.ErrnoException): boolean =>
  error instanceof AggregateError || error.syscall === 'connect' || error.syscall === 'getaddrinfo'

/** Converts a socket error. `where`: the engine's address. */
export function asEngineFault(error: Error, where: string): Fault {
  if (error instanceof Fault) return error
  const code = codeOf(error)
  // EAGAIN: the backlog of the unix socket is full (connect(2)).
  if (code === 'ETIMEDOUT' || code === 'EAGAIN') return notAccepted(where, error)
  if (code === 'EMFILE' || code === 'ENFILE')
    return new Fault('engine-unreachable', `no file descriptor is left for a connection to the engine (${code})`, error)
  if (isUnconnected(error))
    return new Fault('engine-unreachable', `cannot reach the engine at ${where} (${code}). Is it running?`, error)
  if (TLS_FAILED.test(code)) {
    // A message may be a line of OpenSSL's log, or advise a flag of Node.
    const words =
      /SSL routines:[^:]*:([^:]+)/.exec(error.message)?.[1] ?? error.message.replace(/; if the root CA .*/, '')
    const advice = UNTRUSTED.test(code) ? '; name who signs it with --engine-tls-ca' : ''
    return new Fault('engine-unreachable', `TLS handshake failed with the engine at ${where}: ${words}${advice}`, error)
  }
  return new Fault('engine-broke-off', `the engine at ${where} broke off: ${error.message}`, error)
}
