import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Script } from './scripted-engine.ts'

type Json = Record<string, unknown>

export interface Held {
  readonly Id: string
  Name: string
  readonly Config: Json
  HostConfig: Json
  Mounts?: readonly Json[]
  running: boolean
}

/** A scripted failure of a call: a status with a message, or a closed connection. */
export type Fault = { readonly status: number; readonly message: string } | 'cut' | 'cut-after' | 'none'

/** An engine that keeps containers in memory: enough of create, rename, inspect, list, start, remove and events. */
export class DockerLike {
  readonly held: Held[] = []
  /** Failures of the next calls, by `METHOD what`, such as `POST create`; `what` is the last word of the path, or `container`. */
  readonly faults = new Map<string, Fault[]>()
  readonly seen: string[] = []
  changes: unknown = null
  /** Changes the HostConfig of a create before the engine keeps it. */
  alter: (hostConfig: Json) => Json = (hostConfig) => hostConfig
  #count = 0
  /** Open responses to `/events`. */
  readonly #followers: ServerResponse[] = []

  /** Writes to all open responses to `/events`. */
  say(text: string): void {
    for (const res of this.#followers) res.write(text)
  }

  get script(): Script {
    return { replacedContainers: 'scripted', onRequest: (req, res) => void this.#answer(req, res) }
  }

  find(said: string): Held | undefined {
    return (
      this.held.find(({ Id, Name }) => Id === said || Name === `/${said}`) ??
      this.held.find(({ Id }) => said.length > 3 && Id.startsWith(said))
    )
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const url = new URL(req.url ?? '/', 'http://engine')
    const [, , kind = '', said = '', verb = ''] = url.pathname.split('/')
    const what =
      kind === 'services'
        ? 'service'
        : verb !== ''
          ? verb
          : kind === 'containers' && !['json', 'create'].includes(said)
            ? 'container'
            : said
    const step = `${req.method} ${what}`
    const held = this.find(said)
    if (!url.search.includes('enginebridge.replaces'))
      this.seen.push(`${step}${held === undefined ? '' : ` ${held.Name}`}`)
    const fault = this.faults.get(step)?.shift() ?? 'none'
    if (fault === 'cut') return void req.socket.destroy()
    if (typeof fault === 'object') return reply(res, fault.status, { message: fault.message })
    if (kind === 'events') {
      this.#followers.push(res)
      return res.flushHeaders()
    }
    const body: Json = text === '' ? {} : JSON.parse(text)
    const [status, answer] = kind === 'images' ? [200, []] : this.#do(step, held, url.searchParams, body)
    if (fault === 'cut-after') return void req.socket.destroy()
    reply(res, status, answer)
  }

  #do(step: string, held: Held | undefined, query: URLSearchParams, body: Json): [number, unknown] {
    if (step === 'POST service') return this.#create(`${body['Name']}.1.task`, specOf(body))
    if (step === 'POST create') return this.#create(query.get('name') ?? `c${this.#count}`, body)
    if (step === 'GET json' && held === undefined && query.has('all')) return [200, this.#list(query.get('filters'))]
    if (held === undefined) return [404, { message: 'No such container' }]
    switch (step) {
      case 'GET json':
        return [200, shown(held)]
      case 'GET changes':
        return [200, this.changes]
      case 'POST rename':
        if (this.find(query.get('name') ?? '') !== undefined) return [409, { message: 'the name is in use' }]
        this.#tell('rename', held, { name: String(query.get('name')), oldName: held.Name })
        held.Name = `/${query.get('name')}`
        return [204, undefined]
      case 'POST start':
        held.running = true
        this.#tell('start', held)
        return [204, undefined]
      case 'DELETE container':
        this.held.splice(this.held.indexOf(held), 1)
        this.#tell('destroy', held)
        return [204, undefined]
      default:
        return [501, { message: `not scripted: ${step}` }]
    }
  }

  #create(name: string, { HostConfig: host, NetworkingConfig: _networks, ...config }: Json): [number, unknown] {
    if (this.find(name) !== undefined) return [409, { message: 'the name is in use' }]
    const Id = String(++this.#count)
      .repeat(64)
      .slice(0, 64)
    const { Entrypoint: _none, ...own } = config
    const HostConfig = this.alter({ NetworkMode: 'bridge', Binds: null, Memory: 0, ...(host as Json) })
    const held = {
      Id,
      Name: `/${name}`,
      Config: { Hostname: Id.slice(0, 12), Labels: {}, ...own },
      HostConfig,
      running: false,
    }
    this.held.push(held)
    this.#tell('create', held)
    return [201, { Id, Warnings: [] }]
  }

  #tell(action: string, { Id, Name, Config }: Held, more: Json = {}): void {
    const attributes = { ...(Config['Labels'] as Json), name: Name.slice(1), ...more }
    const event = { Type: 'container', Action: action, Actor: { ID: Id, Attributes: attributes }, scope: 'local' }
    this.say(`${JSON.stringify(event)}\n`)
  }

  #list(filters: string | null): unknown {
    const { label, id }: { label?: string[]; id?: string[] } = filters === null ? {} : JSON.parse(filters)
    return this.held
      .filter(({ Config }) => label?.every((name) => name in (Config['Labels'] as Json)) ?? true)
      .filter(({ Id }) => id?.includes(Id) ?? true)
      .map(({ Id, Name, Config, running, Mounts = [] }) => ({
        Id,
        Names: [Name],
        State: running ? 'running' : 'created',
        Mounts,
        Labels: Config['Labels'],
        ImageID: 'i',
        Created: 1,
        HostConfig: {},
      }))
  }
}

const specOf = ({ TaskTemplate: template }: Json): Json => (template as { ContainerSpec: Json }).ContainerSpec

const shown = ({ running, Mounts = [], ...held }: Held): Json => ({
  ...held,
  Mounts,
  State: { Status: running ? 'running' : 'created', Running: running, StartedAt: '0001-01-01T00:00:00Z' },
  Image: 'sha256:i',
  NetworkSettings: { Networks: { bridge: { IPAMConfig: null, Aliases: null } } },
})

function reply(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'Content-Type': 'application/json' })
  res.end(body === undefined ? undefined : JSON.stringify(body))
}
