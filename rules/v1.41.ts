import { isObject, isUnset, memberAt } from '../src/api/json/json.ts'
import { ContainerListItem, HostConfig, Info, NetworkSettings } from '../src/api/shapes/shapes.ts'
import * as swarm from '../src/api/shapes/swarm-shapes.ts'
import {
  added,
  type Changes,
  emulated,
  eventsAdded,
  gated,
  omittedWhenEmpty,
  parameterAsFilter,
  queryAdded,
  retyped,
} from '../src/translate/ops.ts'
import { sharedByDefault } from './by-hand/cgroup-namespace.ts'
import { withoutIpv6Bindings, withoutIpv6Ports } from './by-hand/ipv6-ports.ts'
import { newerWarnings } from './by-hand/newer-warnings.ts'
import { isOwnPlatform } from './by-hand/platform.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'

const port = (address: string, number: number) => ({ IP: address, PrivatePort: number, Type: 'tcp' })

const SecurityOptions = ['name=cgroupns']

export default {
  '1.41/cgroupns-default': {
    gate: 'prefix', // for the default; the member itself has the gate release
    summary: 'A container can have a private cgroup namespace, the default on cgroup v2.',
    see: 'docs/api/version-history.md v1.41; container_routes.go:postContainersCreate',
    ops: [
      ...gated(
        { gate: 'release' },
        added(HostConfig, 'CgroupnsMode', { sample: 'private', up: '', onLoss: 'refuse', neutral: ['host'] }),
      ),
      emulated('ContainerCreate', 'the cgroup namespace is the host’s on cgroup v1', {
        // For old versions engines share it on cgroup v1 if create has a HostConfig. Info tells the version and the default.
        requestUp: async ({ body }, context) => {
          const host = memberAt(body, 'HostConfig')
          if (!isObject(host) || !isUnset(host['CgroupnsMode']) || context.engine.os === 'windows') return
          const info = await context.engineInfo()
          const isV1 = info !== undefined && info['CgroupVersion'] !== '2'
          // Policies refuse what only the bridge would have said.
          if (isV1 && !sharedByDefault(info)) host['CgroupnsMode'] = 'host'
        },
      }),
    ],
    examples: {
      'ContainerCreate requestUp body.HostConfig': [
        [{}, { CgroupnsMode: 'host' }, { calls: { 'GET /info': { body: { CgroupVersion: '1', SecurityOptions } } } }],
        [{}, {}, { calls: { 'GET /info': { body: { CgroupVersion: '1', SecurityOptions: [] } } } }],
        [{}, {}, { calls: { 'GET /info': { body: { CgroupVersion: '2', SecurityOptions } } } }],
      ],
    },
  },
  '1.41/ipv6-ports': {
    summary: 'A port published on all addresses is listed for IPv4 and IPv6; before, for IPv4 only.',
    // Scripts expect one line from `docker port`.
    see: 'moby #41622 (20.10.0); seen on engine 20.10; docker_cli_port_test.go @v1.9.1',
    ops: [
      retyped(ContainerListItem, 'Ports', {
        toOlder: withoutIpv6Ports,
        samples: [
          [
            [port('0.0.0.0', 80), port('::', 80), port('::', 81)],
            [port('0.0.0.0', 80), port('::', 81)],
          ],
          [[{ PrivatePort: 82, Type: 'tcp' }]],
        ],
      }),
      retyped(NetworkSettings, 'Ports', {
        toOlder: withoutIpv6Bindings,
        samples: [
          [
            { '80/tcp': [{ HostIp: '0.0.0.0' }, { HostIp: '::' }], '81/tcp': [{ HostIp: '::' }], '82/tcp': null },
            { '80/tcp': [{ HostIp: '0.0.0.0' }], '81/tcp': [{ HostIp: '::' }], '82/tcp': null },
          ],
        ],
      }),
    ],
  },
  '1.41/platform-create': {
    gate: 'prefix',
    summary: 'A container can be created for another platform.',
    see: 'docs/api/version-history.md v1.41; container_routes.go:postContainersCreate',
    ops: queryAdded('ContainerCreate', 'platform', { sample: 'linux/arm64', onLoss: 'refuse', neutral: isOwnPlatform }),
  },
  '1.41/stats-one-shot': {
    gate: 'prefix',
    summary: 'Stats can be read once, without a previous reading.',
    // An older engine answers more slowly, and with precpu_stats.
    ops: queryAdded('ContainerStats', 'one-shot', { sample: '1', onLoss: 'ignore' }),
  },
  '1.41/images-filter-param': {
    gate: 'prefix',
    prefixCodeGoneFrom: '1.52', // engine 29 takes it below 1.25 only
    summary: 'The list of images no longer takes the parameter `filter`; the filter `reference` replaces it.',
    see: 'docs/api/version-history.md v1.41; image_routes.go:getImagesJSON @v20.10',
    ops: parameterAsFilter('ImageList', 'filter', 'reference'),
  },
  '1.41/info-changes': {
    summary: 'Info has the cgroup version, and omits empty members of the classic Swarm.',
    see: 'docs/api/version-history.md v1.41; api/types/types.go:Info @v20.10',
    ops: [
      added(Info, 'CgroupVersion', { sample: '2', up: '1' }),
      added(Info, 'OSVersion', { sample: '12', up: '' }),
      added(Info, 'DefaultAddressPools', { sample: [{}] }),
      omittedWhenEmpty(Info, 'ClusterStore', '', { bothWays: true }),
      omittedWhenEmpty(Info, 'ClusterAdvertise', '', { bothWays: true }),
      omittedWhenEmpty(Info, 'SystemStatus', null, { bothWays: true }),
    ],
  },
  '1.41/prune-events': { summary: 'A prune is an event.', ops: eventsAdded({ Action: 'prune' }) },
  '1.41/swarm-members': swarmMembers({
    summary: 'Services can have capabilities, ulimits and a pids limit, and can be jobs.',
    droppedByPrefix: [
      { of: swarm.TaskContainerSpec, samples: { CapabilityAdd: ['CAP_NET_ADMIN'] } },
      { of: swarm.TaskContainerSpec, samples: { CapabilityDrop: ['CAP_CHOWN'] } },
      { of: swarm.TaskContainerSpec, samples: { Ulimits: [{ Name: 'nofile', Soft: 1, Hard: 1 }] } },
      { of: swarm.TaskLimits, samples: { Pids: 5 } },
      { of: swarm.ServiceMode, samples: { ReplicatedJob: { MaxConcurrent: 1 } }, saysByBeing: true },
      { of: swarm.ServiceMode, samples: { GlobalJob: {} }, saysByBeing: true },
    ],
    members: [
      { of: swarm.TaskPluginSpec, samples: { env: ['A=b'] } },
      { of: swarm.Service, samples: { ServiceStatus: { RunningTasks: 1 }, JobStatus: { JobIteration: { Index: 1 } } } },
      { of: swarm.Task, samples: { JobIteration: { Index: 1 } } },
    ],
    ops: queryAdded('ServiceList', 'status', { sample: '1', onLoss: 'ignore' }),
  }),
  '1.41/warnings': newerWarnings('daemon/create.go, daemon/daemon_unix.go @v20.10.24', [
    [
      "The requested image's platform (",
      'linux/arm64) does not match the detected host platform (linux/amd64) and no specific platform was requested',
    ],
    ['Your kernel does not support cgroup namespaces', '.  Cgroup namespace setting discarded.'],
  ]),
} satisfies Changes
