import { describe, expect, it } from 'vitest'
import { changes, readings } from '../../rules/index.ts'
import { ProxyError } from '../../src/api/errors.ts'
import type { JsonObject, JsonValue } from '../../src/api/json/json.ts'
import { shapes } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import { Headers } from '../../src/http/headers.ts'
import type { EmulationContext, EngineAnswer, RequestMessage } from '../../src/translate/message.ts'
import { Plans } from '../../src/translate/plans.ts'
import { contextWith, linux } from '../support/step-context.ts'
import { versionsOf } from '../support/versions.ts'

const policy = { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined } as const
const plans = new Plans({ changes, readings, shapes }, policy)

/** HostConfig as engine 28.5 shows it for a container that was created without one, cut to what matters here. */
const defaults: JsonObject = {
  Binds: null,
  LogConfig: { Type: 'json-file', Config: {} },
  NetworkMode: 'bridge',
  PortBindings: null,
  RestartPolicy: { Name: 'no', MaximumRetryCount: 0 },
  AutoRemove: false,
  CapAdd: null,
  CgroupnsMode: 'host',
  ExtraHosts: null,
  IpcMode: 'private',
  Links: null,
  PidMode: '',
  Privileged: false,
  SecurityOpt: null,
  ShmSize: 67108864,
  Runtime: 'runc',
  CpuShares: 0,
  Memory: 0,
  MemorySwap: 0,
  MemorySwappiness: null,
  OomKillDisable: false,
  PidsLimit: null,
  MaskedPaths: ['/proc/kcore'],
  ReadonlyPaths: ['/proc/sys'],
}

const ID_OF_DB = 'd'.repeat(64)

interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: JsonValue
}

interface Start {
  readonly client?: number
  readonly engine?: number
  readonly hostConfig?: JsonObject
  readonly running?: boolean
  readonly type?: string
  readonly text?: string
  readonly update?: Partial<EngineAnswer>
  readonly inspect?: Partial<EngineAnswer>
  /** Where to write down what was asked, for a start that is refused. */
  readonly log?: Asked[]
}

/** Answers inspect and update by script, and writes down what was asked. */
function scripted(start: Start, client: number, engine: number): { context: EmulationContext; asked: Asked[] } {
  const asked = start.log ?? []
  const versions = { client: apiVersion(client), target: apiVersion(engine) }
  const highest = apiVersion(engine)
  const answer = (parts: Partial<EngineAnswer>): EngineAnswer => ({
    status: 200,
    headers: new Headers(),
    body: undefined,
    error: '',
    ...parts,
  })
  const context = contextWith({
    ...{ operation: 'ContainerStart', ...versions, engine: linux(highest, apiVersion(24)), policy },
    call: { params: { name: 'web' }, query: new URLSearchParams() },
    lose: ({ what }) => {
      throw new ProxyError('loss', what)
    },
    engineCall: async (method, path, { body } = {}) => {
      asked.push({ method, path, ...(body === undefined ? {} : { body: structuredClone(body) }) })
      if (method === 'POST') return answer({ body: { Warnings: null }, ...start.update })
      if (['db', ID_OF_DB].some((name) => path === `/containers/${name}/json`))
        return answer({ body: { Id: ID_OF_DB, Name: '/db' } })
      const container = {
        State: { Running: start.running ?? false },
        HostConfig: { ...defaults, ...start.hostConfig },
      }
      return answer({ body: container, ...start.inspect })
    },
    engineInfo: () => expect.fail('start asks nothing of the engine as a whole'),
    engineStart: () => expect.fail('start streams nothing'),
  })
  return { context, asked }
}

