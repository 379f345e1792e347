import net from 'node:net'
import { type Address, formatAddress } from '../address.ts'

const loopback = new net.BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether an address is reachable from this machine only. Any name but localhost may resolve to anything. */
export function isLoopback(host: string): boolean {
  const family = net.isIP(host)
  if (family === 0) return host.toLowerCase() === 'localhost'
  return loopback.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

/** The proof that a TCP listener demands of clients. */
export type Protection = 'none' | 'encrypted' | 'certificates'

/**
 * Why listening on an address needs `--insecure`, if it does. Access to a listener is root access to the engine's host,
 * so beyond loopback it needs client certificates.
 */
export function exposure(address: Address, protection: Protection): string | undefined {
  if (address.kind === 'unix' || protection === 'certificates' || isLoopback(address.host)) return undefined
  const who = `everybody who reaches ${formatAddress(address).replace('tcp://', '')} controls the engine and its host`
  return protection === 'none'
    ? `plain TCP beyond loopback: ${who}`
    : `TLS without client certificates beyond loopback: ${who}`
}

interface ProtectionSettings {
  readonly 'tls-cert'?: string | undefined
  readonly 'tls-ca'?: string | undefined
  readonly 'tls-verify'?: boolean | undefined
}

export function protectionOf(settings: ProtectionSettings): Protection {
  if (settings['tls-cert'] === undefined) return 'none'
  return settings['tls-ca'] !== undefined && settings['tls-verify'] !== false ? 'certificates' : 'encrypted'
}
