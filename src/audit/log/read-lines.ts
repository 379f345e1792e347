import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'

const NEWLINE = 0x0a
/** More than any record has: a file that is no audit log must not fill the memory. */
const LONGEST = 64 * 1024 * 1024

export interface FileLine {
  readonly file: string
  /** From 1. */
  readonly number: number
  /** Without its newline. */
  readonly bytes: Buffer
  /** Whether a newline follows it. */
  readonly ended: boolean
}

/** The lines of files, one after the other; `.gz` and `.zst` are unpacked. Rejects with the system's error. */
export async function* fileLines(files: readonly string[]): AsyncGenerator<FileLine> {
  for (const file of files) yield* linesOf(file, opened(file))
}

function opened(file: string): Readable {
  const raw = createReadStream(file)
  if (file.endsWith('.gz')) return through(raw, createGunzip())
  if (file.endsWith('.zst')) return through(raw, createZstdDecompress())
  return raw
}

function through(raw: Readable, unpack: Readable & NodeJS.WritableStream): Readable {
  raw.on('error', (cause) => unpack.destroy(cause))
  unpack.once('close', () => raw.destroy())
  raw.pipe(unpack)
  return unpack
}

async function* linesOf(file: string, stream: Readable): AsyncGenerator<FileLine> {
  let rest: Buffer[] = []
  let held = 0
  let number = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
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
    if (held > LONGEST)
      throw new Error(`${file}:${number + 1}: a line of more than ${LONGEST} bytes is no audit record`)
  }
  if (rest.length > 0) yield { file, number: ++number, bytes: Buffer.concat(rest), ended: false }
}
