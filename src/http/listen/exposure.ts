import net from 'node:net'
import type { Address } from '../address.ts'

const loopback = new net.BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether only this machine reaches an address. A name other than localhost may mean anything. */
export function isLoopback(host: string): boolean {
  const family = net.isIP(host)
  if (family === 0) return host.toLowerCase() === 'localhost'
  return loopback.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

/** What a listener lets in: everybody who reaches it, or those alone who hold a certificate. */
export type Protection = 'none' | 'encrypted' | 'certificates'

/**
 * Why an address must not be listened on without `--insecure`; undefined where there is no reason. Who reaches a
 * listener owns the engine's host, so the network has to ask for certificates.
 */
export function exposure(address: Address, protection: Protection): string | undefined {
  if (address.kind === 'unix' || protection === 'certificates' || isLoopback(address.host)) return undefined
  const who = `everybody who reaches ${address.host}:${address.port} controls the engine and its host`
  return protection === 'none'
    ? `plain TCP beyond loopback: ${who}`
    : `TLS without client certificates beyond loopback: ${who}`
}

/** The settings that say what the TCP listeners ask of clients. */
export interface ListenerTlsSettings {
  readonly 'tls-cert'?: string | undefined
  readonly 'tls-key'?: string | undefined
  readonly 'tls-ca'?: string | undefined
  readonly 'tls-verify'?: boolean | undefined
}

/** What the TCP listeners ask of clients. */
export function protectionOf(settings: ListenerTlsSettings): Protection {
  if (settings['tls-cert'] === undefined) return 'none'
  return settings['tls-ca'] !== undefined && settings['tls-verify'] !== false ? 'certificates' : 'encrypted'
}
