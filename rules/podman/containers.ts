import { ProxyError } from '../../src/api/errors.ts'
import { isObject, isUnset, type JsonValue, listOf, memberAt, stringOf } from '../../src/api/json/json.ts'
import { below } from '../../src/api/shapes/shape.ts'
import { NetworkSettings, UpdateConfig } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'
import { bodyIfAllowed, bodyOf } from '../../src/translate/ops/calls/looked-up.ts'
import { callRefused, emulated, headRetyped, inspectPath, isTrue, onEach, retyped } from '../../src/translate/ops.ts'

/** From this version on a stop names its signal; older targets lose it in 1.42's rules. */
const HAS_SIGNAL = apiVersion(42)

const YEAR_S = '31536000'
const PERIOD_US = 100_000

/** daemon/daemon_unix.go:verifyPlatformContainerResources @v20.10.24 */
const BOTH = 'Conflicting options: Nano CPUs and CPU Period or Quota cannot both be set.'

/** Podman resets a policy that an update does not name to `no`. */
async function keepRestartPolicy({ body }: RequestMessage, context: EmulationContext): Promise<void> {
  if (!isObject(body) || !isUnset(memberAt(body, 'RestartPolicy', 'Name'))) return
  const policy = memberAt(await bodyIfAllowed(inspectPath(context), context), 'HostConfig', 'RestartPolicy')
  if (isObject(policy)) body['RestartPolicy'] = policy
}

/** Without a time Podman kills at once; ten seconds are Docker's default. */
async function giveTime({ query }: RequestMessage, context: EmulationContext): Promise<void> {
  if (query.get('t')) return
  const timeout = memberAt(await bodyIfAllowed(inspectPath(context), context), 'Config', 'StopTimeout')
  const seconds = typeof timeout === 'number' ? timeout : 10
  query.set('t', seconds < 0 ? YEAR_S : String(seconds))
}

/**
 * Up to 5.5 a forced removal removes the containers of an image, running ones, too. One of several names can be taken
 * away without force; without containers nothing stands in the way.
 */
async function keepContainers({ query }: RequestMessage, context: EmulationContext): Promise<void> {
  if (!isTrue(query.get('force'))) return
  const { name = '' } = context.call.params
  const path = `/images/${encodeURI(name)}/json`
  if ([path, '/containers/json'].some((one) => !context.allows('GET', one))) {
    query.delete('force')
    return
  }
  const image = await bodyOf(path, context)
  const id = stringOf(memberAt(image, 'Id')).replace(/^sha256:/, '')
  if (id === '') return
  const filters = new URLSearchParams({ all: '1', filters: JSON.stringify({ ancestor: [id] }) })
  const [user] = listOf(await bodyOf(`/containers/json?${filters}`, context))
  if (user === undefined) return
  const isId = id.startsWith(name.replace(/^sha256:/, ''))
  if (isId || listOf(memberAt(image, 'RepoTags')).length < 2) throw new ProxyError('conflict', inUse(name, user))
  query.delete('force')
}

/** As Docker says it of a running container (daemon/images/image_delete.go @v20.10.24); Podman can spare none. */
const inUse = (image: string, container: JsonValue): string =>
  `conflict: unable to delete ${image} (cannot be forced) - image is being used by ${memberAt(container, 'State') === 'running' ? 'running' : 'stopped'} container ${stringOf(memberAt(container, 'Id')).slice(0, 12)}`

const shown = (container: object) => ({ calls: { 'GET /containers/web/json': { body: container as never } } })
const ID = 'a'.repeat(64)
const USED = `GET /containers/json?all=1&filters=${encodeURIComponent(`{"ancestor":["${ID}"]}`)}`
const ofImage = (containers: object[], RepoTags = ['web:latest']) => ({
  calls: { 'GET /images/web/json': { body: { Id: `sha256:${ID}`, RepoTags } }, [USED]: { body: containers as never } },
})

