import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Log } from '../../config/log.ts'
import { type Half, writeRest } from '../record/partial-write.ts'
import { codeOf, endOfFile, type OpenFile, openFile, syncFolder, tornNote } from './open-file.ts'
import { isDue, moveAway, newestBeside, prune, type Rotation } from './rotate.ts'
import type { Store, StoreNote } from './store.ts'

/** How often to check whether the path still names the open file. */
const LOOK_MS = 1_000
/** Delay after a failed rotation. */
const ROTATE_AGAIN_MS = 60_000
const NEWLINE = 0x0a
/** Errors after which the same descriptor may still work. */
const SAME_DESCRIPTOR = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EINTR'])

interface FileOptions {
  readonly path: string
  readonly rotation: Rotation
  readonly log: Log
}

/** The end of an existing log, which a chain continues. */
export interface Resumed {
  readonly lastLine: Buffer | undefined
  readonly from: string | undefined
}

/** An audit log in a file with rotation and reopening. Writes must not overlap; the queue ensures that. */
export class AuditFile implements Store {
  readonly name: string
  readonly #rotation: Rotation
  readonly #log: Log
  #file: OpenFile
  #reopen = false
  #broken = false
  #lookedAt = performance.now()
  #rotateFrom = 0
  #notes: StoreNote[]
  #half: Half | undefined

  private constructor({ path, rotation, log }: FileOptions, file: OpenFile, notes: readonly StoreNote[]) {
    this.name = path
    this.#rotation = rotation
    this.#log = log
    this.#file = file
    this.#notes = [...notes]
  }

  /** Opens or creates the file. Rejects with the system's error. */
  static async open(options: FileOptions): Promise<{ store: AuditFile; resumed: Resumed }> {
    const { file, notes, lastLine } = await openFile(options.path)
    const store = new AuditFile(options, file, notes)
    if (lastLine !== undefined || !file.regular) return { store, resumed: { lastLine, from: options.path } }
    const beside = await newestBeside(options.path)
    if (beside === undefined) return { store, resumed: { lastLine: undefined, from: undefined } }
    const end = await endOfFile(beside)
    if (end.torn !== undefined) store.#notes.push(tornNote(beside, end.torn))
    return { store, resumed: { lastLine: end.line, from: beside } }
  }

  reopen(): void {
    this.#reopen = true
  }

  async ready(coming: number): Promise<readonly StoreNote[]> {
    if (this.#reopen || (await this.#gone())) await this.#openAgainIfPossible()
    if (this.#file.regular && performance.now() >= this.#rotateFrom && isDue(this.#rotation, this.#file, coming))
      await this.#rotate()
    return this.#notes.splice(0)
  }

  async write(bytes: Buffer, sync: boolean): Promise<void> {
    const again = this.#half?.bytes === bytes
    if (this.#broken || (again && (this.#reopen || (await this.#gone())))) await this.#openAgain()
    if (this.#half?.bytes !== bytes) this.#half = { bytes, written: 0, here: 0 }
    const half = this.#half
    const before = half.here
    try {
      await writeRest(half, (rest, offset) => this.#file.handle.write(rest, offset))
    } catch (cause) {
      this.#broken = !SAME_DESCRIPTOR.has(codeOf(cause))
      throw cause
    } finally {
      this.#file.bytes += half.here - before
    }
    if (sync) await this.#sync(half)
    this.#half = undefined
  }

  async close(): Promise<void> {
    await this.#file.handle.close()
  }

  async #sync(half: Half): Promise<void> {
    if (!this.#file.regular) return
    try {
      await this.#file.handle.datasync()
    } catch (cause) {
      // The kernel may have dropped the pages, after which a second sync would succeed: write them again.
      await this.#takeBack(half)
      throw cause
    }
  }

  /** Truncates the batch off this file, unless another process has appended to it. */
  async #takeBack(half: Half): Promise<void> {
    const { handle, bytes } = this.#file
    const start = bytes - half.here
    half.written -= half.here
    half.here = 0
    this.#broken = true
    try {
      const { size } = await handle.stat()
      if (size !== bytes) throw new Error('another process writes to the file')
      await handle.truncate(start)
      this.#file.bytes = start
    } catch (cause) {
      this.#log.warn({ err: cause, file: this.name }, 'the audit file may contain records twice')
    }
  }

  /** Whether the file was moved or removed (logrotate without a signal). */
  async #gone(): Promise<boolean> {
    if (!this.#file.regular || performance.now() - this.#lookedAt < LOOK_MS) return false
    this.#lookedAt = performance.now()
    try {
      const { ino, size } = await stat(this.name)
      if (ino !== this.#file.inode) return true
      this.#file.bytes = size // after `copytruncate`
      return false
    } catch (cause) {
      if (codeOf(cause) === 'ENOENT') return true
      throw cause
    }
  }

  /** Keeps writing to the open file if reopening fails, unless that file is deleted. */
  async #openAgainIfPossible(): Promise<void> {
    try {
      await this.#openAgain()
    } catch (cause) {
      if ((await this.#file.handle.stat()).nlink === 0) throw cause
      this.#reopen = false // #gone retries
      this.#log.warn({ err: cause, file: this.name }, 'cannot reopen the audit log; still writing to the old file')
    }
  }

  async #openAgain(): Promise<void> {
    const before = this.#file
    this.#reopen = false // may be set again while this awaits
    const { file, notes } = await openFile(this.name, before.inode).catch((cause: unknown) => {
      this.#reopen = true
      throw cause
    })
    this.#file = file
    this.#broken = false
    this.#lookedAt = performance.now()
    this.#notes.push(...notes)
    if (file.inode !== before.inode && this.#half !== undefined) await this.#moveHalfLine(before, this.#half)
    await this.#settle(before)
  }

  /** Moves a partly written line from the old file to the new one. */
  async #moveHalfLine(before: OpenFile, half: Half): Promise<void> {
    const lineStart = half.written === 0 ? 0 : half.bytes.lastIndexOf(NEWLINE, half.written - 1) + 1
    const begun = half.written - lineStart
    half.written = lineStart
    half.here = 0
    if (begun === 0 || !before.regular) return
    try {
      const { size } = await before.handle.stat()
      if (size === before.bytes) await before.handle.truncate(size - begun)
    } catch (cause) {
      this.#log.warn({ err: cause, file: this.name }, 'the last line of the old audit file is repeated in the new one')
    }
  }

  /** Syncs and closes the old file. */
  async #settle(before: OpenFile): Promise<void> {
    try {
      if (before.regular) await before.handle.datasync()
    } catch (cause) {
      this.#log.warn({ err: cause, file: this.name }, 'the previous audit file may not be on disk')
    } finally {
      await before.handle.close()
    }
  }

  async #rotate(): Promise<void> {
    const { name } = this
    try {
      const moved = await moveAway(name)
      await this.#openAgain()
      await syncFolder(dirname(name))
      this.#log.info({ file: name, moved }, 'rotated the audit log')
      if (this.#rotation.keep === undefined) return
      for (const removed of await prune(name, this.#rotation.keep))
        this.#log.info({ file: removed }, 'removed an old audit log')
    } catch (cause) {
      this.#rotateFrom = performance.now() + ROTATE_AGAIN_MS
      this.#log.warn({ err: cause, file: name }, 'cannot rotate the audit log; still writing to the same file')
    }
  }
}
