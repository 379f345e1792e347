import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { engine28, type Script } from '../support/scripted-engine.ts'

/**
 * An update of a service or of a swarm replaces all of its spec. An older client that read one and wrote it back took out what
 * its version does not show: secrets, the read-only root, the lock of the swarm. (Seen on 28.5 with a client of 1.24.)
 */
const stage = stages()

const SERVICE = {
  ID: 's',
  Version: { Index: 7 },
  Spec: {
    Name: 'web',
    TaskTemplate: {
      ForceUpdate: 3,
      ContainerSpec: {
        Image: 'i',
        ReadOnly: true,
        CapabilityDrop: ['CAP_CHOWN'],
        OomScoreAdj: 5,
        Privileges: { NoNewPrivileges: true },
        Secrets: [{ SecretID: 'x', SecretName: 'y' }],
        Mounts: [
          { Type: 'bind', Source: '/a', Target: '/t', BindOptions: { Propagation: 'rprivate', NonRecursive: true } },
          { Type: 'image', Source: 'j', Target: '/u', ImageOptions: { Subpath: 'b' } },
        ],
      },
    },
    Mode: { GlobalJob: {} },
    EndpointSpec: {
      Ports: [
        { Protocol: 'tcp', TargetPort: 80, PublishedPort: 8080, PublishMode: 'host' },
        { Protocol: 'tcp', TargetPort: 81, PublishedPort: 8081, PublishMode: 'host' },
      ],
    },
  },
}
const SWARM = { ID: 'w', Version: { Index: 7 }, Spec: { Labels: {}, EncryptionConfig: { AutoLockManagers: true } } }

/** With one port published twice, of which only the second has what older clients do not see. */
const TWICE = {
  ...SERVICE,
  Spec: {
    ...SERVICE.Spec,
    EndpointSpec: {
      Ports: [
        { Protocol: 'tcp', TargetPort: 80, PublishedPort: 8080 },
        { Protocol: 'tcp', TargetPort: 80, PublishedPort: 8081, PublishMode: 'host' },
      ],
    },
  },
}

const NETWORKS = [{ Target: 'n', Aliases: ['a'], DriverOpts: { b: 'c' } }, { Target: 'o' }]
const NETWORKED = { ...SERVICE, Spec: { Name: 'web', TaskTemplate: { Networks: NETWORKS } } }

const MANY = Array.from({ length: 12_000 }, (_, i) => i)
const LARGE = { ...SERVICE, Spec: { TaskTemplate: { ContainerSpec: { Env: MANY.map((i) => `A${i}=x`) } } } }

type Spec = typeof SERVICE.Spec &
  typeof SWARM.Spec & { Labels: Record<string, string> } & typeof NETWORKED.Spec & { Networks: unknown[] }

const shownAt = (url = ''): unknown => {
  if (url.includes('/services/twice')) return TWICE
  if (url.includes('/services/many')) return LARGE
  if (url.includes('/services/networked')) return NETWORKED
  return url.includes('/services/') ? SERVICE : SWARM
}

/** An engine with services and a swarm; `updates` are the bodies that it was given. */
function engine(updates: Spec[], status = 200): Script {
  return {
    version: engine28,
    onRequest: async (req, res) => {
      res.setHeader('Content-Type', 'application/json')
      if (req.method === 'GET') {
        res.writeHead(status)
        res.end(JSON.stringify(status === 200 ? shownAt(req.url) : { message: 'no' }))
        return
      }
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk as Buffer)
      updates.push(JSON.parse(Buffer.concat(chunks).toString()) as Spec)
      res.end('{}')
    },
  }
}

