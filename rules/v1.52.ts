import { Refusal } from '../src/api/errors.ts'
import { onlyIn } from '../src/api/shapes/shape.ts'
import { ContainerListItem, EndpointSettings, Network, StatsRecord } from '../src/api/shapes/shapes.ts'
import { TaskResources } from '../src/api/shapes/swarm-shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { added, byHand, gated, omittedWhenEmpty, queryAdded } from '../src/translate/ops.ts'
import { legacyUsage } from './by-hand/disk-usage.ts'
import { refuseKernelMemory } from './by-hand/kernel-memory.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'
import { eventsLegacy } from './v1.52/events.ts'
import { imageInspectOmitEmpty, inspectStorage } from './v1.52/images.ts'
import { networkSettingsFlat } from './v1.52/network-settings.ts'
import { strictTypes } from './v1.52/strict-types.ts'

/** A value under the new name wins. */
function rename(query: URLSearchParams, from: string, to: string): void {
  const value = query.get(from)
  query.delete(from)
  if (value !== null && !query.has(to)) query.set(to, value)
}

export default [
  strictTypes,
  networkSettingsFlat,
  eventsLegacy,
  inspectStorage,
  imageInspectOmitEmpty,
  {
    id: '1.52/system-df',
    gate: 'prefix',
    summary: 'Disk usage is told by kind, with totals; the flat lists come only without verbose.',
    see: 'docs/api/version-history.md v1.52; recordings `29-arrays` 231-system-df',
    ops: [
      // Only a client of 1.52 on may do without the flat lists.
      queryAdded('SystemDataUsage', 'verbose', { sample: '1', onLoss: 'ignore' }),
      byHand('SystemDataUsage', 'the flat lists are the items of each kind', {
        stripsNewer: true,
        responseDown: ({ body }) => legacyUsage(body),
      }),
    ],
    examples: {
      'SystemDataUsage responseDown': [
        [
          { body: { LayersSize: 7, Images: [], ImageUsage: { TotalSize: 7 }, VolumeUsage: {} } },
          { body: { LayersSize: 7, Images: [], Containers: [], Volumes: [], BuildCache: [] } },
        ],
        [
          { body: { ImageUsage: { TotalSize: 7, Items: [{ Id: 'i' }] }, ContainerUsage: { Items: [{ Id: 'c' }] } } },
          { body: { LayersSize: 7, Images: [{ Id: 'i' }], Containers: [{ Id: 'c' }], Volumes: [], BuildCache: [] } },
        ],
      ],
    },
  },
  {
    id: '1.52/platform-multi',
    gate: 'prefix',
    summary: 'Several platforms in one save or load; state of a network’s addresses, health in the list.',
    see: 'docs/api/version-history.md v1.52',
    ops: [
      byHand(['ImageGet', 'ImageGetAll', 'ImageLoad'], 'platform may stand several times', {
        onLoss: 'refuse',
        loses: 'more than one platform',
        losesOn: 'requestDown',
        part: 'head',
        requestUp: ({ query }) => {
          if (query.getAll('platform').length > 1)
            throw new Refusal('bad-request', 'multiple platform parameters not supported')
        },
        requestDown: ({ query }, context, change) => {
          if (query.getAll('platform').length > 1)
            context.lose({ what: 'more than one platform', needs: change.version, change: change.id, onLoss: 'refuse' })
        },
      }),
      added(Network, 'Status', { sample: { IPAM: {} }, onLoss: 'ignore' }),
      ...gated(
        { gate: 'release' },
        // Not filled in the list since 1.28, and since engine 29 not written either.
        omittedWhenEmpty(onlyIn(Network, 'NetworkList'), 'Containers', {}),
      ),
      added(ContainerListItem, 'Health', { sample: { Status: 'none' }, onLoss: 'ignore' }),
      // Engine 29 says it at every version (recorded at 1.44).
      ...gated({ gate: 'release' }, added(StatsRecord, 'os_type', { sample: 'linux', onLoss: 'ignore' })),
    ],
    examples: {
      'ImageGet requestUp': [['platform=a&platform=b', /multiple platform/]],
      'ImageLoad requestDown': [['platform=a&platform=b', /more than one platform .* needs API 1\.52/]],
    },
  },
  {
    id: '1.52/connect-mac',
    gate: 'prefix',
    from: '1.54', // ignored before, whatever the documents of 1.52 say (network_routes.go:postNetworkConnect)
    summary: 'A container that is connected to a network may be given a MAC address there.',
    see: 'docs/api/version-history.md v1.54; api/server/router/network/network_routes.go:postNetworkConnect',
    ops: [
      added(onlyIn(EndpointSettings, 'NetworkConnect'), 'MacAddress', { sample: '02:42:ac:11:00:02', onLoss: 'warn' }),
    ],
  },
  swarmMembers({
    id: '1.52/swarm-members',
    summary: 'Services say how much may be swapped.',
    see: 'docs/api/version-history.md v1.52',
    members: [
      { of: TaskResources, name: 'SwapBytes', sample: 5 },
      { of: TaskResources, name: 'MemorySwappiness', sample: 5 },
    ],
  }),
  {
    id: '1.52/keep-storage-renamed',
    gate: 'prefix',
    summary: 'What a prune of the build cache keeps is called reserved-space, as it could be since 1.48.',
    see: 'docs/api/version-history.md v1.48, v1.52',
    ops: [
      byHand('BuildPrune', 'the parameter has its other name', {
        part: 'head',
        requestUp: ({ query }) => rename(query, 'keep-storage', 'reserved-space'),
      }),
    ],
    examples: {
      'BuildPrune requestUp': [
        ['all=1&keep-storage=5', 'all=1&reserved-space=5'],
        ['keep-storage=5&reserved-space=7', 'reserved-space=7'],
      ],
    },
  },
  {
    id: '1.52/kernel-memory-tcp-ignored',
    gate: 'prefix',
    summary: 'A limit of kernel memory for TCP is ignored.',
    see: 'docs/api/version-history.md v1.52',
    ops: [
      byHand(['ContainerCreate', 'ContainerUpdate'], 'a limit that the engine would ignore', {
        onLoss: 'refuse',
        loses: 'a limit of kernel memory for TCP',
        requestUp: refuseKernelMemory,
      }),
    ],
    examples: {
      'ContainerCreate requestUp': [
        [{ body: { HostConfig: { KernelMemoryTCP: 5000000 } } }, /KernelMemoryTCP is not supported by the engine/],
      ],
      'ContainerUpdate requestUp': [[{ body: { Memory: 5, KernelMemoryTCP: 0 } }, { body: { Memory: 5 } }]],
    },
  },
] satisfies Change[]
