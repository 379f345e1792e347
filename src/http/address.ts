/** Where something listens: a unix socket or a TCP port. */
export type Address =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }

/** Reads `unix:///path` and `tcp://host:port` (IPv6 in brackets); throws with a sentence. */
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

export const formatAddress = (address: Address): string =>
  address.kind === 'unix'
    ? `unix://${address.path}`
    : `tcp://${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`

/** Options for `net.connect` and the HTTP clients. */
export const connectOptions = (address: Address): { path: string } | { host: string; port: number } =>
  address.kind === 'unix' ? { path: address.path } : { host: address.host, port: address.port }
