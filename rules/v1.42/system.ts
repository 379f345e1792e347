import { ProxyError } from '../../src/api/errors.ts'
import {
  fromInteger,
  integer,
  isObject,
  type JsonObject,
  type JsonValue,
  listOf,
  memberAt,
} from '../../src/api/json/json.ts'
import { response, shape } from '../../src/api/shapes/shape.ts'
import { DataUsage, Info, MountSpec, RegistryConfig, Volume, VolumeCreateRequest } from '../../src/api/shapes/shapes.ts'
import { NodeDescription, Task } from '../../src/api/shapes/swarm-shapes.ts'
import type { Changes } from '../../src/translate/change.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { editFilters } from '../../src/translate/ops/calls/filter-values.ts'
import {
  added,
  byHand,
  callRefused,
  endpointAdded,
  gated,
  headRetyped,
  queryAdded,
  removed,
  retyped,
  shownAtEveryVersion,
} from '../../src/translate/ops.ts'
import { KINDS } from '../by-hand/disk-usage.ts'
import { eachOf, eachText } from '../by-hand/each-text.ts'
import { meansAll, takesAllVolumes } from '../by-hand/pruned-volumes.ts'
import { swarmMembers } from '../by-hand/swarm-members.ts'
import { UNDISTRIBUTABLE } from '../v1.30.ts'
import jsonErrors from './json-errors.ts'

const CacheRecord = shape('BuildCacheRecord', '', [response('SystemDataUsage', 'BuildCache.[]')])

/** The space is the engines’ own, and their clients’ (api/types/types.go @v23.0.0, api/types/build/cache.go @docker-v29.7.2). */
const PARENTS = ' Parents'

const BUILTIN = 'name=seccomp,profile=builtin'
const DEFAULT = 'name=seccomp,profile=default'
const ANONYMOUS = 'com.docker.volume.anonymous'

/** The sum of the records of the build cache. */
const cacheSize = ({ BuildCache: records }: JsonObject): JsonValue =>
  fromInteger(listOf(records).reduce((sum, record) => sum + (integer(memberAt(record, 'Size')) ?? 0n), 0n))

/** Empties the members of the types that the client did not request, as 28.5 does for type=image. */
function blankOthers({ body }: ResponseMessage, { call }: StepContext): void {
  const types = call.query.getAll('type')
  if (!isObject(body) || types.length === 0) return
  if (!types.includes('image')) body['LayersSize'] = 0
  for (const { type, list } of KINDS) if (!types.includes(type)) body[list] = null
}

