/** A failure between bridge and engine, with a message for the client. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault'
  readonly code: 'engine-unreachable' | 'engine-broke-off' | 'engine-timeout'

  constructor(code: EngineFault['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
  }
}

export const brokeOff = (where: string): EngineFault =>
  new EngineFault('engine-broke-off', `the engine at ${where} broke off: other side closed`)

/** Codes of OpenSSL's certificate verification and of failed handshakes. */
const TLS_FAILED = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|EPROTO$)/
const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOENT', 'EACCES', 'ENOTFOUND', 'EHOSTUNREACH', 'ENOTSOCK'])

/** Converts a socket error. `where`: the engine's address. */
export function asEngineFault(error: Error, where: string): EngineFault {
  if (error instanceof EngineFault) return error
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ETIMEDOUT')
    return new EngineFault('engine-timeout', `the engine at ${where} did not accept a connection in time`, error)
  if (UNREACHABLE.has(code))
    return new EngineFault('engine-unreachable', `cannot reach the engine at ${where} (${code}). Is it running?`, error)
  if (TLS_FAILED.test(code))
    return new EngineFault(
      'engine-unreachable',
      `TLS handshake failed with the engine at ${where}: ${error.message}`,
      error,
    )
  return new EngineFault('engine-broke-off', `the engine at ${where} broke off: ${error.message}`, error)
}