/** Sends a start through every rule between the two versions. */
async function start(
  body: JsonValue | undefined,
  options: Start = {},
): Promise<{ message: RequestMessage; asked: Asked[] }> {
  const { client = 22, engine = 51 } = options
  const plan = plans.get('ContainerStart', versionsOf(client, engine))
  const { context, asked } = scripted(options, client, engine)
  const message: RequestMessage = {
    method: 'POST',
    path: '/containers/web/start',
    params: { name: 'web' },
    query: new URLSearchParams(),
    headers: new Headers([['Content-Type', options.type ?? 'application/json']]),
    body: structuredClone(body),
    ...(options.text === undefined ? {} : { text: options.text }),
  }
  for (const step of plan.request.steps) await step.run(message, context)
  return { message, asked }
}

const inspect = { method: 'GET', path: '/containers/web/json' }
const update = (body: JsonObject): Asked => ({ method: 'POST', path: '/containers/web/update', body })

describe('a start with a body, from a client below 1.24 to an engine from 1.24 on', () => {
  it.each([
    ['no body', undefined],
    ['an empty object', {}],
    ['null', null],
  ])('is a plain start with no question asked when it has %s', async (_name, body) => {
    const { message, asked } = await start(body)
    expect(message.body).toBeUndefined()
    expect(message.headers.has('Content-Type')).toBe(false)
    expect(asked).toEqual([])
  })

  it.each([
    ['what the container has', { Binds: ['/a:/b'] }, { Binds: ['/a:/b'] }],
    ['the same inside HostConfig', { HostConfig: { Binds: ['/a:/b'] } }, { Binds: ['/a:/b'] }],
    ['a member in another case', { binds: ['/a:/b'] }, { Binds: ['/a:/b'] }],
    ['zero values for everything', { Binds: null, Memory: 0, NetworkMode: '', RestartPolicy: { Name: '' } }, {}],
    ['the words for the defaults', { NetworkMode: 'default', MemorySwappiness: -1 }, {}],
    ['swap left open beside memory', { Memory: 8388608 }, { Memory: 8388608, MemorySwap: 16777216 }],
    ['a link as the client wrote it', { Links: ['db:data'] }, { Links: ['/db:/web/data'] }],
    [
      'a port without a host address',
      { PortBindings: { '80/tcp': [{ HostPort: '8080' }] } },
      { PortBindings: { '80/tcp': [{ HostIp: '', HostPort: '8080' }] } },
    ],
    ['a capability without CAP_', { CapAdd: ['NET_ADMIN'] }, { CapAdd: ['CAP_NET_ADMIN'] }],
    ['no label of a privileged container', { Privileged: true }, { Privileged: true, SecurityOpt: ['label=disable'] }],
    ['the old name of a cpuset', { Cpuset: '0' }, { CpusetCpus: '0' }],
    [
      'read-only binds that the create made mounts of',
      { Binds: ['/a:/b:ro', '/c:/d:rw'] },
      {
        Binds: ['/c:/d'],
        Mounts: [
          {
            Type: 'bind',
            Source: '/a',
            Target: '/b',
            ReadOnly: true,
            BindOptions: { CreateMountpoint: true, ReadOnlyNonRecursive: true },
          },
        ],
      },
    ],
    ['a member that no engine knows', { Bogus: 1 }, {}],
  ])('is a plain start when the body says %s', async (_name, body, hostConfig) => {
    const { message, asked } = await start(body, { hostConfig })
    expect(message.body).toBeUndefined()
    expect(asked).toEqual([inspect])
  })

  it('updates the container first when only what an update can change differs', async () => {
    const { message, asked } = await start({ CpuShares: 7, RestartPolicy: { Name: 'always' } })
    expect(asked).toEqual([inspect, update({ CpuShares: 7, RestartPolicy: { Name: 'always' } })])
    expect(message.body).toBeUndefined()
    expect(message.path).toBe('/containers/web/start')
  })

  it('sets the swap that the engine would have derived when it updates memory', async () => {
    const { asked } = await start({ Memory: 8388608 })
    expect(asked).toEqual([inspect, update({ Memory: 8388608, MemorySwap: 16777216 })])
  })

  it('keeps what the create gave and the body leaves open', async () => {
    const hostConfig = {
      RestartPolicy: { Name: 'always' },
      Memory: 8388608,
      MemorySwap: 16777216,
      Binds: ['/a:/b'],
      CapDrop: ['ALL'],
    }
    const { asked } = await start({ CpuShares: 7, Memory: 0, Binds: [], NetworkMode: 'default' }, { hostConfig })
    expect(asked).toEqual([inspect, update({ CpuShares: 7 })])
  })

  const lookedUp = (name: string) => ({ method: 'GET', path: `/containers/${name}/json` })

  it('is a plain start with the namespaces that create shared by name, which engines keep as ids', async () => {
    const ofDb = `container:${ID_OF_DB}`
    const hostConfig = { NetworkMode: ofDb, IpcMode: ofDb, PidMode: ofDb }
    const { asked } = await start(
      { NetworkMode: 'container:db', IpcMode: 'container:/db', PidMode: ofDb },
      { hostConfig },
    )
    expect(asked).toEqual([inspect, lookedUp('db'), lookedUp('db')])
  })

  // Engines up to 17.06 keep the name.
  it('is a plain start with the namespace that create shared by name, where the engine keeps the name', async () => {
    const { asked } = await start({ NetworkMode: 'container:/db' }, { hostConfig: { NetworkMode: 'container:db' } })
    expect(asked).toEqual([inspect])
  })

  it('is a plain start with what has no effect in the network of another container, or with links in that of the host', async () => {
    const inVain = { Dns: ['9.9.9.9'], ExtraHosts: ['a:1.2.3.4'], PortBindings: { '80/tcp': [{ HostPort: '1' }] } }
    const ofDb = `container:${ID_OF_DB}`
    const none = { Dns: [], ExtraHosts: null, PortBindings: {}, Links: null }
    const hostConfig = { ...none, NetworkMode: ofDb }
    const { asked } = await start({ NetworkMode: ofDb, ...inVain, Links: ['a:b'] }, { hostConfig })
    expect(asked).toEqual([inspect])
    const inHosts = await start(
      { NetworkMode: 'host', Links: ['a:b'] },
      { hostConfig: { ...none, NetworkMode: 'host' } },
    )
    expect(inHosts.asked).toEqual([inspect])
    await expect(
      start({ NetworkMode: 'host', Dns: ['9.9.9.9'] }, { hostConfig: { ...none, NetworkMode: 'host' } }),
    ).rejects.toThrow('HostConfig.Dns')
  })

  it('is a plain start with what the create had in the network of another container, which engines up to 20.10 kept', async () => {
    const hostConfig = { NetworkMode: `container:${ID_OF_DB}`, Dns: ['9.9.9.9'], Links: ['a:b'] }
    expect((await start(hostConfig, { hostConfig })).asked).toEqual([inspect])
    expect((await start({ CpuShares: 7 }, { hostConfig })).asked).toEqual([inspect, update({ CpuShares: 7 })])
  })

  // The engines of the client would have it leave that network: the settings would count.
  it('is refused with settings of a network of its own, if only the create named that of another container', async () => {
    const hostConfig = { NetworkMode: `container:${ID_OF_DB}`, Dns: [], PortBindings: {} }
    await expect(start({ Dns: ['9.9.9.9'] }, { hostConfig })).rejects.toThrow('HostConfig.Dns')
    const ports = { NetworkMode: 'default', PortBindings: { '80/tcp': [{ HostPort: '1' }] } }
    await expect(start(ports, { hostConfig })).rejects.toThrow('HostConfig.PortBindings')
  })

  it('is refused with a namespace of another container', async () => {
    await expect(
      start({ NetworkMode: 'container:cache' }, { hostConfig: { NetworkMode: `container:${ID_OF_DB}` } }),
    ).rejects.toThrow('this engine cannot change HostConfig.NetworkMode')
  })

  it('is a plain start with the links that create made by id, which engines keep as names', async () => {
    const { asked } = await start(
      { Links: [`${ID_OF_DB}:sql`, 'cache'] },
      { hostConfig: { Links: ['/cache:/web/cache', '/db:/web/sql'] } },
    )
    expect(asked).toEqual([inspect, lookedUp(ID_OF_DB)])
  })

  it('looks up no links where the container has another number of them', async () => {
    const Links = Array.from({ length: 5000 }, (_, i) => i.toString(16).padStart(12, 'a'))
    const log: Asked[] = []
    const refused = start({ Links }, { hostConfig: { Links: ['/db:/web/sql'] }, log })
    await expect(refused).rejects.toThrow('this engine cannot change HostConfig.Links')
    expect(log).toEqual([inspect])
  })

  it('is a plain start with an empty HostConfig', async () => {
    const { asked } = await start({ HostConfig: {} }, { hostConfig: { Binds: ['/a:/b'] } })
    expect(asked).toEqual([inspect])
  })

  it('takes a restart policy away that the body says is no', async () => {
    const { asked } = await start(
      { RestartPolicy: { Name: 'no' } },
      { hostConfig: { RestartPolicy: { Name: 'always' } } },
    )
    expect(asked[1]).toEqual(update({ RestartPolicy: { Name: 'no', MaximumRetryCount: 0 } }))
  })

  it('sets the swap anew that the engine had derived from another limit of memory', async () => {
    const hostConfig = { Memory: 8388608, MemorySwap: 16777216 }
    const { asked } = await start({ Memory: 67108864 }, { hostConfig })
    expect(asked[1]).toEqual(update({ Memory: 67108864, MemorySwap: 134217728 }))
  })

  it('keeps a limit of swap that the create set by itself', async () => {
    const { asked } = await start({ Memory: 67108864 }, { hostConfig: { Memory: 8388608, MemorySwap: -1 } })
    expect(asked[1]).toEqual(update({ Memory: 67108864, MemorySwap: -1 })) // Memory alone is 409 beside such a limit
  })

  it('drops a limit of swap that the new limit of memory exceeds', async () => {
    const { asked } = await start({ Memory: 67108864 }, { hostConfig: { Memory: 8388608, MemorySwap: 9388608 } })
    expect(asked[1]).toEqual(update({ Memory: 67108864, MemorySwap: 134217728 }))
  })

  it.each([
    ['binds that the container lacks', { Binds: ['/a:/b'] }, {}, ['Binds']],
    [
      'binds and hosts, beside shares',
      { Binds: ['/a:/b'], ExtraHosts: ['a:1.2.3.4'], CpuShares: 7 },
      {},
      ['Binds', 'ExtraHosts'],
    ],
    ['that it is not privileged where the container is', { Privileged: false }, { Privileged: true }, ['Privileged']],
    [
      'the default network where the container has none',
      { NetworkMode: 'bridge' },
      { NetworkMode: 'none' },
      ['NetworkMode'],
    ],
    ['a bind that may be written to where it was read-only', { Binds: ['/a:/b'] }, { Binds: ['/a:/b:ro'] }, ['Binds']],
    ['another namespace', { PidMode: 'host' }, {}, ['PidMode']],
    ['that it is privileged', { Privileged: true }, {}, ['Privileged']],
  ])('is refused by name, with nothing changed, when the body says %s', async (_name, body, hostConfig, fields) => {
    const named = fields.map((field) => `HostConfig.${field}`).join(', ')
    const log: Asked[] = []
    const failed = start(body, { hostConfig, log })
    await expect(failed).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(
        new RegExp(
          `^starting container with non-empty request body was deprecated .* cannot change ${named} of a created`,
        ),
      ),
    })
    expect(log).toEqual([inspect])
  })

  it('is a plain start of a running container, which the engine answers with 304', async () => {
    const { message, asked } = await start({ Binds: ['/a:/b'] }, { running: true })
    expect(message.body).toBeUndefined()
    expect(asked).toEqual([inspect])
  })

  it('is a plain start of an unknown container, whose error is the engine’s', async () => {
    const { message } = await start(
      { Binds: ['/a:/b'] },
      { inspect: { status: 404, body: undefined, error: 'No such container: web' } },
    )
    expect(message.body).toBeUndefined()
  })

  it('fails when the engine does not show the container: a plain start would lose the settings', async () => {
    const failed = start({ Binds: ['/a:/b'] }, { inspect: { status: 500, body: undefined, error: 'no layers' } })
    await expect(failed).rejects.toMatchObject({ status: 500, message: expect.stringContaining('no layers') })
  })

  it('ends with the engine’s status and words when the update fails', async () => {
    const failed = start({ Memory: 1 }, { update: { status: 400, error: 'Minimum memory limit allowed is 6MB' } })
    await expect(failed).rejects.toMatchObject({ status: 500, message: 'Minimum memory limit allowed is 4MB' })
  })

  it.each([
    ['not JSON', { text: '{bad json' }, undefined, 'invalid JSON in the body of start'],
    ['an array', {}, [1, 2, 3, 4], 'json: cannot unmarshal the body of start into a HostConfig'],
    [
      'of another type',
      { type: 'text/plain' },
      { Binds: [] },
      "Content-Type specified (text/plain) must be 'application/json'",
    ],
  ])('is a server error, as it was up to engine 1.11, when its body is %s', async (_name, options, body, message) => {
    await expect(start(body, options)).rejects.toMatchObject({ status: 500, message })
  })

  // Engine 20.10 at 1.18, asked: 204 for each of them.
  it.each([
    ['no JSON', { text: '{bad' }, undefined],
    ['text', { text: 'nonsen', type: 'text/plain' }, undefined],
    ['an empty object without a type', { type: '' }, {}],
    ['an array', {}, [1]],
  ])('is a plain start when its body has up to 7 bytes and is %s', async (_name, options, body) => {
    const { message, asked } = await start(body, options)
    expect(message.body).toBeUndefined()
    expect(message.text).toBeUndefined()
    expect(message.headers.has('Content-Type')).toBe(false)
    expect(asked).toEqual([])
  })

  it.each([18, 19, 20, 21, 22, 23])('sends no body from a client of 1.%i to any engine', async (client) => {
    for (const engine of [24, 41, 45, 51, 53]) {
      const { message } = await start({ CpuShares: 7 }, { client, engine })
      expect(message.body).toBeUndefined()
      expect(message.text).toBeUndefined()
    }
  })
})

