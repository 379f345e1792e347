import { closeSync, ftruncateSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { asPlainJson, codeOf, messageOf } from '../../config/text.ts'

/** Readable by its owner only: it has the names of containers and what they run. */
const FILE_MODE = 0o600

/** A new file of JSON lines. Where one cannot be written it ends with the line before. */
export class RecordingFile {
  readonly #path: string
  readonly #fd: number
  readonly #told: (problem: string) => void
  readonly #write: (fd: number, text: string) => void
  #problem: string | undefined
  #lines = 0
  #bytes = 0

  /** `told` hears at once why no further line is written. */
  constructor(
    path: string,
    told: (problem: string) => void,
    write: (fd: number, text: string) => void = writeFileSync, // all of it: writeSync may write a part
  ) {
    this.#path = path
    this.#told = told
    this.#write = write
    this.#fd = created(path)
  }

  /** Without the first line, which tells of the recording. */
  get calls(): number {
    return Math.max(0, this.#lines - 1)
  }

  add(value: object): void {
    if (this.#problem !== undefined) return
    const line = `${asPlainJson(JSON.stringify(value))}\n`
    try {
      this.#write(this.#fd, line)
      this.#lines++
      this.#bytes += Buffer.byteLength(line)
    } catch (cause) {
      this.#problem = `cannot write ${this.#path}: ${messageOf(cause)}; it ends with line ${this.#lines}`
      ftruncateSync(this.#fd, this.#bytes)
      this.#told(this.#problem)
    }
  }

  /** Throws if a line is missing. */
  close(): void {
    closeSync(this.#fd)
    if (this.#problem !== undefined) throw new Error(this.#problem)
  }

  /** A recording that never began must not be in the way of the next. */
  abandon(): void {
    closeSync(this.#fd)
    if (this.calls === 0) rmSync(this.#path)
  }
}

function created(file: string): number {
  try {
    return openSync(file, 'wx', FILE_MODE)
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') throw new Error(`${file} already exists: a recording needs a new file`, { cause })
    throw cause
  }
}
