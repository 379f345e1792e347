import { createReadStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { linesOf } from '../../audit/written/read-lines.ts'
import { codeOf } from '../../config/text.ts'

const LOOK_MS = 200
const CHUNK = 64 * 1024
const NEWLINE = 0x0a

/**
 * The last `back` lines of a file, then every line that is added, until `stopped` resolves. Continues in the new file
 * after a rotation, and from the beginning after a truncation (copytruncate).
 */
export async function* follow(path: string, back: number, stopped: Promise<unknown>): AsyncGenerator<string> {
  const state = { stopped: false }
  const stop = stopped.then(() => {
    state.stopped = true
  })
  let file = await open(path, 'r')
  let at = 0
  /** The complete lines from `at` on; an incomplete last line is read again. */
  async function* added(): AsyncGenerator<string> {
    const stream = createReadStream('', { fd: file.fd, autoClose: false, start: at })
    for await (const { bytes, ended } of linesOf(path, stream)) {
      if (!ended) return
      at += bytes.length + 1
      yield bytes.toString()
    }
  }
  try {
    at = await startOfLast(file, back)
    for (;;) {
      yield* added()
      if (state.stopped) return
      const own = await file.stat()
      const named = await stat(path).catch((cause: unknown) => {
        if (codeOf(cause) === 'ENOENT') return own // moved, and the new file not yet created
        throw cause
      })
      if (named.ino !== own.ino) {
        yield* added() // lines written before the rotation
        await file.close()
        file = await open(path, 'r')
        at = 0
      } else if (own.size < at) at = 0
      else await Promise.race([sleep(LOOK_MS), stop])
    }
  } finally {
    await file.close()
  }
}

/** Where the last `lines` lines begin. */
async function startOfLast(file: FileHandle, lines: number): Promise<number> {
  const { size } = await file.stat()
  if (lines === 0) return size
  const chunk = Buffer.alloc(CHUNK)
  let found = 0
  for (let end = size; end > 0; end -= CHUNK) {
    const from = Math.max(0, end - CHUNK)
    await file.read(chunk, 0, end - from, from)
    for (let i = end - from - 1; i >= 0; i--)
      if (chunk[i] === NEWLINE && from + i !== size - 1 && ++found === lines) return from + i + 1
  }
  return 0
}
