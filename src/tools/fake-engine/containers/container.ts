import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { isObject, isUnset, type JsonObject, type JsonValue, objectOf, stringOf } from '../../../api/json/json.ts'
import { type Events, type Moment, now, seconds } from '../events.ts'
import { asTexts } from '../recorded.ts'
import { EngineError } from '../wire.ts'
import { Process } from './process.ts'

/** Members that are lists of strings in Engine 29's Go types; clients of old versions send a single string. */
const CONFIG_LISTS = ['Cmd', 'Entrypoint', 'Env', 'OnBuild', 'Shell']
const HOST_CONFIG_LISTS = ['Binds', 'CapAdd', 'CapDrop', 'DnsSearch', 'ExtraHosts', 'GroupAdd', 'Links', 'SecurityOpt']

export function checkLists(object: JsonObject, names: readonly string[], path: string): void {
  for (const name of names) {
    const value = object[name] ?? null
    if (value === null || Array.isArray(value)) continue
    const message = `cannot unmarshal ${typeof value} into Go struct field ${path}.${name} of type []string`
    throw new EngineError(400, `invalid JSON: json: ${message}`)
  }
}

/** The body of a create request. */
export interface CreateRequest {
  readonly config: JsonObject
  readonly hostConfig: JsonObject
}

export function readCreateRequest(body: JsonValue): CreateRequest {
  if (!isObject(body) || Object.keys(body).length === 0)
    throw new EngineError(400, 'config cannot be empty in order to create a container')
  const { HostConfig, NetworkingConfig: _networking, ...config } = body
  const hostConfig = objectOf(HostConfig)
  checkLists(config, CONFIG_LISTS, 'CreateRequest.Config')
  checkLists(hostConfig, HOST_CONFIG_LISTS, 'HostConfig.HostConfig')
  // Without a command the image's own applies (its recorded Config has `["sh"]`).
  if (isUnset(config['Cmd']) && isUnset(config['Entrypoint'])) config['Cmd'] = ['sh']
  return { config, hostConfig }
}

export interface LogEntry {
  readonly stream: 1 | 2
  readonly data: Buffer
}

interface Happenings {
  output: [entry: LogEntry]
  exited: []
  removed: []
}

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

  constructor(name: string, { config, hostConfig }: CreateRequest, hostNumber: number, events: Events) {
    super()
    this.setMaxListeners(0)
    this.name = name
    this.config = config
    this.hostConfig = hostConfig
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
    const labels = objectOf(this.config['Labels']) as Readonly<Record<string, string>>
    this.#events.add(action, this.id, {
      ...attributes,
      ...labels,
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
