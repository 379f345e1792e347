import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../log/open-file.ts'

/** Delay before writing again to a full pipe. */
const FULL_PIPE_MS = 10

/** A batch with the progress of writing it. */
export interface Half {
  readonly bytes: Buffer
  written: number
  /** Bytes of it in the currently open file. */
  here: number
}

/** Writes the rest and updates `half`. Rejects with the system's error. */
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
