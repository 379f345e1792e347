import { hash } from 'node:crypto'
import { createReadStream, type Stats } from 'node:fs'
import { constants, type FileHandle, mkdir, open, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { asJson, isObject } from '../../api/json/json.ts'
import { codeOf } from '../../config/text.ts'
import type { StoreNote } from './store.ts'

/** For new files: readable by the owner only. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
/** O_NONBLOCK: opening a FIFO without a reader must not hang. It does not affect files. */
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK

/** How far back to search for the last line: first a little. */
const STEP = 64 * 1024
const BOUND = 32 * 1024 * 1024
const NEWLINE = 0x0a

export interface OpenFile {
  readonly handle: FileHandle
  readonly inode: number
  readonly regular: boolean
  /** Milliseconds since 1970. */
  readonly born: number
  bytes: number
}

interface FileEnd {
  /** The last complete line, without its newline. */
  readonly line: Buffer | undefined
  /** About an incomplete line left by a crash. */
  readonly notes: readonly StoreNote[]
  /** Whether the next line needs a newline before it. */
  readonly open: boolean
}

/** Opens or creates a file for appending, and terminates a torn last line. */
export async function openFile(path: string) {
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
  const handle = await open(path, FLAGS, FILE_MODE)
  try {
    const facts = await handle.stat()
    const regular = facts.isFile()
    const born = facts.size === 0 || facts.birthtimeMs === 0 ? Date.now() : facts.birthtimeMs
    const file: OpenFile = { handle, inode: facts.ino, regular, born, bytes: facts.size }
    if (!regular || facts.size === 0) return { file, lastLine: undefined, notes: [] }
    const end = await endOfFile(path)
    if (end.open) {
      await handle.write('\n')
      file.bytes++
    }
    return { file, lastLine: end.line, notes: end.notes }
  } catch (cause) {
    await handle.close()
    throw cause
  }
}

export async function endOfFile(path: string): Promise<FileEnd> {
  const { size } = await stat(path)
  const end = async (length: number): Promise<Buffer> =>
    await buffer(createReadStream(path, { start: Math.max(0, size - length) }))
  return endOf(path, await end(STEP), size <= STEP) ?? endOf(path, await end(BOUND), true) ?? NOTHING
}

const NOTHING: FileEnd = { line: undefined, notes: [], open: false }

/** Undefined if the last complete line may begin before `tail`. */
function endOf(path: string, tail: Buffer, whole: boolean): FileEnd | undefined {
  const newline = tail.lastIndexOf(NEWLINE)
  const rest = tail.subarray(newline + 1)
  if (newline === -1 && !whole) return undefined
  // A line that lacks only its newline is complete.
  if (rest.length > 0 && isObject(asJson(rest.toString()))) return { line: rest, notes: [], open: true }
  const open = rest.length > 0
  const notes = open ? [tornNote(path, rest)] : []
  if (newline === -1) return { line: undefined, notes, open }
  const before = newline === 0 ? -1 : tail.lastIndexOf(NEWLINE, newline - 1)
  if (before === -1 && !whole) return undefined
  return { line: tail.subarray(before + 1, newline), notes, open }
}

const tornNote = (path: string, torn: Buffer): StoreNote => ({
  stage: 'recovered',
  recovered: { file: basename(path), bytes: torn.length, sha256: hash('sha256', torn) },
})

/** Gives a file the group and mode of the one before: a collector may read by these. Rejects if the group cannot be given. */
export async function allowAsBefore(handle: FileHandle, { mode, gid }: Stats): Promise<void> {
  if ((mode & 0o077) === 0) return
  await handle.chown(-1, gid)
  await handle.chmod(mode & 0o777)
}

/** Makes a rename durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Delay before writing again to a full pipe. */
const FULL_PIPE_MS = 10

/** Where to write, as a FileHandle does. */
export interface Output {
  write(bytes: Buffer, offset: number): Promise<{ readonly bytesWritten: number }>
}

/** Writes all bytes; `progress` counts those written, for a caller that goes on after a rejection. */
export async function writeAll(output: Output, bytes: Buffer, progress: { written: number }): Promise<void> {
  while (progress.written < bytes.length) {
    try {
      progress.written += (await output.write(bytes, progress.written)).bytesWritten
    } catch (cause) {
      if (codeOf(cause) !== 'EAGAIN') throw cause
      await sleep(FULL_PIPE_MS)
    }
  }
}
