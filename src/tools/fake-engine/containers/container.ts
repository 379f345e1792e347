import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { type JsonObject, objectOf, stringOf } from '../../../api/json/json.ts'
import { type Moment, now } from '../clock.ts'
import type { Events } from '../events.ts'
import { asTexts } from '../recorded.ts'
import { EngineError } from '../wire.ts'
import type { CreateRequest } from './create-request.ts'
import { canStart, Process } from './process.ts'

export interface LogEntry {
  readonly stream: 1 | 2
  readonly at: Moment
  readonly data: Buffer
}

interface Run {
  readonly process: Process
  readonly pid: number
  readonly startedAt: Moment
}

interface Happenings {
  output: [entry: LogEntry]
  exited: [code: number]
  removed: []
}

/** The default network's id, as in the recorded list of networks. */
export const BRIDGE_ID = '5c66f25d554801695b2401afaba01b387f398d62f649fb1784be5ebb20525f0f'

export const newId = (): string => randomBytes(32).toString('hex')

let lastPid = 4000
export const nextPid = (): number => ++lastPid

/** One container: its configuration and its state. */
export class Container extends EventEmitter<Happenings> {
  readonly id = newId()
  readonly created = now()
  readonly config: JsonObject
  readonly hostConfig: JsonObject
  readonly log: LogEntry[] = []
  readonly execs = new Set<string>()
  /** The last part of its address on the bridge network. */
  readonly hostNumber: number
  name: string
  status: 'created' | 'running' | 'exited' = 'created'
  exitCode = 0
  startedAt: Moment = 0n
  finishedAt: Moment = 0n
  pid = 0
  readonly #events: Events
  readonly #early: Buffer[] = []
  #earlyEnd = false
  #run: Run | undefined

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
    return this.status === 'running'
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

  get hostname(): string {
    const given = stringOf(this.config['Hostname'])
    return given === '' ? this.id.slice(0, 12) : given
  }

  /** Records an event about this container, with its image, labels and name, as engines do. */
  happened(action: string, attributes: Readonly<Record<string, string>> = {}): void {
    const labels = Object.entries(objectOf(this.config['Labels'])).map(([name, value]) => [name, stringOf(value)])
    this.#events.add('container', action, this.id, {
      ...attributes,
      ...Object.fromEntries(labels),
      image: stringOf(this.config['Image']),
      name: this.name,
    })
  }

  world(tty = this.tty): { hostname: string; env: string[]; workingDir: string; tty: boolean } {
    const { Env, WorkingDir } = this.config
    return { hostname: this.hostname, env: asTexts(Env), workingDir: stringOf(WorkingDir), tty }
  }

  /** False if already running. */
  start(): boolean {
    if (this.running) return false
    const [command = ''] = this.command
    if (!canStart(command)) {
      throw new EngineError(
        400,
        `failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: ${JSON.stringify(command)}: stat ${command}: no such file or directory`,
      )
    }
    const process = new Process(this.command, this.world(), (stream, data) => this.#print(stream, data))
    const run = { process, pid: nextPid(), startedAt: now() }
    this.#run = run
    Object.assign(this, { status: 'running', pid: run.pid, startedAt: run.startedAt, finishedAt: 0n, exitCode: 0 })
    this.#network('connect')
    this.happened('start')
    for (const chunk of this.#early.splice(0)) process.write(chunk)
    if (this.config['OpenStdin'] !== true || this.#earlyEnd) process.endInput()
    void process.exited.then((code) => this.#finished(run, code))
    return true
  }

  kill(signal: number): void {
    this.happened('kill', { signal: String(signal) })
    this.#run?.process.kill(signal)
  }

  /** Input of an attached client; buffered until the process starts. */
  input(data: Buffer): void {
    if (this.config['OpenStdin'] !== true) return
    if (this.#run === undefined) this.#early.push(data)
    else this.#run.process.write(data)
  }

  endInput(): void {
    if (this.config['StdinOnce'] !== true) return
    this.#earlyEnd = true
    this.#run?.process.endInput()
  }

  /** Resolves with the exit code of the running, or next, process. */
  nextExit(): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>()
    this.once('exited', resolve)
    return promise
  }

  #network(action: 'connect' | 'disconnect'): void {
    if (this.networkMode !== 'bridge') return
    this.#events.add('network', action, BRIDGE_ID, { container: this.id, name: 'bridge', type: 'bridge' })
  }

  #print(stream: 1 | 2, data: Buffer): void {
    const entry = { stream, at: now(), data }
    this.log.push(entry)
    this.emit('output', entry)
  }

  #finished(run: Run, code: number): void {
    if (this.#run !== run) return
    this.#run = undefined
    const at = now()
    Object.assign(this, { status: 'exited', pid: 0, exitCode: code, finishedAt: at })
    const execDuration = String((at - run.startedAt) / 1_000_000_000n)
    this.#network('disconnect')
    this.happened('die', { execDuration, exitCode: String(code) })
    this.emit('exited', code)
  }
}
