import { hash } from 'node:crypto'
import { constants, type FileHandle, mkdir, open } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { asJson, isObject } from '../../api/json/json.ts'
import type { StoreNote } from './store.ts'

/** For new files: readable by the owner only. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
/** O_NONBLOCK: opening a FIFO without a reader must not hang. It does not affect files. */
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK

const STEP = 64 * 1024
/** How far back to search for the last line. */
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

interface Opened {
  readonly file: OpenFile
  readonly lastLine: Buffer | undefined
  readonly notes: readonly StoreNote[]
}

/** An incomplete line left by a crash. */
interface Torn {
  readonly bytes: number
  readonly sha256: string
}

interface FileEnd {
  /** The last complete line, without its newline. */
  readonly line: Buffer | undefined
  readonly torn: Torn | undefined
  /** Whether the next line needs a newline before it. */
  readonly open: boolean
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

/** Reads a file backwards up to its last complete line. */
async function fileEnd(file: FileHandle, size: number): Promise<FileEnd> {
  let tail = Buffer.alloc(0)
  let from = size
  while (from > 0 && size - from < BOUND) {
    const length = Math.min(STEP, from)
    from -= length
    const chunk = Buffer.alloc(length)
    await readFully(file, chunk, from)
    tail = Buffer.concat([chunk, tail])
    const end = endOf(tail, from === 0)
    if (end !== undefined) return end
  }
  return endOf(tail, true) ?? { line: undefined, torn: undefined, open: false }
}

async function readFully(file: FileHandle, into: Buffer, position: number): Promise<void> {
  let read = 0
  while (read < into.length) {
    const { bytesRead } = await file.read(into, read, into.length - read, position + read)
    if (bytesRead === 0) return
    read += bytesRead
  }
}

/** Undefined if the last complete line may begin before `tail`. */
function endOf(tail: Buffer, whole: boolean): FileEnd | undefined {
  if (tail.length === 0) return { line: undefined, torn: undefined, open: false }
  const newline = tail.lastIndexOf(NEWLINE)
  const rest = tail.subarray(newline + 1)
  if (newline === -1 && !whole) return undefined
  // A line that lacks only its newline is complete.
  if (rest.length > 0 && isObject(asJson(rest.toString()))) return { line: rest, torn: undefined, open: true }
  const torn = rest.length === 0 ? undefined : { bytes: rest.length, sha256: hash('sha256', rest) }
  if (newline === -1) return { line: undefined, torn, open: rest.length > 0 }
  const before = newline === 0 ? -1 : tail.lastIndexOf(NEWLINE, newline - 1)
  if (before === -1 && !whole) return undefined
  return { line: tail.subarray(before + 1, newline), torn, open: rest.length > 0 }
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
