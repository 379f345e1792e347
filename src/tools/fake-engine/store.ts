import { type JsonObject, stringOf } from '../../api/json/json.ts'
import { Container, newId } from './containers/container.ts'
import type { CreateRequest } from './containers/create-request.ts'
import type { Process } from './containers/process.ts'
import { Events } from './events.ts'
import { EngineError } from './wire.ts'

export interface Exec {
  readonly id: string
  readonly container: Container
  readonly config: JsonObject
  process: Process | undefined
  started: boolean
  running: boolean
  exitCode: number | null
  pid: number
}

/** The names of the only image. */
const IMAGE_NAMES = ['busybox', 'busybox:latest', 'docker.io/library/busybox', 'docker.io/library/busybox:latest']
export const IMAGE_ID = 'sha256:797b7157c2c41796bc0d32fe632556c21fb5b460d3124a4785fee262fd3b4b33'

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/

/** The fake engine's state, in memory only. */
export class Store {
  readonly events = new Events()
  readonly #containers = new Map<string, Container>()
  readonly #execs = new Map<string, Exec>()
  #created = 0

  /** Newest first, as in engines. */
  get containers(): Container[] {
    return [...this.#containers.values()].reverse()
  }

  create(name: string | undefined, request: CreateRequest): Container {
    const image = stringOf(request.config['Image'])
    if (image !== '') checkImage(image)
    this.#created++
    const free = name ?? `stand_in_${this.#created}`
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

  runningContainer(reference: string): Container {
    const container = this.container(reference)
    if (!container.running) throw new EngineError(409, `container ${container.id} is not running`)
    return container
  }

  remove(container: Container): void {
    if (!this.#containers.delete(container.id)) return
    for (const id of container.execs) this.#execs.delete(id)
    container.happened('destroy')
    container.emit('removed')
  }

  createExec(container: Container, config: JsonObject): Exec {
    const exec: Exec = {
      id: newId(),
      container,
      config,
      process: undefined,
      started: false,
      running: false,
      exitCode: null,
      pid: 0,
    }
    this.#execs.set(exec.id, exec)
    container.execs.add(exec.id)
    return exec
  }

  exec(id: string): Exec {
    const found = this.#execs.get(id)
    if (found === undefined) throw new EngineError(404, `No such exec instance: ${id}`)
    return found
  }

  /** The ids of a container's running execs; null without any, as Go encodes an empty slice. */
  runningExecs(container: Container): string[] | null {
    const ids = [...container.execs].filter((id) => this.#execs.get(id)?.running)
    return ids.length === 0 ? null : ids
  }

  /** Ends every process. */
  clear(): void {
    for (const exec of this.#execs.values()) exec.process?.kill(9)
    for (const container of this.containers) container.kill(9)
  }
}

/** Rejects an unknown image with the error that makes clients pull. */
export function checkImage(name: string): void {
  if (/[A-Z ]/.test(name.split('@', 1)[0]?.split(':', 1)[0] ?? '') && !name.startsWith('sha256:')) {
    throw new EngineError(400, `invalid reference format: repository name (library/${name}) must be lowercase`)
  }
  const bare = name.replace(/^sha256:/, '')
  if (IMAGE_NAMES.includes(name) || (bare.length >= 12 && IMAGE_ID.startsWith(`sha256:${bare}`))) return
  throw new EngineError(404, `No such image: ${name.includes(':') ? name : `${name}:latest`}`)
}
