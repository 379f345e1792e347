import { readFileSync, readlinkSync } from 'node:fs'
import { endianness } from 'node:os'
import type { Environment } from '../../config/process.ts'
import { messageOf } from '../../config/text.ts'
import type { Address } from '../address.ts'

/** Sockets passed by the parent process: `fd://` for all, `fd://3` by number, `fd://NAME` by name. */
export interface Inherited {
  readonly kind: 'inherited'
  readonly which: string
}

export type ListenAddress = Address | Inherited

/** An address to listen on. */
export interface Listening {
  readonly address: Address
  /** The inherited socket that already listens there. */
  readonly fd: number | undefined
}

/** The first file descriptor that systemd passes (sd_listen_fds(3)). */
const FIRST = 3

/** Resolves an `fd://` address. Throws a readable error. */
export function inherit({ which }: Inherited, env: Environment): Listening[] {
  const numbers = /^\d+$/.test(which) ? [Number(which)] : passed(which, env)
  return numbers.map(listeningAt)
}

/** LISTEN_PID names the process the sockets are for: a child must not use those of its parent. */
function passed(which: string, env: Environment): number[] {
  const said = env['LISTEN_FDS'] ?? ''
  const count = /^\d{1,4}$/.test(said) ? Number(said) : 0
  if (count === 0 || Number(env['LISTEN_PID']) !== process.pid)
    throw new Error(`fd://${which}: no socket was passed to this process (LISTEN_FDS, LISTEN_PID)`)
  const names = (env['LISTEN_FDNAMES'] ?? '').split(':')
  const numbers = Array.from({ length: count }, (_, i) => i).filter((i) => which === '' || names[i] === which)
  if (numbers.length === 0) throw new Error(`fd://${which}: the sockets passed are called ${names.join(', ')}`)
  return numbers.map((i) => FIRST + i)
}

/** The socket's kind decides about TLS and access; the kernel's tables have it (proc_net(5)). */
function listeningAt(fd: number): Listening {
  const inode = /^socket:\[(\d+)\]$/.exec(linkOf(fd))?.[1]
  if (inode === undefined) throw new Error(`fd://${fd}: not a socket`)
  const address = unixAddress(inode) ?? tcpAddress('tcp', inode) ?? tcpAddress('tcp6', inode)
  if (address === undefined)
    throw new Error(
      `fd://${fd}: not a listening unix or TCP socket of this network namespace (PrivateNetwork= of systemd makes another)`,
    )
  return { address, fd }
}

function linkOf(fd: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch (cause) {
    throw new Error(`fd://${fd}: ${messageOf(cause)}`, { cause })
  }
}

/** With `ProcSubset=pid` (systemd.exec(5)) there is no /proc/net, only /proc/self/net. */
const rows = (table: string): string[][] =>
  readFileSync(`/proc/self/net/${table}`, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))

/** The flag __SO_ACCEPTCON: a listening socket. */
const ACCEPTS = '00010000'

/** `Num RefCount Protocol Flags Type St Inode Path`; an abstract socket begins with `@`. */
function unixAddress(inode: string): Address | undefined {
  const row = rows('unix').find((columns) => columns[6] === inode && columns[3] === ACCEPTS)
  return row === undefined ? undefined : { kind: 'unix', path: row[7] ?? '' }
}

const LISTENS = '0A'

/** `sl local_address rem_address st … inode`; addresses are 32-bit words in the machine's byte order. */
function tcpAddress(table: string, inode: string): Address | undefined {
  const row = rows(table).find((columns) => columns[9] === inode && columns[3] === LISTENS)
  const [hex = '', port = ''] = row?.[1]?.split(':') ?? []
  if (row === undefined) return undefined
  const words = Array.from({ length: hex.length / 8 }, (_, i) => Buffer.from(hex.slice(i * 8, i * 8 + 8), 'hex'))
  const bytes = Buffer.concat(endianness() === 'LE' ? words.map((word) => word.reverse()) : words)
  const host =
    bytes.length === 4
      ? bytes.join('.')
      : Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(i * 2).toString(16)).join(':')
  return {
    kind: 'tcp',
    host: new URL(`http://${bytes.length === 4 ? host : `[${host}]`}`).hostname.replace(/[[\]]/g, ''),
    port: Number.parseInt(port, 16),
  }
}

/** Resolves inherited sockets, which can be several for one address. */
export const listeningOf = (listen: readonly ListenAddress[], env: Environment): Listening[] =>
  listen.flatMap((one) => (one.kind === 'inherited' ? inherit(one, env) : [{ address: one, fd: undefined }]))
