import { isObject } from '../src/api/json/json.ts'
import { HostConfig, Info } from '../src/api/shapes/shapes.ts'
import {
  Service,
  ServiceMode,
  Task,
  TaskContainerSpec,
  TaskLimits,
  TaskPluginSpec,
} from '../src/api/shapes/swarm-shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { added, byHand, emulated, gated, queryAdded, recordDropped } from '../src/translate/ops.ts'
import { editFilters } from './by-hand/filters.ts'
import { leftOutWhenEmpty } from './by-hand/left-out.ts'
import { newerWarnings } from './by-hand/newer-warnings.ts'
import { isOwnPlatform } from './by-hand/platform-name.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'
import { shareCgroupNamespace } from './emulate/cgroup-namespace.ts'

export default [
  {
    id: '1.41/cgroupns-default',
    gate: 'prefix', // of the default; the member itself is the engine's age
    summary: 'A container may have a cgroup namespace of its own, and has one on cgroup v2.',
    see: 'docs/api/version-history.md v1.41; container_routes.go:postContainersCreate',
    ops: [
      ...gated(
        { gate: 'release' },
        added(HostConfig, 'CgroupnsMode', { up: '', onLoss: 'refuse', neutral: (value) => value === 'host' }),
      ),
      emulated('ContainerCreate', 'the host’s cgroup namespace is asked for on cgroup v1', {
        requestUp: shareCgroupNamespace,
      }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { Memory: 5 } } },
        calls: { 'GET /info': { body: { CgroupVersion: '1' } } },
        after: { body: { HostConfig: { Memory: 5, CgroupnsMode: 'host' } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { Memory: 5 } } },
        calls: { 'GET /info': { body: { CgroupVersion: '2' } } },
        after: { body: { HostConfig: { Memory: 5 } } },
      },
      { on: 'ContainerCreate', leg: 'requestUp', before: { body: { Image: 'i' } }, after: { body: { Image: 'i' } } },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { CgroupnsMode: 'host' } } },
        after: { body: { HostConfig: {} } },
        losses: [],
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { CgroupnsMode: 'private' } } },
        after: { refused: /HostConfig\.CgroupnsMode/ },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { HostConfig: { CgroupnsMode: 'host' } } },
        after: { body: { HostConfig: {} } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        before: { body: { HostConfig: {} } },
        after: { body: { HostConfig: { CgroupnsMode: '' } } },
      },
    ],
  },
  {
    id: '1.41/platform-create',
    gate: 'prefix',
    summary: 'A container may be made for another platform.',
    see: 'docs/api/version-history.md v1.41; container_routes.go:postContainersCreate',
    ops: [queryAdded('ContainerCreate', 'platform', { onLoss: 'refuse', neutral: isOwnPlatform })],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { query: 'name=a&platform=linux/arm64' },
        after: { query: 'name=a' },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { query: 'platform=linux/amd64' },
        after: { query: '' },
        losses: [],
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { query: 'platform=linux/arm64' },
        after: { refused: /query parameter platform/ },
      },
    ],
  },
  {
    id: '1.41/stats-one-shot',
    gate: 'prefix',
    summary: 'Stats may be read once, without the reading before.',
    see: 'docs/api/version-history.md v1.41',
    ops: [queryAdded('ContainerStats', 'one-shot', { onLoss: 'ignore' })], // slower, and with precpu_stats
    examples: [
      {
        on: 'ContainerStats',
        leg: 'requestUp',
        before: { query: 'stream=0&one-shot=1' },
        after: { query: 'stream=0' },
      },
      {
        on: 'ContainerStats',
        leg: 'requestDown',
        before: { query: 'stream=0&one-shot=1' },
        after: { query: 'stream=0' },
      },
    ],
  },
  {
    id: '1.41/images-filter-param',
    gate: 'prefix',
    summary: 'The parameter filter of the list of images is gone; the filter reference says the same.',
    see: 'docs/api/version-history.md v1.41; image_routes.go:getImagesJSON @v20.10',
    ops: [
      byHand('ImageList', 'the parameter becomes a filter', {
        part: 'head',
        requestUp: ({ query }) => {
          const name = query.get('filter')
          query.delete('filter')
          if (name !== null && name !== '')
            editFilters(query, (filters) => filters.set('reference', [...(filters.get('reference') ?? []), name]))
        },
      }),
    ],
    examples: [
      {
        on: 'ImageList',
        leg: 'requestUp',
        before: { query: 'all=1&filter=busybox*' },
        after: { query: 'all=1&filters={"reference":{"busybox*":true}}' },
      },
      {
        on: 'ImageList',
        leg: 'requestUp',
        before: { query: 'filter=&filters={"label":["a"]}' },
        after: { query: 'filters={"label":["a"]}' },
      },
    ],
  },
  {
    id: '1.41/info-changes',
    gate: 'release',
    summary: 'Info names the cgroup version, and leaves out what belonged to the first swarm.',
    see: 'docs/api/version-history.md v1.41; api/types/types.go:Info @v20.10',
    ops: [
      added(Info, 'CgroupVersion', { up: '1', onLoss: 'ignore' }),
      added(Info, 'OSVersion', { up: '', onLoss: 'ignore' }),
      added(Info, 'DefaultAddressPools', { onLoss: 'ignore' }),
      ...leftOutWhenEmpty(Info, 'ClusterStore', ''),
      ...leftOutWhenEmpty(Info, 'ClusterAdvertise', ''),
      ...leftOutWhenEmpty(Info, 'SystemStatus', null),
    ],
    examples: [
      {
        on: 'SystemInfo',
        leg: 'responseDown',
        before: { body: { Name: 'h', CgroupVersion: '2', OSVersion: '12', DefaultAddressPools: [] } },
        after: { body: { Name: 'h', ClusterStore: '', ClusterAdvertise: '', SystemStatus: null } },
      },
      {
        on: 'SystemInfo',
        leg: 'responseUp',
        before: { body: { Name: 'h', ClusterStore: '', ClusterAdvertise: 'a:1', SystemStatus: null } },
        after: { body: { Name: 'h', ClusterAdvertise: 'a:1', CgroupVersion: '1', OSVersion: '' } },
      },
    ],
  },
  {
    id: '1.41/prune-events',
    gate: 'release',
    summary: 'A prune is an event.',
    see: 'docs/api/version-history.md v1.41',
    ops: [
      recordDropped(
        'SystemEvents',
        'a prune is an event',
        (record) => isObject(record) && (record['Action'] === 'prune' || record['status'] === 'prune'),
      ),
    ],
    examples: [
      {
        on: 'SystemEvents',
        leg: 'responseDown',
        before: { body: { Type: 'volume', Action: 'prune', Actor: { Attributes: { reclaimed: '0' } } } },
        after: 'dropped',
      },
      {
        on: 'SystemEvents',
        leg: 'responseDown',
        before: { body: { Type: 'volume', Action: 'create' } },
        after: { body: { Type: 'volume', Action: 'create' } },
      },
    ],
  },
  swarmMembers({
    id: '1.41/swarm-members',
    summary: 'Services take capabilities, ulimits and a limit of pids, and may be jobs.',
    see: 'docs/api/version-history.md v1.41',
    members: [
      { of: TaskContainerSpec, name: 'CapabilityAdd', sample: ['CAP_NET_ADMIN'], droppedByPrefix: true },
      { of: TaskContainerSpec, name: 'CapabilityDrop', sample: ['CAP_CHOWN'], droppedByPrefix: true },
      { of: TaskContainerSpec, name: 'Ulimits', sample: [{ Name: 'nofile', Soft: 1, Hard: 1 }], droppedByPrefix: true },
      { of: TaskLimits, name: 'Pids', sample: 5, droppedByPrefix: true },
      {
        of: ServiceMode,
        name: 'ReplicatedJob',
        sample: { MaxConcurrent: 1 },
        droppedByPrefix: true,
        saysByBeing: true,
      },
      { of: ServiceMode, name: 'GlobalJob', sample: {}, droppedByPrefix: true, saysByBeing: true },
      { of: TaskPluginSpec, name: 'env', sample: ['A=b'] },
      { of: Service, name: 'ServiceStatus', sample: { RunningTasks: 1 }, onLoss: 'ignore' },
      { of: Service, name: 'JobStatus', sample: { JobIteration: { Index: 1 } }, onLoss: 'ignore' },
      { of: Task, name: 'JobIteration', sample: { Index: 1 }, onLoss: 'ignore' },
    ],
    queries: [{ on: 'ServiceList', name: 'status', sample: '1', onLoss: 'ignore' }],
  }),
  newerWarnings('1.41', 'daemon/create.go, daemon/daemon_unix.go @v20.10.24', [
    {
      text: /^The requested image's platform \(/,
      sample:
        "The requested image's platform (linux/arm64) does not match the detected host platform (linux/amd64) and no specific platform was requested",
    },
    {
      text: /^Your kernel does not support cgroup namespaces/,
      sample: 'Your kernel does not support cgroup namespaces.  Cgroup namespace setting discarded.',
    },
  ]),
] satisfies Change[]