export default {
  'podman/update': {
    summary: 'An update resets a restart policy that it does not name, and ignores NanoCpus.',
    see: 'pkg/api/handlers/compat/containers.go:UpdateContainer @v5.4.2, @v5.8.2',
    ops: [
      onEach(UpdateConfig, 'CPUs are a quota', {
        requestUp: (config) => {
          const { NanoCpus: cpus, CpuPeriod: period, CpuQuota: quota } = config
          if (typeof cpus !== 'number' || cpus === 0) return
          if (!isUnset(period) || !isUnset(quota)) throw new ProxyError('validation', BOTH)
          Object.assign(config, { CpuPeriod: PERIOD_US, CpuQuota: Math.round((cpus / 1e9) * PERIOD_US) })
          delete config['NanoCpus']
        },
      }),
      emulated('ContainerUpdate', 'the restart policy is that of the container', { requestUp: keepRestartPolicy }),
    ],
    examples: {
      'ContainerUpdate requestUp body': [
        [
          { NanoCpus: 500000000 },
          { CpuPeriod: 100000, CpuQuota: 50000, RestartPolicy: { Name: 'always' } },
          shown({ HostConfig: { RestartPolicy: { Name: 'always' } } }),
        ],
        [{ RestartPolicy: { Name: 'no' } }],
      ],
    },
  },
  'podman/restart-at-once': {
    summary: 'A restart without a time kills at once, as does an empty one, and no time is -1.',
    see: 'pkg/api/handlers/compat/containers_restart.go @v5.4.2, @v5.8.2',
    ops: [
      headRetyped(['ContainerRestart', 'ContainerStop'], 'query t', {
        toNewer: (text) => (text === '' ? null : /^-\d+$/.test(text) ? YEAR_S : undefined),
        samples: [['-1', YEAR_S], ['5'], ['', null]],
      }),
      emulated('ContainerRestart', 'the time is that of the container', { part: 'head', requestUp: giveTime }),
    ],
    examples: {
      'ContainerRestart requestUp': [
        ['', 't=4', shown({ Config: { StopTimeout: 4 } })],
        ['', `t=${YEAR_S}`, shown({ Config: { StopTimeout: -1 } })],
        ['t=3'],
      ],
    },
  },
  'podman/port-addresses': {
    summary: 'A port that is published at all addresses names none (4.3), and `docker port` shows `:8080`.',
    see: 'pkg/api/handlers/compat/containers.go:LibpodToContainerJSON @v4.3.1',
    ops: retyped(below(NetworkSettings, 'Ports.{}.[]'), 'HostIp', { toOlder: [['', '0.0.0.0']] }),
  },
  'podman/stop-signal': {
    summary: 'A stop takes the signal of the container, not its own.',
    see: 'pkg/api/handlers/compat/containers_stop.go @v5.8.2',
    ops: callRefused(['ContainerStop', 'ContainerRestart'], 'a signal of its own for a stop', {
      ...{ leg: 'requestUp', says: 'loss' },
      words: () => 'Podman stops with the signal of the container (StopSignal), not with another',
      finds: ({ query }, { target }) => (target < HAS_SIGNAL ? undefined : query.get('signal') || undefined),
      samples: [['signal=INT', 'INT', { client: '1.44', engine: '1.44' }]],
    }),
  },
  'podman/forced-image-removal': {
    summary: 'A forced removal of an image removes its containers.',
    see: 'pkg/domain/infra/abi/images.go:Remove @v5.4.2; refused from 5.6 on (DisableForceRemoveContainers)',
    ops: emulated('ImageDelete', 'an image with containers stays', { part: 'head', requestUp: keepContainers }),
    examples: {
      'ImageDelete requestUp': [
        ['force=1', '', ofImage([{ Id: 'c1' }], ['web:latest', 'b:1'])],
        [
          'force=1',
          /^conflict: unable to delete web \(cannot be forced\) - image is being used by running container c1$/,
          ofImage([{ Id: 'c1', State: 'running' }]),
        ],
        ['force=1', 'force=1', ofImage([])],
        [''],
      ],
    },
  },
} satisfies PodmanChanges
