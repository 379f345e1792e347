import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isObject, isUnset, type JsonObject, type JsonValue, listOf, objectOf, stringOf } from '../../api/json/json.ts'
import type { OperationName } from '../../api/operations.ts'
import type { ApiVersion } from '../../api/version.ts'
import { Process } from './process.ts'
import { EngineError } from './wire.ts'

/** One parsed request. */
export interface Route {
  readonly operation: OperationName
  readonly req: IncomingMessage
  readonly version: ApiVersion
  /** `name` or `id` of the path. */
  readonly target: string
  readonly query: URLSearchParams
  readonly store: Store
}

export type Handler = (call: Route & { readonly res: ServerResponse }) => void | Promise<void>
export type Handlers = Readonly<Partial<Record<OperationName, Handler>>>

/** Something that happened to a container. `at`: milliseconds since 1970. */
export interface EventRecord {
  readonly at: number
  readonly action: string
  readonly id: string
  readonly attributes: Readonly<Record<string, string>>
}

export interface Exec {
  readonly id: string
  readonly container: Container
  readonly config: JsonObject
  readonly process: Process
}

/** Members that are lists of strings in Engine 29's Go types; clients of old versions send a single string. */
const CONFIG_LISTS = ['Cmd', 'Entrypoint', 'Env', 'OnBuild', 'Shell']
const HOST_CONFIG_LISTS = ['Binds', 'CapAdd', 'CapDrop', 'DnsSearch', 'ExtraHosts', 'GroupAdd', 'Links', 'SecurityOpt']

function checkLists(object: JsonObject, names: readonly string[], path: string): void {
  for (const name of names) {
    const value = object[name] ?? null
    if (value === null || Array.isArray(value)) continue
    const message = `cannot unmarshal ${typeof value} into Go struct field ${path}.${name} of type []string`
    throw new EngineError(400, `invalid JSON: json: ${message}`)
  }
}

export const texts = (value: JsonValue | undefined): string[] =>
  listOf(value).filter((item) => typeof item === 'string')

/** Rejects all images but the only one with the error that makes clients pull. */
export function checkImage(name: string): void {
  if (/^(?:(?:docker\.io\/library\/)?busybox(?::latest)?|(?:sha256:)?797b7157c2c4[0-9a-f]*)$/.test(name)) return
  throw new EngineError(404, `No such image: ${name.includes(':') ? name : `${name}:latest`}`)
}

const newId = (): string => randomBytes(32).toString('hex')

/** One container: its configuration, state and execs. */
export class Container {
  readonly id = newId()
  readonly created = new Date()
  readonly config: JsonObject
  readonly hostConfig: JsonObject
  readonly execs = new Map<string, Exec>()
  readonly name: string
  process: Process
  startedAt: Date | undefined
  finishedAt: Date | undefined
  readonly #tell: (record: EventRecord) => void

  /** `body`: of the create request. */
  constructor(name: string, body: JsonValue, tell: (record: EventRecord) => void) {
    if (!isObject(body) || Object.keys(body).length === 0)
      throw new EngineError(400, 'config cannot be empty in order to create a container')
    const { HostConfig, NetworkingConfig: _networking, ...config } = body
    this.name = name
    this.config = config
    this.hostConfig = objectOf(HostConfig)
    this.#tell = tell
    checkLists(this.config, CONFIG_LISTS, 'CreateRequest.Config')
    checkLists(this.hostConfig, HOST_CONFIG_LISTS, 'HostConfig.HostConfig')
    checkImage(stringOf(config['Image']))
    // Without a command the image's own applies (its recorded Config has `["sh"]`).
    if (isUnset(config['Cmd']) && isUnset(config['Entrypoint'])) config['Cmd'] = ['sh']
    this.process = new Process(config['Tty'] === true)
    this.happened('create')
  }

  get status(): 'created' | 'running' | 'exited' {
    return this.process.running ? 'running' : this.process.started ? 'exited' : 'created'
  }

