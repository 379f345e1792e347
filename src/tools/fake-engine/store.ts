import type { IncomingMessage, ServerResponse } from 'node:http'
import { type JsonObject, stringOf } from '../../api/json/json.ts'
import type { ApiVersion } from '../../api/version.ts'
import { Container, type CreateRequest, newId } from './containers/container.ts'
import { Process } from './containers/process.ts'
import { Events } from './events.ts'
import { EngineError } from './wire.ts'

/** One parsed request, as passed to handlers. */
export interface Call {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly version: ApiVersion
  /** `name` or `id` of the path. */
  readonly target: string
  readonly query: URLSearchParams
  readonly store: Store
}

export type Handler = (call: Call) => void | Promise<void>

export interface Exec {
  readonly id: string
  readonly container: Container
  readonly config: JsonObject
  readonly process: Process
}

/** The names of the only image. */
const IMAGE_NAMES = ['busybox', 'busybox:latest', 'docker.io/library/busybox', 'docker.io/library/busybox:latest']
export const IMAGE_ID = 'sha256:797b7157c2c41796bc0d32fe632556c21fb5b460d3124a4785fee262fd3b4b33'

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/

/** The fake engine's state, in memory only. */
export class Store {
  readonly events = new Events()
  readonly execs = new Map<string, Exec>()
  readonly #containers = new Map<string, Container>()
  #created = 0

  /** Newest first, as in engines. */
  get containers(): Container[] {
    return [...this.#containers.values()].reverse()
  }

  create(name: string, request: CreateRequest): Container {
    checkImage(stringOf(request.config['Image']))
    this.#created++
    const free = name === '' ? `stand_in_${this.#created}` : name
    this.checkName(free)
    const container = new Container(free, request, 2 + ((this.#created - 1) % 250), this.events)
    this.#containers.set(container.id, container)
    container.on('exited', () => {
      if (container.hostConfig['AutoRemove'] === true) this.remove(container)
    })
    return container
  }

  /** Rejects invalid and duplicate names. */
  checkName(name: string): void {
    if (!NAME.test(name)) {
      throw new EngineError(400, `Invalid container name (${name}), only [a-zA-Z0-9][a-zA-Z0-9_.-] are allowed`)
    }
    const owner = this.containers.find((container) => container.name === name)
    if (owner === undefined) return
    throw new EngineError(
      409,
      `Conflict. The container name "/${name}" is already in use by container "${owner.id}". You have to remove (or rename) that container to be able to reuse that name.`,
    )
  }

  /** By id, name or id prefix. */
  container(reference: string): Container {
    const name = reference.replace(/^\//, '')
    const found =
      this.#containers.get(reference) ??
      this.containers.find((container) => container.name === name) ??
      this.containers.find(({ id }) => reference !== '' && id.startsWith(reference))
    if (found === undefined) throw new EngineError(404, `No such container: ${reference}`)
    return found
  }

  remove(container: Container): void {
    if (!this.#containers.delete(container.id)) return
    for (const exec of this.execsOf(container)) this.execs.delete(exec.id)
    container.happened('destroy')
    container.emit('removed')
  }

  createExec(reference: string, config: JsonObject): Exec {
    const container = this.container(reference)
    checkRunning(container)
    const exec = { id: newId(), container, config, process: new Process() }
    this.execs.set(exec.id, exec)
    return exec
  }

  exec(id: string): Exec {
    const found = this.execs.get(id)
    if (found === undefined) throw new EngineError(404, `No such exec instance: ${id}`)
    return found
  }

  execsOf(container: Container): Exec[] {
    return [...this.execs.values()].filter((exec) => exec.container === container)
  }

  /** Ends every process. */
  clear(): void {
    for (const { process } of this.execs.values()) process.kill(9)
    for (const container of this.containers) container.kill(9)
  }
}

export function checkRunning(container: Container): void {
  if (!container.running) throw new EngineError(409, `container ${container.id} is not running`)
}

/** Rejects an unknown image with the error that makes clients pull. */
export function checkImage(name: string): void {
  const bare = name.replace(/^sha256:/, '')
  if (IMAGE_NAMES.includes(name) || (bare.length >= 12 && IMAGE_ID.startsWith(`sha256:${bare}`))) return
  throw new EngineError(404, `No such image: ${name.includes(':') ? name : `${name}:latest`}`)
}
