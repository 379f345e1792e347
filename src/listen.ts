import { chmod, lstat, unlink } from 'node:fs/promises'
import type { Server } from 'node:http'
import net from 'node:net'
import { type Address, formatAddress } from './engine/address.ts'

const SOCKET_MODE = 0o660
const CLOSED_UMASK = 0o177

/** Starts listening; resolves with the address in use (a TCP port 0 is then known). Rejects with a sentence. */
export async function listen(server: Server, address: Address): Promise<Address> {
  if (address.kind === 'tcp') {
    await started(server, address, () => server.listen(address.port, address.host))
    const bound = server.address()
    return typeof bound === 'object' && bound !== null ? { ...address, port: bound.port } : address
  }
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
  await chmod(address.path, SOCKET_MODE)
  return address
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
