import { createWriteStream, type WriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
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

/** A recorded session. The file ends in `.part` until it is complete. */
export class CastFile {
  readonly name: string
  readonly #folder: string
  readonly #limit: number
  readonly #log: Pick<Log, 'error'>
  readonly #started = performance.now()
  readonly #out: WriteStream
  #bytes = 0
  #cut = false

  constructor(folder: string, name: string, limit: number, header: CastHeader, log: Pick<Log, 'error'>) {
    this.#folder = folder
    this.name = name
    this.#limit = limit
    this.#log = log
    this.#out = createWriteStream(join(folder, `${name}.part`), { flags: 'wx', mode: 0o600 })
    this.#out.on('error', (err) => {
      this.#cut = true
      log.error({ err, session: name }, 'cannot record a session')
    })
    this.#write(`${JSON.stringify({ version: 2, ...header })}\n`)
  }

  event(code: EventCode, data: string): void {
    if (this.#cut || data === '') return
    const seconds = (performance.now() - this.#started) / 1000
    const line = eventLine(seconds, code, data)
    const why =
      this.#bytes + Buffer.byteLength(line) > this.#limit
        ? 'limit'
        : this.#out.writableLength > WAITING
          ? 'disk'
          : undefined
    if (why === undefined) {
      this.#write(line)
      return
    }
    this.#cut = true
    this.#write(eventLine(seconds, 'm', CUT[why]))
  }

  /** Ends the file and renames it. */
  end(): void {
    this.#out.end(() => {
      rename(join(this.#folder, `${this.name}.part`), join(this.#folder, this.name)).catch((err: unknown) =>
        this.#log.error({ err, session: this.name }, 'cannot rename the file of a recorded session'),
      )
    })
  }

  #write(line: string): void {
    this.#bytes += Buffer.byteLength(line)
    this.#out.write(line)
  }
}
