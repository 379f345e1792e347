import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Log } from '../../config/log.ts'

/** The header line of an asciicast v2 file; one event per line follows (docs.asciinema.org/manual/asciicast/v2). */
interface CastHeader {
  readonly width: number
  readonly height: number
  /** Start, in seconds since 1970. */
  readonly timestamp: number
  readonly title: string
}

/** `o`: output, `i`: input, `r`: resize, `m`: marker. */
type EventCode = 'o' | 'i' | 'r' | 'm'

const eventLine = (seconds: number, code: EventCode, data: string): string =>
  `[${seconds.toFixed(6)}, "${code}", ${JSON.stringify(data)}]\n`

/** Bytes buffered for the disk. A session never waits for its recording, which is cut instead. */
const WAITING = 4 << 20

/** Markers that explain an incomplete recording. */
const CUT = { limit: 'cut: the recording has reached its limit', disk: 'cut: the disk is too slow' } as const

/** A recorded session. */
export interface CastFile {
  event(code: EventCode, data: string): void
  /** Ends the file and renames it. */
  end(): void
}

/** The file `path`, which ends in `.part` until it is complete. */
export function castFile(path: string, limit: number, header: CastHeader, log: Pick<Log, 'error'>): CastFile {
  const session = basename(path)
  const started = performance.now()
  const out = createWriteStream(`${path}.part`, { flags: 'wx', mode: 0o600 })
  let bytes = 0
  let isCut = false
  out.on('error', (err) => {
    isCut = true
    log.error({ err, session }, 'cannot record a session')
  })
  const write = (line: string): void => {
    bytes += Buffer.byteLength(line)
    out.write(line)
  }
  write(`${JSON.stringify({ version: 2, ...header })}\n`)
  return {
    event: (code, data) => {
      if (isCut || data === '') return
      const seconds = (performance.now() - started) / 1000
      const line = eventLine(seconds, code, data)
      const isFull = bytes + Buffer.byteLength(line) > limit
      isCut = isFull || out.writableLength > WAITING
      write(isCut ? eventLine(seconds, 'm', isFull ? CUT.limit : CUT.disk) : line)
    },
    end: () =>
      void out.end(() => {
        rename(`${path}.part`, path).catch((err: unknown) =>
          log.error({ err, session }, 'cannot rename the file of a recorded session'),
        )
      }),
  }
}
