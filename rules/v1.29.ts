import { Healthcheck, Network, NetworkCreateRequest, PluginConfig } from '../src/api/shapes/shapes.ts'
import { SwarmInfo, TaskContainerSpec, TaskNetworkSpec, UpdatePolicy } from '../src/api/shapes/swarm-shapes.ts'
import type { Changes } from '../src/translate/change.ts'
import {
  added,
  endpointAdded,
  errorTexts,
  filled,
  filterAdded,
  filterApplied,
  queryAdded,
  recordDropped,
} from '../src/translate/ops.ts'
import { printed } from './by-hand/build-text.ts'
import { ZERO_TIME } from './by-hand/state-status.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'

const NO_CLUSTER = {
  ...{ ID: '', Version: {}, CreatedAt: ZERO_TIME, UpdatedAt: ZERO_TIME },
  Spec: {
    ...{ Orchestration: {}, Raft: { ElectionTick: 0, HeartbeatTick: 0 }, Dispatcher: {} },
    ...{ CAConfig: {}, TaskDefaults: {}, EncryptionConfig: { AutoLockManagers: false } },
  },
}

const PRUNES = ['ContainerPrune', 'ImagePrune', 'NetworkPrune', 'VolumePrune'] as const

export default {
  '1.29/health-start-period': {
    summary: 'A health check can have a start period.',
    ops: added(Healthcheck, 'StartPeriod', { sample: 1000000000, onLoss: 'warn' }),
  },
  '1.29/info-swarm': {
    summary: 'Info has a cluster and numbers of nodes only where there is a swarm.',
    see: 'api/types/swarm/swarm.go:Info @v17.04.0, @v17.05.0 (not in the documents)',
    ops: [filled(SwarmInfo, 'Nodes', 0), filled(SwarmInfo, 'Managers', 0), filled(SwarmInfo, 'Cluster', NO_CLUSTER)],
  },
  '1.29/network-ingress': {
    summary: 'A network can be the ingress network of the swarm.',
    ops: [
      added(Network, 'Ingress', { sample: true, up: false }),
      added(NetworkCreateRequest, 'Ingress', { sample: true, onLoss: 'refuse' }),
    ],
  },
  '1.29/network-filter-scope': {
    summary: 'Networks can be listed by scope.',
    ops: filterApplied('NetworkList', ['scope'], {
      keeps: { scope: (wanted, { Scope: scope = '' }) => wanted === scope },
      samples: [{ asks: '{"scope":["swarm"]}', keeps: { Scope: 'swarm' }, drops: { Scope: 'local' } }],
    }),
  },
  '1.29/prune-filter-label': {
    summary: 'Prunes can be limited by label.',
    // An engine without the filter would prune more than the client asked for.
    ops: ['label', 'label!'].map((key) => filterAdded(PRUNES, key, { newer: 'refuse' })),
  },
  '1.29/plugin-namespaces': {
    summary: 'A plugin can use namespaces of the host, and names the engine version it was made with.',
    see: 'api/types/plugin.go:PluginConfig @v17.04, @v17.05',
    ops: [
      added(PluginConfig, 'IpcHost', { sample: true, up: false }),
      added(PluginConfig, 'PidHost', { sample: true, up: false }),
      added(PluginConfig, 'DockerVersion', { sample: '17.05.0-ce' }),
    ],
  },
  '1.29/swarm-members': swarmMembers({
    summary: 'Services set the order of an update, and the credentials and SELinux context of their containers.',
    see: 'docs/api/version-history.md v1.29; docs/api/v1.29.yaml, ServiceSpec',
    members: [
      { of: UpdatePolicy, samples: { Order: 'start-first' }, neutral: 'stop-first' },
      { of: TaskContainerSpec, samples: { Privileges: { SELinuxContext: { Disable: false, Type: 't' } } } },
      { of: TaskNetworkSpec, samples: { Ingress: true } },
    ],
    ops: queryAdded('ServiceInspect', 'insertDefaults', { sample: '1', onLoss: 'ignore' }),
  }),
  '1.29/build-target': {
    summary: 'A build can stop at a stage.',
    see: 'docs/api/v1.37.yaml (described late); build_routes.go:newImageBuildOptions @v17.05.0',
    // Without it the image of another stage would be built and tagged; engines that have it obey it at every prefix.
    ops: queryAdded('ImageBuild', 'target', { sample: 'test', onLoss: 'refuse', request: 'keep' }),
  },
  '1.29/task-logs': {
    summary: 'The logs of a single task can be read.',
    see: 'docs/api/v1.29.yaml, Tasks',
    ops: endpointAdded('TaskLogs', { missing: 501 }),
  },
  '1.29/build-tagged-text': {
    summary: 'A build prints the tags of its image.',
    see: 'builder/dockerfile/builder.go @v17.05.0-ce, @v17.04.0-ce',
    ops: recordDropped(
      'ImageBuild',
      'lines about tags are left out',
      (record) => printed(record)?.startsWith('Successfully tagged ') ?? false,
      {
        drops: [{ stream: 'Successfully tagged a:b\n' }],
        keeps: [{ stream: 'Successfully built 0a\n' }],
        elementwise: true,
      },
    ),
  },
  '1.29/error-words': {
    summary:
      'Errors name the state of a container that cannot be removed, the plugin of an unknown log driver, and the driver of logs that cannot be read.',
    see: 'daemon/delete.go:cleanupContainer, daemon/logger @v1.13.1, @v17.03.2-ce, @v17.05.0-ce',
    ops: errorTexts(`
      ContainerDelete
        You cannot remove a {state=running|restarting|paused} container {word}. {rest}
          down You cannot remove a running container {word}. Stop the container before attempting removal or use -f
          # 1.25/error-words makes the errors of engines up to 1.12.
          1.24
      ContainerCreate
        error looking up logging plugin {word}: plugin "{plugin}" not found
          down 500 logger: no log driver named '{word}' is registered
          1.24
      ContainerLogs
        configured logging driver does not support reading
          down 500 configured logging reader does not support reading
    `),
  },
} satisfies Changes
