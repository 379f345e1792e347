import { createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { messageOf } from '../../config/text.ts'

const NEWLINE = 0x0a
/** Protects the memory against files other than audit logs. */
const LONGEST = 64 * 1024 * 1024

export interface FileLine {
  readonly file: string
  /** Starting at 1. */
  readonly number: number
  /** Without its newline. */
  readonly bytes: Buffer
  /** Whether it ends in a newline. */
  readonly ended: boolean
}

/** Yields the lines of all files in turn, decompressing `.gz` and `.zst`. Rejects with an error that names the file. */
export async function* fileLines(files: readonly string[]): AsyncGenerator<FileLine> {
  for (const file of files) yield* linesOf(file, chunksOf(file))
}

function opened(file: string): Readable {
  const raw = createReadStream(file)
  const unpack = file.endsWith('.gz') ? createGunzip() : file.endsWith('.zst') ? createZstdDecompress() : undefined
  if (unpack === undefined) return raw
  return pipeline(raw, unpack, () => undefined) // the reader gets the error
}

async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  try {
    yield* opened(file) as AsyncIterable<Buffer>
  } catch (cause) {
    // The errors of unpacking and of a read (a folder) do not name it.
    if (cause instanceof Error && 'syscall' in cause) throw Object.assign(cause, { path: file })
    throw new Error(`${file}: ${messageOf(cause)}`, { cause })
  }
}

export async function* linesOf(file: string, stream: AsyncIterable<Buffer>): AsyncGenerator<FileLine> {
  let rest: Buffer[] = []
  let held = 0
  let number = 0
  for await (const chunk of stream) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      const piece = chunk.subarray(from, at)
      yield { file, number: ++number, bytes: rest.length === 0 ? piece : Buffer.concat([...rest, piece]), ended: true }
      rest = []
      held = 0
      from = at + 1
    }
    if (from === chunk.length) continue
    rest.push(chunk.subarray(from))
    held += chunk.length - from
    if (held > LONGEST) throw new Error(`${file}:${number + 1}: not an audit record: the line exceeds ${LONGEST} bytes`)
  }
  if (rest.length > 0) yield { file, number: ++number, bytes: Buffer.concat(rest), ended: false }
}