export default {
  '1.42/registry-lists': {
    summary: 'Info has null for empty lists of RegistryConfig; before, [].',
    see: 'recordings of 20.10 (lists), 26.1 (Mirrors null) and 28.5 (all three null)',
    ops: ['Mirrors', ...UNDISTRIBUTABLE].map((list) => retyped(RegistryConfig, list, { toOlder: [[null, []]] })),
  },
  '1.42/seccomp-builtin': {
    summary: 'The seccomp profile that an engine has by default is named builtin in info; before, default.',
    // Docker’s command line 18.09 to 19.03 warns of any other name, and security checks of hosts look for it.
    see: 'daemon/info.go @v20.10.24, @v23.0.0; docker/cli command/system/info.go @v18.09.0, @v19.03.0; seen on 20.10 and 28.5',
    ops: retyped(Info, 'SecurityOptions', {
      samples: eachOf({
        [BUILTIN]: DEFAULT,
        'name=seccomp,profile=/p.json': 'name=seccomp,profile=/p.json',
        'name=cgroupns': 'name=cgroupns',
      }),
      toOlder: (value) => eachText(value, (option) => (option === BUILTIN ? DEFAULT : option)),
    }),
  },
  '1.42/volumes-prune': {
    gate: 'prefix',
    summary: 'A prune of volumes removes anonymous ones, or all if requested; before, always all.',
    see: 'docs/api/version-history.md v1.42; volume_routes.go:postVolumesPrune',
    ops: [
      byHand('VolumePrune', 'an older client prunes all volumes', {
        part: 'head',
        requestUp: ({ query }) =>
          editFilters(query, (filters) => {
            // Engines up to 20.10 refuse any value, newer ones at these versions all but `true`.
            if (!meansAll(filters.get('all') ?? ['true'])) throw new ProxyError('validation', "Invalid filter 'all'")
            filters.set('all', ['true'])
          }),
      }),
      // An older engine prunes all unused volumes: allowed only if the client asks for all.
      callRefused('VolumePrune', 'pruning anonymous volumes only', {
        finds: ({ query }) => (takesAllVolumes(query) ? undefined : 'pruning anonymous volumes only'),
        samples: ['["false"]', '["true","0"]', '{"true":false}'].map((all) => [
          `filters={"all":${all}}`,
          'pruning anonymous volumes only',
        ]),
      }),
    ],
    examples: {
      'VolumePrune requestUp': [
        [{}, 'filters={"all":{"true":true}}'],
        ['filters={"label":["a"]}', 'filters={"label":["a"],"all":["true"]}'],
        ['filters={"all":["false"]}', /^Invalid filter 'all'$/],
        ['filters={"all":{"1":true}}', 'filters={"all":{"true":true}}'],
        ['filters={"label":"a"}'],
        ['filters={"label":{"a":false}}'],
      ],
      'VolumePrune requestDown': [['filters={"all":["1"]}', '']],
    },
  },
  '1.42/anonymous-volumes': {
    summary: 'A volume that was created without a name has a label that says so.',
    see: 'volume/service/service.go:AnonymousLabel @v23.0.0 (not in the documents)',
    ops: retyped(Volume, 'Labels', {
      description: 'no label says that a volume is anonymous',
      toOlder: (labels) => {
        if (!isObject(labels) || labels[ANONYMOUS] !== '') return undefined
        const { [ANONYMOUS]: _, ...own } = labels
        return Object.keys(own).length === 0 ? null : own
      },
      samples: [
        [{ a: 'b', [ANONYMOUS]: '' }, { a: 'b' }],
        [{ [ANONYMOUS]: '' }, null],
      ],
    }),
  },
  '1.42/images-shared-size': {
    gate: 'prefix',
    summary: 'The list of images can show shared sizes.',
    see: 'docs/api/version-history.md v1.42; image_routes.go:getImagesJSON',
    // Without it the size stays -1.
    ops: queryAdded('ImageList', 'shared-size', { sample: '1', onLoss: 'ignore' }),
  },
  '1.42/system-df': {
    gate: 'prefix',
    summary: 'Disk usage can be requested by type, and a record of the build cache has several parents.',
    see: 'docs/api/version-history.md v1.42; system_routes.go:getDiskUsage @v23.0; recording 20.10, system-df',
    ops: [
      queryAdded('SystemDataUsage', 'type', { sample: 'image', request: 'always' }),
      callRefused('SystemDataUsage', 'an unknown type', {
        says: 'bad-request',
        finds: ({ query }) => {
          const unknown = query.getAll('type').find((asked) => !KINDS.some(({ type }) => type === asked))
          return unknown === undefined ? undefined : `unknown object type: ${unknown}`
        },
        samples: [['type=image&type=constructor', 'unknown object type: constructor']],
      }),
      // Engine 29 has no code for older versions; engines from 23.0 on omit BuilderSize at every version if it is 0.
      ...gated(
        { gate: 'release', legs: ['responseDown'] },
        added(CacheRecord, PARENTS, {
          sample: ['p'],
          up: ({ Parent: parent }) => (typeof parent === 'string' && parent !== '' ? [parent] : undefined),
          upSamples: [[{ Parent: 'p' }, ['p']]],
        }),
        removed(CacheRecord, 'Parent', {
          sample: 'p',
          down: ({ [PARENTS]: parents }) => listOf(parents)[0] ?? '',
          downSamples: [
            [{ [PARENTS]: ['p', 'q'] }, 'p'],
            [{}, ''],
          ],
        }),
        removed(DataUsage, 'BuilderSize', {
          sample: 7,
          down: cacheSize,
          downSamples: [[{ BuildCache: [{ Size: 5 }, { Size: 2 }] }, 7]],
        }),
      ),
      byHand('SystemDataUsage', 'only requested types are shown', { responseUp: blankOthers }),
    ],
    examples: {
      'SystemDataUsage responseUp body': [
        [
          { LayersSize: 5, Images: [], Containers: [] },
          { LayersSize: 0, Images: null, Containers: [], Volumes: null, BuildCache: null },
          { asked: 'type=container' },
        ],
      ],
    },
  },
  '1.42/ping-headers': {
    summary: 'A ping shows the role of the engine in a swarm.',
    see: 'docs/api/version-history.md v1.42; recordings 20.10 and 28.5, ping',
    // Builder-Version stays: sessions pass through the bridge, so BuildKit works for every client that knows the header.
    ops: headRetyped(['SystemPing', 'SystemPingHead'], 'response header Swarm', { toOlder: null }),
  },
  '1.42/errors-400': jsonErrors,
  '1.42/cluster-volumes': {
    gate: 'prefix',
    summary: 'A swarm can have volumes.',
    ops: [
      ...shownAtEveryVersion(added(Volume, 'ClusterVolume', { sample: { ID: 'c' } })),
      added(VolumeCreateRequest, 'ClusterVolumeSpec', { sample: { Group: 'g' }, onLoss: 'refuse' }),
      endpointAdded('VolumeUpdate', { missing: 501 }),
    ],
  },
  '1.42/swarm-members': swarmMembers({
    summary: 'Tasks show the cluster volumes that they use, and nodes the drivers of such volumes.',
    see: 'api/types/swarm/task.go, node.go and api/types/mount @v23.0.0 (not in the documents); engine 28.5, tasks',
    members: [
      { of: MountSpec, samples: { ClusterOptions: { a: 'b' } } },
      { of: Task, samples: { Volumes: [{ ID: 'v' }] }, up: null },
      { of: NodeDescription, samples: { CSIInfo: [{ PluginName: 'p' }] } },
    ],
  }),
} satisfies Changes
