import { apiVersion } from '../../src/api/version.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import { hasUnclearFilters } from '../../src/translate/ops/calls/filter-values.ts'
import { byHand, callRefused } from '../../src/translate/ops.ts'
import { takesAllVolumes } from '../by-hand/pruned-volumes.ts'

/** From this version on a prune removes only anonymous volumes; 1.42/volumes-prune refuses it on older engines. */
const ANONYMOUS_ALONE = apiVersion(42)

const ALL_ALONE =
  'Podman prunes all unused volumes, not the anonymous ones alone: ask for all of them (docker volume prune --all)'

const AT_1_44 = { client: '1.44', engine: '1.44' }

export default {
  'podman/build-prune': {
    summary:
      'There is no cache of builds to prune: 404, with which `docker system prune` ends before it has pruned anything else.',
    see: 'pkg/api/server @v5.4.2 has no such path; Docker answers so to an empty cache',
    ops: byHand('BuildPrune', 'nothing is pruned', {
      part: 'error',
      responseDown: (message) => {
        if (message.status !== 404) return
        message.status = 200
        message.body = { CachesDeleted: null, SpaceReclaimed: 0 }
        delete message.text
        message.headers.delete('X-Content-Type-Options')
      },
    }),
    examples: {
      'BuildPrune responseDown': [
        [
          { status: 404, text: 'Not Found' },
          { status: 200, body: { CachesDeleted: null, SpaceReclaimed: 0 } },
        ],
        [{ status: 500, text: 'x' }],
      ],
    },
  },
  'podman/prune-filters': {
    summary: 'A prune takes filters that are mapped to false for none, and removes all.',
    see: 'pkg/util/filters.go:FiltersFromRequest @v5.8.0; Docker looks at the keys (daemon/internal/filters)',
    ops: callRefused(
      ['ContainerPrune', 'ImagePrune', 'NetworkPrune', 'VolumePrune'],
      'filters in a form of their own',
      {
        leg: 'requestUp',
        says: 'loss',
        finds: ({ query }) => (hasUnclearFilters(query) ? 'invalid filter' : undefined),
        samples: [['filters={"label":{"a=b":false}}', 'invalid filter']],
      },
    ),
  },
  'podman/volume-prune': {
    summary: 'A prune of volumes removes those with names, too, and the filter `all` is an error.',
    see: 'pkg/domain/filters/volumes.go:GeneratePruneVolumeFilters @v5.8.0',
    ops: callRefused('VolumePrune', 'pruning anonymous volumes only', {
      leg: 'requestUp',
      says: 'loss',
      finds: ({ query }, { target }) => (target < ANONYMOUS_ALONE || takesAllVolumes(query) ? undefined : ALL_ALONE),
      samples: [
        ['', ALL_ALONE, AT_1_44],
        ['filters={"all":["false"]}', ALL_ALONE, AT_1_44],
      ],
    }),
    examples: {
      'VolumePrune requestUp': [['filters={"all":["true"],"label":["a"]}', 'filters={"label":["a"]}', AT_1_44]],
    },
  },
} satisfies PodmanChanges
