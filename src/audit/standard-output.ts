import { close, constants, fdatasync, openSync, write } from 'node:fs'
import { promisify } from 'node:util'
import { type Half, writeRest } from './half.ts'
import { codeOf } from './open-file.ts'
import type { Store, StoreNote } from './queue.ts'

const writeTo = promisify(write)
const syncOf = promisify(fdatasync)
const closeOf = promisify(close)

/** The audit log on standard output. */
export class StandardOutput implements Store {
  readonly name = '-'
  readonly #fd = ownDescriptor()
  #half: Half | undefined

  async ready(): Promise<readonly StoreNote[]> {
    return []
  }

  reopen(): void {
    // Whoever reads it opened it.
  }

  async write(bytes: Buffer, sync: boolean): Promise<void> {
    if (this.#half?.bytes !== bytes) this.#half = { bytes, written: 0, here: 0 }
    await writeRest(this.#half, (rest, offset) => writeTo(this.#fd, rest, offset))
    if (sync) await this.#sync()
    this.#half = undefined
  }

  async close(): Promise<void> {
    if (this.#fd !== 1) await closeOf(this.#fd)
  }

  /** A pipe or a terminal has no disk behind it: the reader has the line, more cannot be asked for. */
  async #sync(): Promise<void> {
    try {
      await syncOf(this.#fd)
    } catch (cause) {
      if (!['EINVAL', 'ENOTSUP', 'EROFS'].includes(codeOf(cause))) throw cause
    }
  }
}

/**
 * Standard output once more, so that writes to a full pipe come back instead of holding a thread up for good, without
 * changing the descriptor that others share. Where it cannot be opened (a socket, or another user's pipe), itself.
 */
function ownDescriptor(): number {
  try {
    return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK)
  } catch (cause) {
    if (['ENXIO', 'EACCES', 'EPERM', 'ENOENT'].includes(codeOf(cause))) return 1
    throw cause
  }
}
