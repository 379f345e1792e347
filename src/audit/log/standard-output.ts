import { constants, fdatasync, write } from 'node:fs'
import { open } from 'node:fs/promises'
import { Socket } from 'node:net'
import { promisify } from 'node:util'
import { codeOf } from '../../config/text.ts'
import { type Output, writeAll } from './open-file.ts'
import type { Store } from './store.ts'

const writeTo = promisify(write)
const syncOf = promisify(fdatasync)

/** One of several ways to write, as a FileHandle does. */
interface Way extends Output {
  datasync(): Promise<void>
  close(): Promise<void>
}

export async function openStandardOutput(): Promise<Store> {
  const way = (await ownDescriptor()) ?? sharedSocket() ?? SHARED_FILE
  /** A block that could not be written whole is continued. */
  let begun: { readonly bytes: Buffer; written: number } = { bytes: Buffer.alloc(0), written: 0 }
  const write = async (bytes: Buffer, sync: boolean): Promise<void> => {
    if (begun.bytes !== bytes) begun = { bytes, written: 0 }
    await writeAll(way, bytes, begun)
    if (!sync) return
    try {
      await way.datasync()
    } catch (cause) {
      // Pipes and terminals have nothing to sync.
      if (!['EINVAL', 'ENOTSUP', 'EROFS'].includes(codeOf(cause))) throw cause
    }
  }
  return { name: '-', write, close: () => way.close() }
}

/**
 * Reopens standard output as non-blocking without affecting the shared descriptor, because a blocking write to a full
 * pipe would hold a thread forever and prevent exit. Impossible for a socket or another user's pipe.
 */
async function ownDescriptor(): Promise<Way | undefined> {
  try {
    return await open('/proc/self/fd/1', constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK)
  } catch (cause) {
    if (['ENXIO', 'EACCES', 'EPERM', 'ENOENT'].includes(codeOf(cause))) return undefined
    throw cause
  }
}

/** A file of another user, which cannot be opened again. */
const SHARED_FILE: Way = {
  write: (bytes, offset) => writeTo(1, bytes, offset),
  datasync: () => syncOf(1),
  close: () => Promise.resolve(),
}

/** Standard output as a socket, such as systemd's journal, or a pipe; undefined for anything else. */
function sharedSocket(): Way | undefined {
  let socket: Socket
  try {
    socket = new Socket({ fd: 1, readable: false, writable: true })
  } catch (cause) {
    if (cause instanceof TypeError) return undefined
    throw cause
  }
  socket.on('error', () => socket.destroy()) // the failed write reports it
  return {
    write: (bytes, offset) => {
      const { promise, resolve, reject } = Promise.withResolvers<{ bytesWritten: number }>()
      const rest = bytes.subarray(offset)
      socket.write(rest, (cause) => (cause ? reject(broken(cause)) : resolve({ bytesWritten: rest.length })))
      return promise
    },
    datasync: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}

/** Node's error for writes after the first failed one. */
const broken = (cause: Error): Error =>
  codeOf(cause) === 'ERR_STREAM_DESTROYED'
    ? Object.assign(new Error('standard output was closed', { cause }), { code: 'EPIPE' })
    : cause