const post = (socket: string, path: string, body: unknown, headers = {}) =>
  call(socket, path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

async function readChangeWrite(
  version: string,
  path: string,
  change: (spec: Spec) => void,
  agent = 'x',
): Promise<Spec | undefined> {
  const updates: Spec[] = []
  const { socket } = await stage(engine(updates))
  const headers = { 'User-Agent': agent }
  const read = await call(socket, `/v${version}${path}`, { headers })
  const { Spec: spec } = JSON.parse(read.text) as { Spec: Spec }
  change(spec)
  const written = await post(socket, `/v${version}${path}/update?version=7`, spec, headers)
  expect(written.status).toBe(200)
  return updates[0]
}

it.each(['1.24', '1.30', '1.40', '1.44', '1.47'])(
  'a service that a client of %s reads, changes and writes back keeps what the client does not see',
  async (version) => {
    const after = await readChangeWrite(version, '/services/s', (spec) => {
      spec.Labels = { a: 'b' }
    })
    expect(after).toEqual({ ...SERVICE.Spec, Labels: { a: 'b' } })
  },
)

it('what the client changed, took out or added itself is as it said, and its neighbours keep what it does not see', async () => {
  const after = await readChangeWrite('1.24', '/services/s', (spec) => {
    spec.TaskTemplate.ContainerSpec.Mounts.splice(0, 1)
    const [first] = spec.EndpointSpec.Ports
    if (first !== undefined) first.PublishedPort = 9090
    spec.EndpointSpec.Ports.push({ Protocol: 'tcp', TargetPort: 90, PublishedPort: 90 } as typeof first & object)
  })
  expect(after?.TaskTemplate.ContainerSpec.Mounts).toEqual([SERVICE.Spec.TaskTemplate.ContainerSpec.Mounts[1]])
  expect(after?.EndpointSpec.Ports).toEqual([
    { ...SERVICE.Spec.EndpointSpec.Ports[0], PublishedPort: 9090 },
    SERVICE.Spec.EndpointSpec.Ports[1],
    { Protocol: 'tcp', TargetPort: 90, PublishedPort: 90 },
  ])
})

it('what was left as it was gets nothing of a neighbour that was taken out', async () => {
  const after = await readChangeWrite('1.24', '/services/twice', (spec) => {
    spec.EndpointSpec.Ports.splice(1, 1)
  })
  expect(after?.EndpointSpec.Ports).toEqual([{ Protocol: 'tcp', TargetPort: 80, PublishedPort: 8080 }])
})

/** It reads JSON, sees what newer engines show at every version, and writes it back: `scale`, `force_update`. */
it.each(['1.24', '1.40', '1.44'])(
  'a service that docker-py reads at %s, changes and writes back is as it said, with what newer engines drop from specs of that version',
  async (version) => {
    const after = await readChangeWrite(
      version,
      '/services/s',
      (spec) => {
        spec.Labels = { a: 'b' }
        spec.TaskTemplate.ContainerSpec.CapabilityDrop = []
      },
      'docker-sdk-python/7.1.0',
    )
    const { TaskTemplate } = structuredClone(SERVICE.Spec)
    TaskTemplate.ContainerSpec.CapabilityDrop = []
    expect(after).toEqual({ ...SERVICE.Spec, TaskTemplate, Labels: { a: 'b' } })
  },
)

it.each(['Go-http-client/1.1', 'Docker.DotNet', 'Apache-HttpClient/5.0.3 (Java/17.0.9)'])(
  'a service that %s reads and writes back keeps what is newer than its version, shown to it and unknown to its types',
  async (agent) => {
    const after = await readChangeWrite(
      '1.40',
      '/services/s',
      ({ TaskTemplate: { ContainerSpec } }) => {
        const { CapabilityDrop, OomScoreAdj } = ContainerSpec
        expect({ CapabilityDrop, OomScoreAdj }).toEqual({ CapabilityDrop: ['CAP_CHOWN'], OomScoreAdj: 5 })
        Object.assign(ContainerSpec, { CapabilityDrop: undefined, OomScoreAdj: undefined, Privileges: {} })
      },
      agent,
    )
    expect(after).toEqual(SERVICE.Spec)
  },
)

it.each([2, 1, 0])(
  'a service of two networks that a client of 1.24 writes back with %i is on these, with the options that the client does not see',
  async (left) => {
    const after = await readChangeWrite('1.24', '/services/networked', (spec) => {
      spec.Networks.splice(left)
    })
    expect(after?.TaskTemplate.Networks ?? []).toEqual(NETWORKS.slice(0, left))
  },
)

it('an update of a service of 12,000 variables to as many others takes no seconds, in which the bridge would serve nobody', async () => {
  const Env = MANY.map((i) => `B${i}=x`)
  const after = await readChangeWrite('1.40', '/services/many', ({ TaskTemplate }) => {
    Object.assign(TaskTemplate.ContainerSpec, { Env })
  })
  expect(after?.TaskTemplate.ContainerSpec).toEqual({ Env })
}, 4000)

it('a swarm that a client of 1.24 writes back stays locked', async () => {
  const after = await readChangeWrite('1.24', '/swarm', (spec) => {
    spec.Labels = { a: 'b' }
  })
  expect(after).toEqual({ Labels: { a: 'b' }, EncryptionConfig: { AutoLockManagers: true } })
})

it('an update of another version of it goes as the client said, for the engine refuses it', async () => {
  const updates: Spec[] = []
  const { socket } = await stage(engine(updates))
  await post(socket, '/v1.24/services/s/update?version=6', { Name: 'web' })
  expect(updates).toEqual([{ Name: 'web' }])
})

it('an update is refused when the engine does not tell what would be lost', async () => {
  const updates: Spec[] = []
  const { socket } = await stage(engine(updates, 500))
  const reply = await post(socket, '/v1.24/services/s/update?version=7', { Name: 'web' })
  expect(reply.status).toBe(400)
  expect(reply.text).toMatch(/cannot be kept/)
  expect(updates).toEqual([])
})

it('an update without a swarm gets what the engine says, not that something cannot be kept', async () => {
  const { socket } = await stage(engine([], 503))
  const reply = await post(socket, '/v1.25/swarm/update?version=7', { Name: 'default' })
  expect(reply.status).toBe(503)
  expect(reply.text).not.toMatch(/cannot be kept/)
})
