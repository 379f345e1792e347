import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:net'
import { dirname } from 'node:path'
import { type Address, formatAddress } from '../address.ts'
import type { Listening } from './inherited.ts'
import { BoundSocket, closeWithoutOthers, type FileId, type Ids, inPlaceOfStale } from './unix-socket.ts'

/** Permissions of unix sockets, named like their settings. */
interface SocketAccess {
  readonly 'socket-mode': number
  readonly 'socket-owner'?: string | undefined
  readonly 'socket-group'?: string | undefined
}

const DEFAULT_ACCESS: SocketAccess = { 'socket-mode': 0o660 }
const CLOSED_UMASK = 0o177
/** Connections that wait to be accepted, as at engines (Go takes net.core.somaxconn). Node's 511 refuses some of 2,000 clients. */
const BACKLOG = 4096

/** Starts listening and returns the actual address (with the port chosen for port 0). Rejects with a readable error. */
export async function listen(server: Server, address: Address, access = DEFAULT_ACCESS): Promise<Address> {
  if (address.kind === 'tcp') {
    await started(server, address, () => server.listen({ port: address.port, host: address.host, backlog: BACKLOG }))
    const bound = server.address()
    return typeof bound === 'object' && bound !== null ? { ...address, port: bound.port } : address
  }
  const ids = await idsOf(access) // first: an unknown name must not leave a socket behind
  await inPlaceOfStale(address.path, () => bind(server, address, ids, access['socket-mode']))
  return address
}

/** Starts each server on its listener. */
export const listenAll = (
  servers: readonly Server[],
  listening: readonly Listening[],
  access: SocketAccess,
): Promise<Address[]> =>
  Promise.all(listening.flatMap((one, i) => (servers[i] === undefined ? [] : [listenAt(servers[i], one, access)])))

/** Binds with mode 0600 and widens it afterwards, so that no other user can connect in between. */
const bind = (server: Server, address: Address & { kind: 'unix' }, ids: Ids, mode: number): Promise<void> =>
  started(server, address, () => {
    const umask = process.umask(CLOSED_UMASK)
    try {
      server.listen({ path: address.path, backlog: BACKLOG }) // bind(2) happens in it
    } finally {
      process.umask(umask)
    }
    if (server.listening) openToOthers(server, address.path, ids, mode)
  })

/** Closing the server must remove its own socket only: another process may have bound the path since. */
function openToOthers(server: Server, path: string, ids: Ids, mode: number): void {
  let own: FileId | undefined
  const close = server.close.bind(server)
  server.close = (done) => {
    if (server.listening) closeWithoutOthers(path, own, () => close(done))
    else close(done)
    return server
  }
  const socket = new BoundSocket(path)
  own = socket.file
  try {
    socket.give(ids)
    socket.open(mode)
  } finally {
    socket.close()
  }
}

/** Also takes an inherited socket, whose owner and mode are up to the parent process. */
async function listenAt(server: Server, { address, fd }: Listening, access: SocketAccess): Promise<Address> {
  if (fd === undefined) return listen(server, address, access)
  await started(server, address, () => server.listen({ fd }))
  return address
}

async function idsOf({ 'socket-owner': owner, 'socket-group': group }: SocketAccess): Promise<Ids> {
  return {
    uid: owner === undefined ? undefined : await accountId('user', owner),
    gid: group === undefined ? undefined : await accountId('group', group),
  }
}

/** One more is -1: unchanged (chown(2)). */
const MAX_ID = 2 ** 32 - 2

/** The id of a user or group given by number or name. Node has no getpwnam. */
async function accountId(kind: 'user' | 'group', said: string): Promise<number> {
  if (/^\d+$/.test(said) && Number(said) <= MAX_ID) return Number(said)
  const file = kind === 'user' ? '/etc/passwd' : '/etc/group'
  const lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.split(':'))
  const id = lines.find(([name]) => name === said)?.[2]
  if (id === undefined) throw new Error(`no ${kind} ${said} in ${file}; give a name from there or a number`)
  return Number(id)
}

/** For a missing directory libuv reports EACCES (uv_pipe_bind2). */
function reason({ message }: Error, address: Address): string {
  if (address.kind !== 'unix' || existsSync(dirname(address.path))) return message
  return `there is no directory ${dirname(address.path)}`
}

function started(server: Server, address: Address, begin: () => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // `on`: a connection that cannot be accepted later, for want of descriptors, must not end the process.
  server.on('error', (error) =>
    reject(new Error(`cannot listen on ${formatAddress(address)}: ${reason(error, address)}`)),
  )
  server.once('listening', resolve)
  begin()
  return promise
}
