import { chmod, lchown, lstat, unlink } from 'node:fs/promises'
import net, { type Server } from 'node:net'
import type { Config } from './config.ts'
import { type Address, formatAddress } from './engine/address.ts'
import { accountId } from './transport/account.ts'
import type { Place } from './transport/inherited.ts'

/** Who may connect to a unix listener. */
export interface SocketAccess {
  readonly mode: number
  readonly owner?: string | undefined
  readonly group?: string | undefined
}

/** As the settings have it. */
export const socketAccess = (config: Pick<Config, 'socket-mode' | 'socket-owner' | 'socket-group'>): SocketAccess => ({
  mode: config['socket-mode'],
  owner: config['socket-owner'],
  group: config['socket-group'],
})

const DEFAULT_ACCESS: SocketAccess = { mode: 0o660 }
const CLOSED_UMASK = 0o177

/** Starts listening; resolves with the address in use (a TCP port 0 is then known). Rejects with a sentence. */
export async function listen(server: Server, address: Address, access = DEFAULT_ACCESS): Promise<Address> {
  if (address.kind === 'tcp') {
    await started(server, address, () => server.listen(address.port, address.host))
    const bound = server.address()
    return typeof bound === 'object' && bound !== null ? { ...address, port: bound.port } : address
  }
  const ids = await idsOf(access) // before anything is made: a misspelled name leaves nothing behind
  await clearStale(address.path)
  // Bound closed, then widened: between the two nobody but us may connect. bind(2) happens inside listen().
  await started(server, address, () => {
    const umask = process.umask(CLOSED_UMASK)
    try {
      server.listen(address.path)
    } finally {
      process.umask(umask)
    }
  })
  await give(address.path, ids)
  await chmod(address.path, access.mode)
  return address
}

/** The same for a place whose socket may be there already: who made it has given it its owner and mode. */
export async function listenAt(server: Server, { address, fd }: Place, access: SocketAccess): Promise<Address> {
  if (fd === undefined) return listen(server, address, access)
  await started(server, address, () => server.listen({ fd }))
  return address
}

interface Ids {
  readonly uid: number | undefined
  readonly gid: number | undefined
}

async function idsOf({ owner, group }: SocketAccess): Promise<Ids> {
  return {
    uid: owner === undefined ? undefined : await accountId('user', owner),
    gid: group === undefined ? undefined : await accountId('group', group),
  }
}

async function give(path: string, { uid, gid }: Ids): Promise<void> {
  if (uid === undefined && gid === undefined) return
  // -1 leaves as it is (chown(2)); lchown, because a link that somebody put there must not be followed.
  await lchown(path, uid ?? -1, gid ?? -1).catch((cause: Error) => {
    throw new Error(`cannot give unix://${path} to its owner or group: ${cause.message}`, { cause })
  })
}

function started(server: Server, address: Address, begin: () => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', (error) => reject(new Error(`cannot listen on ${formatAddress(address)}: ${error.message}`)))
  server.once('listening', resolve)
  begin()
  return promise
}

/** Removes a socket that nobody serves any more; never anything else. */
async function clearStale(path: string): Promise<void> {
  const found = await lstat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw cause
  })
  if (found === undefined) return
  if (!found.isSocket()) throw new Error(`cannot listen on unix://${path}: there is something else at that path`)
  if (await somebodyServes(path)) throw new Error(`cannot listen on unix://${path}: another process serves it`)
  await unlink(path)
}

function somebodyServes(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const probe = net.connect(path)
  probe.once('connect', () => {
    probe.destroy()
    resolve(true)
  })
  probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'))
  return promise
}
