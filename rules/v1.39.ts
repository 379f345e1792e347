import { isObject } from '../src/api/json/json.ts'
import type { Shape } from '../src/api/shapes/shape.ts'
import { DataUsage, ImageInspect, Info } from '../src/api/shapes/shapes.ts'
import { SwarmInitRequest } from '../src/api/shapes/swarm-shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { added, byHand, gated, queryAdded, responseHeader, retyped } from '../src/translate/ops.ts'
import { newerWarnings } from './by-hand/newer-warnings.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'

const SwarmCluster: Shape = {
  name: 'Cluster',
  members: [],
  places: [
    { operation: 'SystemInfo', side: 'response', path: 'Swarm.Cluster' },
    { operation: 'SwarmInspect', side: 'response', path: '' },
  ],
}

export default [
  {
    id: '1.39/info-unknown',
    gate: 'prefix',
    prefixCodeGoneFrom: '1.52',
    summary: 'What the engine cannot find out about its host is empty; before, it said <unknown>.',
    see: 'docs/api/version-history.md v1.39; system_routes.go:getInfo @v18.09.0 … @v28.5.2',
    ops: ['KernelVersion', 'OperatingSystem'].map((member) =>
      retyped(Info, member, {
        toOlder: (value) => (value === '' ? '<unknown>' : undefined),
        toNewer: (value) => (value === '<unknown>' ? '' : undefined),
      }),
    ),
    examples: [
      {
        on: 'SystemInfo',
        leg: 'responseDown',
        before: { body: { KernelVersion: '', OperatingSystem: 'Debian' } },
        after: { body: { KernelVersion: '<unknown>', OperatingSystem: 'Debian' } },
      },
      {
        on: 'SystemInfo',
        leg: 'responseUp',
        before: { body: { KernelVersion: '6.1', OperatingSystem: '<unknown>' } },
        after: { body: { KernelVersion: '6.1', OperatingSystem: '' } },
      },
    ],
  },
  {
    id: '1.39/info-warnings',
    gate: 'release',
    summary: 'Warnings and licence in info, the build cache in the disk usage and its pruning, variants of images.',
    see: 'docs/api/version-history.md v1.39; recording 20.10, info (Warnings null)',
    ops: [
      added(Info, 'Warnings', { up: null, onLoss: 'ignore' }),
      added(Info, 'ProductLicense', { onLoss: 'ignore' }),
      added(SwarmCluster, 'DefaultAddrPool', { onLoss: 'ignore' }),
      added(SwarmCluster, 'SubnetSize', { onLoss: 'ignore' }),
      added(DataUsage, 'BuildCache', { onLoss: 'ignore' }),
      ...gated({ from: '1.31' }, added(DataUsage, 'BuilderSize', { up: 0, onLoss: 'ignore' })), // docs/api/v1.31.yaml
      ...gated({ from: '1.41' }, added(ImageInspect, 'Variant', { onLoss: 'ignore' })), // documented early: api/types @v20.10
      // An engine that does not know them would prune more than was asked.
      queryAdded('BuildPrune', 'filters', { onLoss: 'refuse', neutral: (value) => value === '{}' }),
      queryAdded('BuildPrune', 'keep-storage', { onLoss: 'refuse', neutral: (value) => value === '0' }),
    ],
    examples: [
      {
        on: 'SystemInfo',
        leg: 'responseDown',
        before: { body: { Warnings: null, Swarm: { Cluster: { ID: 's', DefaultAddrPool: [], SubnetSize: 24 } } } },
        after: { body: { Swarm: { Cluster: { ID: 's' } } } },
      },
      {
        on: 'SystemInfo',
        leg: 'responseUp',
        before: { body: { Name: 'host' } },
        after: { body: { Name: 'host', Warnings: null } },
      },
      {
        on: 'SystemDataUsage',
        leg: 'responseDown',
        before: { body: { LayersSize: 5, BuildCache: [] } },
        after: { body: { LayersSize: 5 } },
      },
      {
        on: 'SystemDataUsage',
        leg: 'responseDown',
        client: '1.30',
        engine: '1.31',
        before: { body: { LayersSize: 5, BuilderSize: 0 } },
        after: { body: { LayersSize: 5 } },
      },
      { on: 'BuildPrune', leg: 'requestUp', before: { query: 'keep-storage=5' }, after: { query: '' } },
      {
        on: 'BuildPrune',
        leg: 'requestDown',
        before: { query: 'keep-storage=5' },
        after: { refused: /query parameter keep-storage/ },
      },
    ],
  },
  {
    id: '1.39/builder-version',
    gate: 'release',
    summary: 'Builds may be made by BuildKit, and a ping says which builder the engine prefers.',
    see: 'docs/api/v1.39.yaml; build_routes.go:postBuild @v18.09.0',
    ops: [
      responseHeader(['SystemPing', 'SystemPingHead'], 'Builder-Version', { before: null }),
      queryAdded('ImageBuild', 'version', { onLoss: 'refuse', neutral: (value) => value === '1' }),
    ],
    examples: [
      {
        on: 'SystemPing',
        leg: 'responseDown',
        before: { headers: { 'Builder-Version': '2', 'Api-Version': '1.51' } },
        after: { headers: { 'Builder-Version': null, 'Api-Version': '1.51' } },
      },
      { on: 'ImageBuild', leg: 'requestUp', before: { query: 't=x&version=1' }, after: { query: 't=x' } },
      { on: 'ImageBuild', leg: 'requestDown', before: { query: 'version=1' }, after: { query: '' }, losses: [] },
      {
        on: 'ImageBuild',
        leg: 'requestDown',
        before: { query: 'version=2' },
        after: { refused: /query parameter version/ },
      },
    ],
  },
  swarmMembers({
    id: '1.39/swarm-members',
    summary: 'A swarm has address pools.',
    see: 'docs/api/version-history.md v1.39; docs/api/v1.39.yaml',
    members: [
      { of: SwarmInitRequest, name: 'DefaultAddrPool', sample: ['10.0.0.0/8'], droppedByPrefix: true },
      { of: SwarmInitRequest, name: 'SubnetSize', sample: 24, droppedByPrefix: true },
    ],
  }),
  {
    id: '1.39/build-prune-all',
    gate: 'release',
    summary: 'A prune of the build cache takes what dangles, or all; before it always took all.',
    see: 'docs/api/v1.39.yaml, BuildPrune; build/backend.go:PruneCache @v18.06, @v18.09',
    ops: [
      queryAdded('BuildPrune', 'all', { onLoss: 'ignore' }),
      byHand('BuildPrune', 'the names of what was taken are new', {
        stripsNewer: true,
        responseDown: ({ body }) => {
          if (isObject(body)) delete body['CachesDeleted']
        },
      }),
    ],
    examples: [
      { on: 'BuildPrune', leg: 'requestUp', before: { query: 'all=1' }, after: { query: '' } },
      { on: 'BuildPrune', leg: 'requestDown', before: { query: 'all=1' }, after: { query: '' } },
      {
        on: 'BuildPrune',
        leg: 'responseDown',
        before: { body: { CachesDeleted: ['a'], SpaceReclaimed: 5 } },
        after: { body: { SpaceReclaimed: 5 } },
      },
    ],
  },
  newerWarnings('1.39', 'daemon/daemon_unix.go:verifyPlatformContainerSettings @v18.09.9', [
    {
      text: /^Published ports are discarded when using host network mode$/,
      sample: 'Published ports are discarded when using host network mode',
    },
  ]),
] satisfies Change[]
