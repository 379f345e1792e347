import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../log/open-file.ts'

/** How long a reader that is behind (a full pipe) is left to itself before the next try. */
const FULL_PIPE_MS = 10

/** A batch on its way: what of it has been written, and goes on from there after an error. */
export interface Half {
  readonly bytes: Buffer
  written: number
  /** Of what is written, how much is in the file that is open now. */
  here: number
}

/** Writes the rest. Rejects with the system's error; `half` then says how far it came. */
export async function writeRest(
  half: Half,
  write: (bytes: Buffer, offset: number) => Promise<{ readonly bytesWritten: number }>,
): Promise<void> {
  while (half.written < half.bytes.length) {
    try {
      const { bytesWritten } = await write(half.bytes, half.written)
      half.written += bytesWritten
      half.here += bytesWritten
    } catch (cause) {
      if (codeOf(cause) !== 'EAGAIN') throw cause
      await sleep(FULL_PIPE_MS)
    }
  }
}
