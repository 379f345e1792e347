import { constants, type FileHandle, mkdir, open } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { type FileEnd, fileEnd, type Torn } from './last-line.ts'
import type { StoreNote } from './store.ts'

/** For new files: readable by the owner only. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
/** O_NONBLOCK: opening a FIFO without a reader must not hang. It does not affect files. */
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK

export interface OpenFile {
  readonly handle: FileHandle
  readonly inode: number
  readonly regular: boolean
  /** Milliseconds since 1970. */
  readonly born: number
  bytes: number
}

export interface Opened {
  readonly file: OpenFile
  readonly lastLine: Buffer | undefined
  readonly notes: readonly StoreNote[]
}

/**
 * Opens or creates a file for appending, and terminates a torn last line. `known`: the inode of the currently open
 * file, whose last line may still be continued.
 */
export async function openFile(path: string, known?: number): Promise<Opened> {
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
  const handle = await open(path, FLAGS, FILE_MODE)
  try {
    const facts = await handle.stat()
    const regular = facts.isFile()
    const born = facts.size === 0 || facts.birthtimeMs === 0 ? Date.now() : facts.birthtimeMs
    const file = { handle, inode: facts.ino, regular, born, bytes: facts.size }
    if (!regular || facts.size === 0 || facts.ino === known) return { file, lastLine: undefined, notes: [] }
    const end = await endOfFile(path)
    if (end.open) {
      await handle.write('\n')
      file.bytes++
    }
    return { file, lastLine: end.line, notes: end.torn === undefined ? [] : [tornNote(path, end.torn)] }
  } catch (cause) {
    await handle.close()
    throw cause
  }
}

export async function endOfFile(path: string): Promise<FileEnd> {
  const handle = await open(path, 'r')
  try {
    return await fileEnd(handle, (await handle.stat()).size)
  } finally {
    await handle.close()
  }
}

export const tornNote = (path: string, torn: Torn): StoreNote => ({
  stage: 'recovered',
  recovered: { file: basename(path), ...torn },
})

/** Makes a rename durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export const codeOf = (cause: unknown): string => (cause instanceof Error && 'code' in cause ? String(cause.code) : '')