describe('a start with a body, where the engine still takes one', () => {
  it('keeps it on an engine asked at a version below 1.24, taken out of its wrapper', async () => {
    const plan = plans.get('ContainerStart', versionsOf(22, 22, 41))
    const { context } = scripted({}, 22, 41)
    const message: RequestMessage = {
      method: 'POST',
      path: '/containers/web/start',
      params: { name: 'web' },
      query: new URLSearchParams(),
      headers: new Headers([['Content-Type', 'application/json']]),
      body: { HostConfig: { Binds: ['/a:/b'] }, Memory: 8388608 },
    }
    for (const step of plan.request.steps) step.run(message, context)
    expect(plan.request.callsEngine).toBe(false)
    expect(message.body).toMatchObject({ Binds: ['/a:/b'], Memory: 8388608 })
  })

  it('makes no body out of an empty one, which would replace the container’s HostConfig', async () => {
    const plan = plans.get('ContainerStart', versionsOf(22, 22, 41))
    const { context } = scripted({}, 22, 41)
    for (const body of [{}, null, undefined]) {
      const message: RequestMessage = {
        method: 'POST',
        path: '/containers/web/start',
        params: { name: 'web' },
        query: new URLSearchParams(),
        headers: new Headers(),
        body,
      }
      for (const step of plan.request.steps) step.run(message, context)
      expect(message.body).toBeUndefined()
    }
  })

  it('is refused from a client that has none, and a short one is left out', async () => {
    const options = { client: 24, engine: 22 }
    await expect(start({ Binds: ['/a:/b'] }, options)).rejects.toMatchObject({ status: 400 })
    expect((await start({}, options)).message.body).toBeUndefined()
  })
})