  get command(): string[] {
    return [...texts(this.config['Entrypoint']), ...texts(this.config['Cmd'])]
  }

  /** Records an event about this container, with its image, labels and name, as engines do. */
  happened(action: string, attributes: Readonly<Record<string, string>> = {}): void {
    const labels = objectOf(this.config['Labels']) as Readonly<Record<string, string>>
    const about = { ...attributes, ...labels, image: stringOf(this.config['Image']), name: this.name }
    this.#tell({ at: Date.now(), action, id: this.id, attributes: about })
  }

  start(): void {
    if (this.process.started) this.process = new Process(this.process.tty)
    const startedAt = new Date()
    this.startedAt = startedAt
    this.process.once('exited', (code) => {
      this.finishedAt = new Date()
      for (const exec of this.execs.values()) exec.process.end(137)
      const execDuration = String(Math.trunc((this.finishedAt.getTime() - startedAt.getTime()) / 1000))
      this.happened('die', { execDuration, exitCode: String(code) })
    })
    this.process.start(this.command)
    if (this.config['OpenStdin'] !== true) this.process.input.end()
    this.happened('start')
  }

  kill(signal: number): void {
    this.happened('kill', { signal: String(signal) })
    this.process.end(128 + signal)
  }

  checkRunning(): void {
    if (!this.process.running) throw new EngineError(409, `container ${this.id} is not running`)
  }

  createExec(config: JsonObject): Exec {
    checkLists(config, ['Cmd', 'Env'], 'ExecCreateRequest')
    this.checkRunning()
    const exec = { id: newId(), container: this, config, process: new Process(config['Tty'] === true) }
    this.execs.set(exec.id, exec)
    this.happened(`exec_create: ${texts(config['Cmd']).join(' ')}`, { execID: exec.id })
    return exec
  }

  startExec({ id, config, process }: Exec): void {
    const command = texts(config['Cmd'])
    this.happened(`exec_start: ${command.join(' ')}`, { execID: id })
    process.once('exited', (code) => this.happened('exec_die', { execID: id, exitCode: String(code) }))
    process.start(command)
    if (config['AttachStdin'] !== true) process.input.end()
  }
}

/** The fake engine's state, in memory only. Emits what happens. */
export class Store extends EventEmitter<{ event: [EventRecord] }> {
  readonly events: EventRecord[] = []
  /** Newest first, as in engines. */
  readonly containers: Container[] = []

  create(name: string, body: JsonValue): Container {
    const owner = this.containers.find((container) => container.name === name)
    if (owner !== undefined) {
      const advice = 'You have to remove (or rename) that container to be able to reuse that name.'
      const message = `The container name "/${name}" is already in use by container "${owner.id}". ${advice}`
      throw new EngineError(409, `Conflict. ${message}`)
    }
    const container = new Container(name || `stand_in_${newId().slice(0, 8)}`, body, (record) => {
      this.events.push(record)
      this.emit('event', record)
      if (record.action === 'die' && container.hostConfig['AutoRemove'] === true) this.remove(container)
    })
    this.containers.unshift(container)
    return container
  }

  /** By name, id or id prefix. */
  container(reference: string): Container {
    const found =
      this.containers.find(({ name }) => name === reference) ??
      this.containers.find(({ id }) => reference !== '' && id.startsWith(reference))
    if (found === undefined) throw new EngineError(404, `No such container: ${reference}`)
    return found
  }

  remove(container: Container): void {
    const at = this.containers.indexOf(container)
    if (at === -1) return
    this.containers.splice(at, 1)
    container.happened('destroy')
  }

  exec(id: string): Exec {
    const found = this.containers.map(({ execs }) => execs.get(id)).find((exec) => exec !== undefined)
    if (found === undefined) throw new EngineError(404, `No such exec instance: ${id}`)
    return found
  }
}
