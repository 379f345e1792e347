import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { type JsonObject, objectOf, stringOf } from '../../../api/json/json.ts'
import { type Events, type Moment, now, seconds } from '../events.ts'
import { asTexts } from '../recorded.ts'
import type { CreateRequest } from './create-request.ts'
import { Process } from './process.ts'

export interface LogEntry {
  readonly stream: 1 | 2
  readonly data: Buffer
}

interface Happenings {
  output: [entry: LogEntry]
  exited: []
  removed: []
}

/** The default network's id, as in the recorded list of networks. */
export const BRIDGE_ID = '5c66f25d554801695b2401afaba01b387f398d62f649fb1784be5ebb20525f0f'

export const newId = (): string => randomBytes(32).toString('hex')

/** One container: its configuration and its state. */
export class Container extends EventEmitter<Happenings> {
  readonly id = newId()
  readonly created = now()
  readonly config: JsonObject
  readonly hostConfig: JsonObject
  readonly log: LogEntry[] = []
  /** The last part of its address on the bridge network. */
  readonly hostNumber: number
  name: string
  process = new Process()
  startedAt: Moment = 0n
  finishedAt: Moment = 0n
  readonly #events: Events

  constructor(name: string, request: CreateRequest, hostNumber: number, events: Events) {
    super()
    this.setMaxListeners(0)
    this.name = name
    this.config = request.config
    this.hostConfig = request.hostConfig
    this.hostNumber = hostNumber
    this.#events = events
    this.happened('create')
  }

  get running(): boolean {
    return this.process.running
  }

  get status(): 'created' | 'running' | 'exited' {
    return this.running ? 'running' : this.process.started ? 'exited' : 'created'
  }

  get exitCode(): number {
    return this.process.exitCode ?? 0
  }

  get tty(): boolean {
    return this.config['Tty'] === true
  }

  get command(): string[] {
    return [...asTexts(this.config['Entrypoint']), ...asTexts(this.config['Cmd'])]
  }

  get networkMode(): string {
    const mode = stringOf(this.hostConfig['NetworkMode'])
    return mode === '' || mode === 'default' ? 'bridge' : mode
  }

  /** Records an event about this container, with its image, labels and name, as engines do. */
  happened(action: string, attributes: Readonly<Record<string, string>> = {}): void {
    const labels = Object.entries(objectOf(this.config['Labels'])).map(([name, value]) => [name, stringOf(value)])
    this.#events.add(action, this.id, {
      ...attributes,
      ...Object.fromEntries(labels),
      image: stringOf(this.config['Image']),
      name: this.name,
    })
  }

  start(): void {
    if (this.process.started) this.process = new Process()
    this.startedAt = now()
    this.finishedAt = 0n
    const exited = this.process.start(this.command, this.tty, (stream, data) => {
      this.log.push({ stream, data })
      this.emit('output', { stream, data })
    })
    if (this.config['OpenStdin'] !== true) this.process.endInput()
    this.happened('start')
    void exited.then((code) => {
      this.finishedAt = now()
      this.happened('die', { execDuration: String(seconds(this.finishedAt - this.startedAt)), exitCode: String(code) })
      this.emit('exited')
    })
  }

  kill(signal: number): void {
    this.happened('kill', { signal: String(signal) })
    this.process.kill(signal)
  }
}
