import { hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

const STEP = 64 * 1024
/** How far back to search for the last line. */
const BOUND = 32 * 1024 * 1024
const NEWLINE = 0x0a

/** An incomplete line left by a crash. */
export interface Torn {
  readonly bytes: number
  readonly sha256: string
}

export interface FileEnd {
  /** The last complete line, without its newline. */
  readonly line: Buffer | undefined
  readonly torn: Torn | undefined
  /** Whether the next line needs a newline before it. */
  readonly open: boolean
}

/** Reads a file backwards up to its last complete line. */
export async function fileEnd(file: FileHandle, size: number): Promise<FileEnd> {
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
  if (rest.length > 0 && isObject(rest)) return { line: rest, torn: undefined, open: true }
  const torn = rest.length === 0 ? undefined : { bytes: rest.length, sha256: hash('sha256', rest) }
  if (newline === -1) return { line: undefined, torn, open: rest.length > 0 }
  const before = newline === 0 ? -1 : tail.lastIndexOf(NEWLINE, newline - 1)
  if (before === -1 && !whole) return undefined
  return { line: tail.subarray(before + 1, newline), torn, open: rest.length > 0 }
}

function isObject(bytes: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return typeof value === 'object' && value !== null
  } catch (cause) {
    if (cause instanceof SyntaxError) return false
    throw cause
  }
}
