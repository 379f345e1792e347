import { response, shape } from '../src/api/shapes/shape.ts'
import { DataUsage, ImageInspect, Info } from '../src/api/shapes/shapes.ts'
import { SwarmInitRequest, SwarmInspection } from '../src/api/shapes/swarm-shapes.ts'
import {
  added,
  byHand,
  type Changes,
  callRefused,
  gated,
  headRetyped,
  isTrue,
  only,
  queryAdded,
  retyped,
} from '../src/translate/ops.ts'
import { newerWarnings } from './by-hand/newer-warnings.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'

const BuildPruned = shape('BuildPruned', '', [response('BuildPrune')])

export default {
  '1.39/info-unknown': {
    gate: 'prefix',
    prefixCodeGoneFrom: '1.52',
    summary: 'Facts that the engine cannot determine about its host are empty; before, <unknown>.',
    see: 'docs/api/version-history.md v1.39; system_routes.go:getInfo @v18.09.0 … @v28.5.2',
    ops: ['KernelVersion', 'OperatingSystem'].map((member) => retyped(Info, member, { pairs: [['<unknown>', '']] })),
  },
  '1.39/info-warnings': {
    summary: 'Info has warnings and the licence, disk usage the build cache, its prune filters, images a variant.',
    see: 'docs/api/version-history.md v1.39; recording 20.10, info (Warnings null)',
    ops: [
      added(Info, 'Warnings', { sample: ['w'], up: null }),
      added(Info, 'ProductLicense', { sample: 'Community' }),
      added(SwarmInspection, 'DefaultAddrPool', { sample: ['10.0.0.0/8'] }),
      added(SwarmInspection, 'SubnetSize', { sample: 24 }),
      ...gated({ from: '1.38' }, added(DataUsage, 'BuildCache', { sample: [{}] })), // api/types/types.go @v18.06.3
      ...gated({ from: '1.31' }, added(DataUsage, 'BuilderSize', { sample: 1, up: 0 })), // docs/api/v1.31.yaml
      ...gated({ from: '1.41' }, added(ImageInspect, 'Variant', { sample: 'v7' })), // documented early: api/types @v20.10
      // An engine without them would prune more than the client asked for.
      queryAdded('BuildPrune', 'filters', {
        sample: '{"until":["1h"]}',
        onLoss: 'refuse',
        neutral: ['{}'],
        request: 'keep',
      }),
      queryAdded('BuildPrune', 'keep-storage', { sample: '5', onLoss: 'refuse', neutral: ['0'], request: 'keep' }),
    ],
  },
  '1.39/builder-version': {
    summary: 'Builds can use BuildKit, and a ping names the builder that the engine prefers.',
    see: 'docs/api/v1.39.yaml; build_routes.go:postBuild @v18.09.0',
    ops: [
      headRetyped(['SystemPing', 'SystemPingHead'], 'response header Builder-Version', { toOlder: null }),
      headRetyped('ImageBuild', 'query version', {
        samples: [['1', null]],
        toNewer: (_version, { query }) => (query.has('session') ? undefined : null),
        description: 'the version of a build without a session is left out',
      }),
      // 1 is the classic builder, 2 is BuildKit.
      ...only(
        { legs: ['requestDown'] },
        queryAdded('ImageBuild', 'version', { sample: '2', neutral: ['1'], onLoss: 'refuse' }),
      ),
    ],
    examples: {
      'ImageBuild requestUp': [
        // A Docker CLI pinned to an older version still chooses BuildKit: without `version` its build made no image.
        ['session=s&version=2'],
      ],
    },
  },
  '1.39/swarm-members': swarmMembers({
    summary: 'A swarm has address pools.',
    see: 'docs/api/version-history.md v1.39; docs/api/v1.39.yaml',
    droppedByPrefix: [
      { of: SwarmInitRequest, samples: { DefaultAddrPool: ['10.0.0.0/8'] } },
      // The size of all engines; command lines always send it (cli/command/swarm/init.go @v28.5.2).
      { of: SwarmInitRequest, samples: { SubnetSize: 16 }, neutral: 24 },
    ],
  }),
  '1.39/build-prune-all': {
    summary: 'A prune of the build cache removes dangling records, or all of them with `all`; before, always all.',
    see: 'docs/api/v1.39.yaml, BuildPrune; build/backend.go:PruneCache @v18.06, @v18.09',
    ops: [
      byHand('BuildPrune', 'an older client prunes all', {
        part: 'head',
        requestUp: ({ query }) => {
          // Engines obey these at every version, and command lines pinned to an older one send them.
          const isPart = ['filters', 'keep-storage'].some((name) => !/^(?:\{\}|0?)$/.test(query.get(name) ?? ''))
          if (!query.has('all') && !isPart) query.set('all', '1')
        },
      }),
      callRefused('BuildPrune', 'pruning dangling records only', {
        onLoss: 'warn',
        finds: ({ query }) => {
          const all = isTrue(query.get('all'))
          query.delete('all')
          return all ? undefined : 'pruning dangling records only'
        },
        samples: [['', 'pruning dangling records only']],
      }),
      added(BuildPruned, 'CachesDeleted', { sample: ['a'] }),
    ],
    examples: {
      'BuildPrune requestUp': [
        ['', 'all=1'],
        ['filters={}&keep-storage=0', 'filters={}&keep-storage=0&all=1'],
        ['filters={"until":["100h"]}'],
        ['keep-storage=5'],
      ],
      'BuildPrune requestDown': [['all=1', '']],
    },
  },
  '1.39/warnings': newerWarnings('daemon/daemon_unix.go:verifyPlatformContainerSettings @v18.09.9', [
    ['Published ports are discarded when using host network mode', ''],
  ]),
} satisfies Changes
