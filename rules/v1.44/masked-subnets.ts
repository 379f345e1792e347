import { isIP } from 'node:net'

/** The 16-bit groups of an IPv6 address; the last two can be dotted. */
function groupsOf(address: string): number[] {
  const plain = address.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_all, ...bytes) =>
    [0, 2].map((i) => (Number(bytes[i]) * 256 + Number(bytes[i + 1])).toString(16)).join(':'),
  )
  const [before = [], after = []] = plain.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = new Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16))
}

/** Clears the bits after the prefix in a group of `width` bits that starts at bit `at` of the address. */
const kept = (value: number, at: number, width: number, prefix: number): number => {
  const bits = Math.min(width, Math.max(0, prefix - at))
  return value - (value % 2 ** (width - bits))
}

/** The network address of a CIDR, as engines from 25.0 on require it; undefined if it already is one, or is invalid. */
export function maskedCidr(cidr: string): string | undefined {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(cidr) ?? []
  const version = isIP(address)
  const prefix = Number(bits)
  if (version === 0 || prefix > (version === 4 ? 32 : 128)) return undefined
  const was = version === 4 ? address.split('.').map(Number) : groupsOf(address)
  const width = version === 4 ? 8 : 16
  const now = was.map((value, i) => kept(value, i * width, width, prefix))
  if (now.every((value, i) => value === was[i])) return undefined
  if (version === 4) return `${now.join('.')}/${prefix}`
  return `${new URL(`http://[${now.map((group) => group.toString(16)).join(':')}]`).hostname.slice(1, -1)}/${prefix}`
}
