/** A unix socket or a TCP port. */
export type Address =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }

/** Reads `unix:///path` and `tcp://host:port` (IPv6 in brackets). Throws a readable error. */
export function parseAddress(text: string): Address {
  if (text.startsWith('unix://')) {
    const path = text.slice('unix://'.length)
    if (!path.startsWith('/'))
      throw new Error(`"${text}": a unix address has an absolute path, as in unix:///run/x.sock`)
    // sockaddr_un holds 108 bytes with the final zero (unix(7))
    if (Buffer.byteLength(path) > 107) throw new Error(`"${text}": a socket path has at most 107 bytes`)
    return { kind: 'unix', path }
  }
  if (text.startsWith('tcp://')) {
    const found = /^tcp:\/\/(\[[0-9a-fA-F:.]+\]|[^:/\s]*):(\d{1,5})\/?$/.exec(text)
    const port = Number(found?.[2])
    if (found === null || port > 65535) throw new Error(`"${text}": a tcp address is tcp://host:port`)
    const host = (found[1] ?? '').replace(/^\[|\]$/g, '')
    return { kind: 'tcp', host: host === '' ? '127.0.0.1' : host, port }
  }
  throw new Error(`"${text}": an address is unix:///path or tcp://host:port`)
}

/** An engine's socket on another machine, reached by the machine's own ssh. */
export interface SshAddress {
  readonly kind: 'ssh'
  readonly user: string | undefined
  readonly host: string
  readonly port: number | undefined
  readonly path: string
}

/** Where an engine may be. */
export type EngineAddress = Address | SshAddress

const ENGINE_SOCKET = '/var/run/docker.sock'
/** A host must not be read as an option of ssh, nor a path as a second socket to forward (`-L socket:path`). */
const SSH = /^ssh:\/\/(?:([^@/\s:]+)@)?(\[[0-9a-fA-F:.]+\]|[^:/\s@-][^:/\s@]*)(?::(\d{1,5}))?(\/[^:\s]*)?$/

/** The same, or `ssh://user@host:port/path` as the docker command has it; without a path it is its own socket. */
export function parseEngineAddress(text: string): EngineAddress {
  if (!text.startsWith('ssh://')) return parseAddress(text)
  const found = SSH.exec(text)
  const port = found?.[3] === undefined ? undefined : Number(found[3])
  if (found === null || (port ?? 1) > 65535)
    throw new Error(`"${text}": an engine behind ssh is ssh://user@host:port/path; user, port and path may be left out`)
  const path = found[4] === undefined || found[4] === '/' ? ENGINE_SOCKET : found[4]
  return { kind: 'ssh', user: found[1], host: (found[2] ?? '').replace(/^\[|\]$/g, ''), port, path }
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

export function formatAddress(address: EngineAddress): string {
  switch (address.kind) {
    case 'unix':
      return `unix://${address.path}`
    case 'tcp':
      return `tcp://${bracketed(address.host)}:${address.port}`
    case 'ssh': {
      const { user, host, port, path } = address
      const named = user === undefined ? bracketed(host) : `${user}@${bracketed(host)}`
      return `ssh://${named}${port === undefined ? '' : `:${port}`}${path === ENGINE_SOCKET ? '' : path}`
    }
    default:
      return address satisfies never
  }
}

export const connectOptions = (address: Address): { path: string } | { host: string; port: number } =>
  address.kind === 'unix' ? { path: address.path } : { host: address.host, port: address.port }
