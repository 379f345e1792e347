import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { asJson, objectOf } from '../../api/json/json.ts'
import type { Log } from '../../config/log.ts'
import type { SessionTreatment } from '../audit.ts'
import { type CallObserver, type MessageSide, type ResponseHead, SILENT } from '../observer.ts'
import { plainPath } from '../redact/secrets.ts'
import type { Observer, Watched } from '../watched.ts'
import { type CastFile, castFile } from './cast-file.ts'
import { Demultiplexer, formatOf } from './demultiplexer.ts'

/** If the size of the terminal is unknown. */
const UNSAID = { width: 80, height: 24 }
/** Exec start bodies, which ask for a terminal, are small. */
const MAX_BODY = 64 * 1024

/** Open sessions by the target of a resize: `exec 4f5e…`, `container web`. */
type Open = Map<string, Set<Session>>

/** Records sessions selected by the audit policy. Rejects if the directory cannot be created. */
export async function sessionRecorder(folder: string, log: Pick<Log, 'error'>): Promise<Observer> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const open: Open = new Map()
  return (watched) => {
    const key = keyOf(watched)
    if (key === undefined) return undefined
    const { operation, treatment, decision } = watched.entry
    if (operation === 'ExecResize' || operation === 'ContainerResize')
      return open.has(key) ? resizing(watched, open.get(key)) : undefined
    if (treatment.sessions === undefined || decision?.lane !== 'tunnel') return undefined
    return new Session({ watched, treatment: treatment.sessions, folder, log, open, key })
  }
}

function keyOf({ entry: { operation }, call }: Watched): string | undefined {
  const { name, id } = call.match?.params ?? {}
  if (operation === 'ExecStart' || operation === 'ExecResize') return `exec ${id}`
  if (operation === 'ContainerAttach' || operation === 'ContainerResize') return `container ${name}`
  return undefined
}

/** Adds a successful resize to the sessions it applies to. */
function resizing({ call }: Watched, sessions: ReadonlySet<Session> = new Set()): CallObserver {
  const query = new URLSearchParams(call.search)
  const [width, height] = [Number(query.get('w')), Number(query.get('h'))]
  const response: CallObserver['response'] = (side, { status }) => {
    if (side === 'clientResponse' && status < 400 && width > 0 && height > 0)
      for (const session of sessions) session.resized(width, height)
  }
  return { ...SILENT, response }
}

interface Recording {
  readonly watched: Watched
  readonly treatment: SessionTreatment
  readonly folder: string
  readonly log: Pick<Log, 'error'>
  readonly open: Open
  readonly key: string
}

/** An exec or attach session. */
class Session implements CallObserver {
  readonly #recording: Recording
  /** Chunks may end within a character. */
  readonly #decoders = [new StringDecoder(), new StringDecoder(), new StringDecoder()] as const
  readonly #typed = new StringDecoder()
  #body: Buffer[] = []
  #file: CastFile | undefined
  /** Undefined until the stream's format is known. */
  #frames: Demultiplexer | 'plain' | undefined
  #start: Buffer = Buffer.alloc(0)

  constructor(recording: Recording) {
    this.#recording = recording
  }

  /** The audit record has it. */
  readonly request = SILENT.request

  body(side: MessageSide, chunk: Buffer): void {
    if (side === 'engineRequest' && chunk.length <= MAX_BODY) this.#body.push(Buffer.from(chunk))
  }

  /** Called for the head that opens the tunnel. Errors and detached execs are not recorded. */
  response(side: 'engineResponse' | 'clientResponse', { status, headers }: ResponseHead): void {
    if (side !== 'engineResponse' || status >= 400) return
    const multiplexed = headers.get('content-type') === 'application/vnd.docker.multiplexed-stream'
    const { Tty, ConsoleSize } = objectOf(asJson(Buffer.concat(this.#body).toString())) // attach has no body
    if (multiplexed || Tty === false) this.#frames = new Demultiplexer()
    else if (Tty === true) this.#frames = 'plain'
    const [height, width] = Array.isArray(ConsoleSize) ? ConsoleSize.map(Number) : []
    this.#open(width && height ? { width, height } : UNSAID)
  }

  stream(from: 'client' | 'engine', chunk: Buffer): void {
    if (from === 'engine') this.#output(chunk)
    else if (this.#recording.treatment.input) this.#file?.event('i', this.#typed.write(chunk))
  }

  over(): void {
    const { open, key } = this.#recording
    const sessions = open.get(key)
    sessions?.delete(this)
    if (sessions?.size === 0) open.delete(key)
    if (this.#start.length > 0) this.#show(0, this.#start, false) // too short for a frame
    this.#file?.end()
  }

  resized(width: number, height: number): void {
    this.#file?.event('r', `${width}x${height}`)
  }

  #open(size: { width: number; height: number }): void {
    const { watched, treatment, folder, log, open, key } = this.#recording
    const { entry, call } = watched
    const name = `${entry.id}.cast`
    const title = `${call.method} ${plainPath(call.path)}`
    const header = { ...size, timestamp: Math.floor(Date.now() / 1000), title }
    this.#file = castFile(join(folder, name), treatment.limit, header, log)
    entry.session = name
    open.set(key, (open.get(key) ?? new Set()).add(this))
  }

  #output(chunk: Buffer): void {
    if (this.#file === undefined) return
    let bytes = chunk
    if (this.#frames === undefined) {
      // Attach before 1.42 does not declare it.
      bytes = Buffer.concat([this.#start, chunk])
      this.#frames = formatOf(bytes)
      this.#start = this.#frames === undefined ? bytes : Buffer.alloc(0)
    }
    if (this.#frames === 'plain') this.#show(0, bytes, false)
    else for (const piece of this.#frames?.push(bytes) ?? []) this.#show(piece.stream, piece.bytes, true)
  }

  /** Adds the carriage returns that a terminal would, for players. */
  #show(stream: number, bytes: Buffer, plain: boolean): void {
    const text = (this.#decoders[stream] ?? this.#decoders[0]).write(bytes)
    this.#file?.event('o', plain ? text.replace(/\r?\n/g, '\r\n') : text)
  }
}
