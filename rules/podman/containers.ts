import { isObject, isUnset, listOf, memberAt, stringOf } from '../../src/api/json/json.ts'
import { UpdateConfig } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'
import { bodyOf } from '../../src/translate/ops/calls/looked-up.ts'
import { callRefused, emulated, headRetyped, inspectPath, isTrue, onEach } from '../../src/translate/ops.ts'

/** From this version on a stop names its signal; older targets lose it in 1.42's rules. */
const HAS_SIGNAL = apiVersion(42)

const YEAR_S = '31536000'
const PERIOD_US = 100_000

/** Podman resets a policy that an update does not name to `no`. */
async function keepRestartPolicy({ body }: RequestMessage, context: EmulationContext): Promise<void> {
  if (!isObject(body) || !isUnset(memberAt(body, 'RestartPolicy', 'Name'))) return
  const policy = memberAt(await bodyOf(inspectPath(context), context), 'HostConfig', 'RestartPolicy')
  if (isObject(policy)) body['RestartPolicy'] = policy
}

/** Without a time Podman kills at once. */
async function giveTime({ query }: RequestMessage, context: EmulationContext): Promise<void> {
  if (query.has('t')) return
  const timeout = memberAt(await bodyOf(inspectPath(context), context), 'Config', 'StopTimeout')
  query.set('t', typeof timeout === 'number' ? String(timeout) : '10')
}

/** Up to 5.5 a forced removal removes the containers of an image, running ones, too. */
async function keepContainers({ query }: RequestMessage, context: EmulationContext): Promise<void> {
  if (!isTrue(query.get('force'))) return
  const image = await bodyOf(`/images/${encodeURI(context.call.params['name'] ?? '')}/json`, context)
  const ancestor = [stringOf(memberAt(image, 'Id')).replace(/^sha256:/, '')]
  if (ancestor[0] === '') return
  const filters = new URLSearchParams({ all: '1', filters: JSON.stringify({ ancestor }) })
  if (listOf(await bodyOf(`/containers/json?${filters}`, context)).length > 0) query.delete('force')
}

const NAMED = { params: { name: 'web' } }
const shown = (container: object) => ({ ...NAMED, calls: { 'GET /containers/web/json': { body: container as never } } })
const ID = 'a'.repeat(64)
const USED = `GET /containers/json?all=1&filters=${encodeURIComponent(`{"ancestor":["${ID}"]}`)}`
const ofImage = (containers: object[]) => ({
  ...NAMED,
  calls: { 'GET /images/web/json': { body: { Id: `sha256:${ID}` } }, [USED]: { body: containers as never } },
})

export default {
  'podman/update': {
    summary: 'An update resets a restart policy that it does not name, and ignores NanoCpus.',
    see: 'pkg/api/handlers/compat/containers.go:UpdateContainer @v5.4.2, @v5.8.2',
    ops: [
      onEach(UpdateConfig, 'CPUs are a quota', {
        requestUp: (config) => {
          if (isUnset(config['NanoCpus'])) return
          Object.assign(config, {
            CpuPeriod: PERIOD_US,
            CpuQuota: Math.round((Number(config['NanoCpus']) / 1e9) * PERIOD_US),
          })
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
    summary: 'A restart without a time kills at once, and no time is -1.',
    see: 'pkg/api/handlers/compat/containers_restart.go @v5.4.2, @v5.8.2',
    ops: [
      headRetyped(['ContainerRestart', 'ContainerStop'], 'query t', {
        toNewer: (text) => (text === '-1' ? YEAR_S : undefined),
        samples: {
          toNewer: [
            ['-1', YEAR_S],
            ['5', '5'],
          ],
        },
      }),
      emulated('ContainerRestart', 'the time is that of the container', { part: 'head', requestUp: giveTime }),
    ],
    examples: {
      'ContainerRestart requestUp': [
        ['', 't=4', shown({ Config: { StopTimeout: 4 } })],
        ['t=3', 't=3'],
      ],
    },
  },
  'podman/stop-signal': {
    summary: 'A stop takes the signal of the container, not its own.',
    see: 'pkg/api/handlers/compat/containers_stop.go @v5.8.2',
    ops: callRefused(['ContainerStop', 'ContainerRestart'], 'a signal of its own for a stop', {
      ...{
        leg: 'requestUp',
        says: 'loss',
        words: () => 'Podman stops with the signal of the container (StopSignal), not with another',
      },
      finds: ({ query }, { target }) => (target < HAS_SIGNAL ? undefined : query.get('signal') || undefined),
      samples: [['signal=INT', 'INT', { client: '1.44', engine: '1.44' }]],
    }),
  },
  'podman/forced-image-removal': {
    summary: 'A forced removal of an image removes its containers.',
    see: 'pkg/domain/infra/abi/images.go:Remove @v5.4.2; refused from 5.6 on (DisableForceRemoveContainers)',
    ops: emulated('ImageDelete', 'an image with containers is not removed by force', {
      part: 'head',
      requestUp: keepContainers,
    }),
    examples: {
      'ImageDelete requestUp': [
        ['force=1', '', ofImage([{ Id: 'c1' }])],
        ['force=1', 'force=1', ofImage([])],
        ['', ''],
      ],
    },
  },
} satisfies PodmanChanges
