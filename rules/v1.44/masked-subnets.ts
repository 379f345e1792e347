import { isIP } from 'node:net'

/** An address as one number; the last two groups of an IPv6 address can be dotted, and `::` stands for zeros. */
function numberOf(address: string, version: number): bigint {
  if (version === 4) return address.split('.').reduce((all, byte) => all * 256n + BigInt(byte), 0n)
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [before = [], after = []] = plain.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = new Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].reduce((all, group) => all * 65_536n + BigInt(`0x${group}`), 0n)
}

function addressOf(number: bigint, version: number): string {
  const digits = number.toString(16).padStart(version === 4 ? 8 : 32, '0')
  if (version === 4) return (digits.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)).join('.')
  return new URL(`http://[${(digits.match(/..../g) ?? []).join(':')}]`).hostname.slice(1, -1)
}

/** The network address of a CIDR, as engines from 25.0 on require it; undefined if it already is one, or is invalid. */
export function maskedCidr(cidr: string): string | undefined {
  const [, address = '', prefix = ''] = /^([^/%]+)\/(\d{1,3})$/.exec(cidr) ?? []
  const version = isIP(address)
  const hostBits = (version === 4 ? 32 : 128) - Number(prefix)
  if (version === 0 || hostBits < 0) return undefined
  const was = numberOf(address, version)
  const now = (was >> BigInt(hostBits)) << BigInt(hostBits)
  return now === was ? undefined : `${addressOf(now, version)}/${Number(prefix)}`
}
