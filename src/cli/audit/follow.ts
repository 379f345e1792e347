import { type FileHandle, open, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../../audit/log/open-file.ts'

const LOOK_MS = 200
const CHUNK = 64 * 1024
const NEWLINE = 0x0a

interface Followed {
  readonly handle: FileHandle
  readonly inode: number
  at: number
  rest: Buffer
}

/**
 * The last `back` lines of a file, then every line that is added, until `stopped` resolves; goes on in the new file when
 * the name is given to another (rotation), and from the beginning when it is cut (copytruncate).
 */
export async function* follow(path: string, back: number, stopped: Promise<unknown>): AsyncGenerator<string> {
  const state = { stopped: false }
  const stop = stopped.then(() => {
    state.stopped = true
  })
  let file = await opened(path)
  try {
    file.at = await startOfLast(file.handle, back)
    for (;;) {
      yield* added(file)
      if (state.stopped) return
      const next = await successor(path, file)
      if (next !== undefined) {
        yield* added(file) // what was written before the name was another's
        await file.handle.close()
        file = next
      } else await Promise.race([sleep(LOOK_MS), stop])
    }
  } finally {
    await file.handle.close()
  }
}

async function opened(path: string): Promise<Followed> {
  const handle = await open(path, 'r')
  const { ino } = await handle.stat()
  return { handle, inode: ino, at: 0, rest: Buffer.alloc(0) }
}

/** The file that has the name now, when it is another; a file that was cut is read from its beginning. */
async function successor(path: string, file: Followed): Promise<Followed | undefined> {
  try {
    const { ino, size } = await stat(path)
    if (ino !== file.inode) return await opened(path)
    if (size < file.at) {
      file.at = 0
      file.rest = Buffer.alloc(0)
    }
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') throw cause // between moving it away and making it anew
  }
  return undefined
}

async function* added(file: Followed): AsyncGenerator<string> {
  const chunk = Buffer.alloc(CHUNK)
  for (;;) {
    const { bytesRead } = await file.handle.read(chunk, 0, CHUNK, file.at)
    if (bytesRead === 0) return
    file.at += bytesRead
    const text = Buffer.concat([file.rest, chunk.subarray(0, bytesRead)])
    let from = 0
    for (let end = text.indexOf(NEWLINE); end !== -1; end = text.indexOf(NEWLINE, from)) {
      yield text.toString('utf8', from, end)
      from = end + 1
    }
    file.rest = text.subarray(from)
  }
}

/** Where the last `lines` lines begin. */
async function startOfLast(handle: FileHandle, lines: number): Promise<number> {
  const { size } = await handle.stat()
  const chunk = Buffer.alloc(CHUNK)
  let found = 0
  for (let end = size; end > 0; ) {
    const length = Math.min(CHUNK, end)
    const { bytesRead } = await handle.read(chunk, 0, length, end - length)
    for (let i = bytesRead - 1; i >= 0; i--) {
      const last = end - length + i === size - 1
      if (chunk[i] === NEWLINE && !last && ++found === lines) return end - length + i + 1
    }
    end -= length
  }
  return 0
}
