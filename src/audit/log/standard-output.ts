import { close, constants, fdatasync, openSync, write } from 'node:fs'
import { Socket } from 'node:net'
import { promisify } from 'node:util'
import { type Half, writeRest } from '../record/partial-write.ts'
import { codeOf } from './open-file.ts'
import type { Store, StoreNote } from './store.ts'

const writeTo = promisify(write)
const syncOf = promisify(fdatasync)
const closeOf = promisify(close)

/** Where the bytes go, in one of the two ways below. */
interface Way {
  write(bytes: Buffer, offset: number): Promise<{ readonly bytesWritten: number }>
  sync(): Promise<void>
  close(): Promise<void>
}

/** The audit log on standard output. */
export class StandardOutput implements Store {
  readonly name = '-'
  readonly #way = ownDescriptor() ?? sharedSocket() ?? descriptor(1)
  #half: Half | undefined

  async ready(): Promise<readonly StoreNote[]> {
    return []
  }

  reopen(): void {
    // Whoever reads it opened it.
  }

  async write(bytes: Buffer, sync: boolean): Promise<void> {
    if (this.#half?.bytes !== bytes) this.#half = { bytes, written: 0, here: 0 }
    await writeRest(this.#half, (rest, offset) => this.#way.write(rest, offset))
    if (sync) await this.#way.sync()
    this.#half = undefined
  }

  close(): Promise<void> {
    return this.#way.close()
  }
}

/**
 * Standard output once more, so that writes to a full pipe come back instead of holding a thread up for good (the program
 * could not even end), without changing the descriptor that others share. Not possible with a socket, or another user's pipe.
 */
function ownDescriptor(): Way | undefined {
  try {
    return descriptor(openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK))
  } catch (cause) {
    if (['ENXIO', 'EACCES', 'EPERM', 'ENOENT'].includes(codeOf(cause))) return undefined
    throw cause
  }
}

function descriptor(fd: number): Way {
  return {
    write: (bytes, offset) => writeTo(fd, bytes, offset),
    sync: async () => {
      try {
        await syncOf(fd)
      } catch (cause) {
        // A pipe or a terminal has no disk behind it: the reader has the line, more cannot be asked for.
        if (!['EINVAL', 'ENOTSUP', 'EROFS'].includes(codeOf(cause))) throw cause
      }
    },
    close: () => (fd === 1 ? Promise.resolve() : closeOf(fd)),
  }
}

/** The journal of systemd, for one. Undefined when it is neither a socket nor a pipe. */
function sharedSocket(): Way | undefined {
  let socket: Socket
  try {
    socket = new Socket({ fd: 1, readable: false, writable: true })
  } catch (cause) {
    if (cause instanceof TypeError) return undefined
    throw cause
  }
  socket.on('error', () => socket.destroy()) // whose write it was hears it
  return {
    write: (bytes, offset) => {
      const { promise, resolve, reject } = Promise.withResolvers<{ bytesWritten: number }>()
      const rest = bytes.subarray(offset)
      socket.write(rest, (cause) => (cause ? reject(broken(cause)) : resolve({ bytesWritten: rest.length })))
      return promise
    },
    sync: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}

/** What Node says of every write after the first that failed. */
const broken = (cause: Error): Error =>
  codeOf(cause) === 'ERR_STREAM_DESTROYED'
    ? Object.assign(new Error('standard output was closed', { cause }), { code: 'EPIPE' })
    : cause
