import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Log } from '../../config/log.ts'
import { allowAsBefore, endOfFile, type OpenFile, openFile, syncFolder, writeAll } from './open-file.ts'
import { isDue, moveAway, moveBack, newestBeside, prune, type Rotation } from './rotate.ts'
import type { Resumed, Store, StoreNote } from './store.ts'

/** How often to check whether the path still names the open file. */
const LOOK_MS = 1_000
/** Delay after a failed rotation. */
const ROTATE_AGAIN_MS = 60_000

interface FileOptions {
  readonly path: string
  readonly rotation: Rotation
  readonly log: Log
}

/** An audit log in a file with rotation and reopening. Writes must not overlap; the queue ensures that. */
export class AuditFile implements Store {
  readonly name: string
  resumed: Resumed | undefined
  readonly #rotation: Rotation
  readonly #log: Log
  #file: OpenFile
  #reopen = false
  /** A write has failed: nothing is written to the descriptor any more. */
  #broken = false
  #lookedAt = performance.now()
  #rotateFrom = 0
  readonly #notes: StoreNote[]

  private constructor({ path, rotation, log }: FileOptions, file: OpenFile, notes: readonly StoreNote[]) {
    this.name = path
    this.#rotation = rotation
    this.#log = log
    this.#file = file
    this.#notes = [...notes]
  }

  /** Opens or creates the file. Rejects with the system's error. */
  static async open(options: FileOptions): Promise<AuditFile> {
    const { file, notes, lastLine } = await openFile(options.path)
    const store = new AuditFile(options, file, notes)
    store.resumed = lastLine && { lastLine, from: options.path }
    const beside = lastLine === undefined && file.regular ? await newestBeside(options.path) : undefined
    if (beside === undefined) return store
    const end = await endOfFile(beside)
    store.#notes.push(...end.notes)
    store.resumed = end.line && { lastLine: end.line, from: beside }
    return store
  }

  reopen(): void {
    this.#reopen = true
  }

  takeNotes(): readonly StoreNote[] {
    return this.#notes.splice(0)
  }

  async write(bytes: Buffer, sync: boolean): Promise<void> {
    if (this.#reopen || this.#broken || (await this.#gone())) await this.#openAgain()
    const due = performance.now() >= this.#rotateFrom && isDue(this.#rotation, this.#file, bytes.length)
    if (due && this.#file.regular) await this.#rotate()
    const { handle, regular } = this.#file
    const progress = { written: 0 }
    try {
      await writeAll(handle, bytes, progress)
      if (sync && regular) await handle.datasync()
    } catch (cause) {
      this.#broken = true
      // After a failed sync, too: the kernel may have dropped the pages, and a second sync would succeed without them.
      if (regular) await this.#takeBack(progress.written)
      throw cause
    }
    this.#file.bytes += bytes.length
  }

  async close(): Promise<void> {
    await this.#file.handle.close()
  }

  /** Truncates a failed block off the file, unless another process has appended to it. */
  async #takeBack(written: number): Promise<void> {
    const { handle, bytes } = this.#file
    try {
      const { size } = await handle.stat()
      if (size !== bytes + written) throw new Error('another process writes to the file')
      await handle.truncate(bytes)
    } catch (cause) {
      this.#log.warn({ err: cause, file: this.name }, 'the audit file may contain records twice')
    }
  }

  /** Whether the file was moved or removed (logrotate without a signal). */
  async #gone(): Promise<boolean> {
    if (!this.#file.regular || performance.now() - this.#lookedAt < LOOK_MS) return false
    this.#lookedAt = performance.now()
    const found = await stat(this.name).catch(() => undefined)
    if (found?.ino !== this.#file.inode) return true
    this.#file.bytes = found.size // after `copytruncate`
    return false
  }

  /** Keeps writing to the open file if reopening fails, unless that file is broken or deleted. */
  async #openAgain(): Promise<void> {
    const before = this.#file
    this.#reopen = false // may be set again while this awaits
    try {
      const { file, notes } = await openFile(this.name)
      this.#file = file
      this.#notes.push(...notes)
    } catch (cause) {
      if (this.#broken || (await before.handle.stat()).nlink === 0) {
        this.#reopen = true
        throw cause
      }
      this.#log.warn({ err: cause, file: this.name }, 'cannot reopen the audit log; still writing to the old file')
      return
    }
    this.#broken = false
    this.#lookedAt = performance.now()
    await this.#settle(before)
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
    const before = this.#file
    try {
      const access = await before.handle.stat()
      const moved = await moveAway(name)
      await this.#openAgain()
      if (this.#file === before) {
        await moveBack(moved, name)
        throw new Error('no new file can be opened')
      }
      await allowAsBefore(this.#file.handle, access).catch((err: unknown) =>
        this.#log.warn({ err, file: name }, 'only the user of the bridge can read the new audit file'),
      )
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
