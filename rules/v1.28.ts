import type { JsonObject } from '../src/api/json/json.ts'
import { onlyIn } from '../src/api/shapes/shape.ts'
import { HostConfig, MountSpec, Network, UpdateConfig } from '../src/api/shapes/shapes.ts'
import {
  Service,
  ServiceSpec,
  SwarmInitRequest,
  SwarmJoinRequest,
  TaskContainerSpec,
  TaskPlacement,
} from '../src/api/shapes/swarm-shapes.ts'
import {
  added,
  type Changes,
  emulated,
  filled,
  filterAdded,
  filterApplied,
  queryAdded,
  retyped,
} from '../src/translate/ops.ts'
import { ZERO_TIME } from './by-hand/state-status.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'
import { fillContainers } from './emulate/looked-up-networks.ts'
import { nanoCpusAsQuota } from './v1.25/nano-cpus.ts'
import { hasPorts, portsAsked } from './v1.28/list-ports.ts'

const network = (Id: string, Containers: JsonObject) => ({ Id, Containers })

export default {
  '1.28/networks-list-containers': {
    gate: 'prefix',
    summary: 'The list of networks no longer has the containers of each network.',
    see: 'docs/api/version-history.md v1.28; api/server/router/network/network_routes.go:getNetworksList',
    ops: [
      emulated('NetworkList', 'the containers of each network come from its inspect', { responseDown: fillContainers }),
      retyped(onlyIn(Network, 'NetworkList'), 'Containers', { samples: [[{ c1: {} }, {}]], toNewer: () => ({}) }),
    ],
    examples: {
      'NetworkList responseDown body': [
        [
          [network('n1', {}), { Id: 'n2' }],
          [network('n1', { c1: {} }), network('n2', {})],
          {
            calls: {
              'GET /networks/n1': { body: { Containers: { c1: {} } } },
              'GET /networks/n2': { status: 404, body: 'network n2 not found' },
            },
          },
        ],
      ],
    },
  },
  '1.28/ps-publish-expose': {
    summary: 'Containers can be listed by the ports that they publish or expose.',
    see: 'docs/api/version-history.md v1.28; daemon/list.go:portOp, includeContainerInList @v17.05.0',
    ops: filterApplied('ContainerList', ['publish', 'expose'], {
      keeps: hasPorts,
      checks: portsAsked,
      samples: [
        {
          asks: '{"publish":["80-90"]}',
          keeps: { Ports: [{ PublicPort: 85, Type: 'tcp' }] },
          drops: { Ports: [{ PublicPort: 85, Type: 'udp' }].concat({ PublicPort: 91, Type: 'tcp' }) },
        },
        { asks: '{"expose":["80/udp"]}', keeps: { Ports: [{ PrivatePort: 80, Type: 'udp' }] }, drops: { Ports: [] } },
      ],
    }),
    examples: {
      'ContainerList requestDown': [
        ['filters={"expose":["0.0.0.0:80"]}', /^filter for 'expose' should not contain ':': 0\.0\.0\.0:80$/],
      ],
    },
  },
  '1.28/prune-filter-until': {
    summary: 'Prunes can spare what is newer than a moment.',
    see: 'daemon/prune.go @v17.03.2, @v17.04.0 (not in the documents)',
    // An engine without the filter would prune more than the client asked for.
    ops: filterAdded(['ContainerPrune', 'ImagePrune', 'NetworkPrune'], 'until', { newer: 'refuse' }),
  },
  '1.28/device-cgroup-rules': {
    summary: 'A container can have cgroup rules for devices.',
    ops: added(HostConfig, 'DeviceCgroupRules', { sample: ['c 1:3 r'], up: null, onLoss: 'refuse' }),
  },
  '1.28/mount-consistency': {
    summary: 'A mount can name its consistency requirement.',
    // A hint, for Docker Desktop only.
    ops: added(MountSpec, 'Consistency', { sample: 'cached', onLoss: 'ignore' }),
  },
  '1.28/update-nano-cpus': {
    summary: 'An update can set NanoCpus.',
    ops: added(UpdateConfig, 'NanoCpus', { sample: 1e9, onLoss: 'refuse', convert: nanoCpusAsQuota, request: 'keep' }),
    examples: {
      'ContainerUpdate requestDown body': [[{ NanoCpus: 1_500_000_000 }, { CpuPeriod: 100_000, CpuQuota: 150_000 }]],
    },
  },
  '1.28/build-extra-hosts': {
    summary: 'A build can have extra hosts.',
    ops: queryAdded('ImageBuild', 'extrahosts', { sample: 'a:10.0.0.1', onLoss: 'refuse' }),
  },
  '1.28/network-inspect-verbose': {
    summary: 'A network inspect can be verbose.',
    ops: queryAdded('NetworkInspect', 'verbose', { sample: '1', onLoss: 'ignore' }),
  },
  '1.28/swarm-members': swarmMembers({
    summary:
      'Services can have read-only containers, stop signals, placement preferences and rollback settings, and a node that joins its availability.',
    see: 'docs/api/version-history.md v1.28; docs/api/v1.28.yaml, ServiceSpec',
    members: [
      { of: TaskContainerSpec, samples: { ReadOnly: true, StopSignal: 'SIGINT' } },
      { of: TaskPlacement, samples: { Preferences: [{ Spread: { SpreadDescriptor: 'node.labels.zone' } }] } },
      { of: ServiceSpec, samples: { RollbackConfig: { Parallelism: 1 } } },
      { of: SwarmInitRequest, samples: { Availability: 'drain' }, neutral: 'active' },
      { of: SwarmJoinRequest, samples: { Availability: 'drain' }, neutral: 'active' },
    ],
    ops: [
      queryAdded('ServiceUpdate', 'rollback', { sample: 'previous', onLoss: 'refuse' }),
      // Older engines show it for services that were never updated (daemon/cluster/convert/service.go @v17.03.2).
      filled(Service, 'UpdateStatus', { StartedAt: ZERO_TIME, CompletedAt: ZERO_TIME }),
    ],
  }),
} satisfies Changes
