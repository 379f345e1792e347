import { listOf, objectOf } from '../../src/api/json/json.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import { Answer, type EmulationContext, type RequestMessage, type StepContext } from '../../src/translate/message.ts'
import { editFilters, hasUnclearFilters, readFilters } from '../../src/translate/ops/calls/filter-values.ts'
import { callRefused, emulated, statusChanged } from '../../src/translate/ops.ts'
import { isPodmanBefore } from '../by-hand/podman-release.ts'
import { takesAllVolumes } from '../by-hand/pruned-volumes.ts'
import { must } from '../emulate/recreate.ts'

/** From this version on a prune removes only anonymous volumes; 1.42/volumes-prune refuses it on older engines. */
const ANONYMOUS_ALONE = apiVersion(42)

const ALL_ALONE =
  'Podman prunes all unused volumes, not the anonymous ones alone: ask for all of them (docker volume prune --all)'

const SEVERAL = 'Podman prunes what any of several filters names, not what all of them name: give one'

/** `SEVERAL` where Podman would remove more than was asked for. `all` and `dangling` say what to look through. */
function severalFilters({ query }: RequestMessage, context: StepContext): string | undefined {
  const given = [...readFilters(query)].filter(([key]) => key !== 'all' && key !== 'dangling')
  const values = given.flatMap(([key, ofKey]) => ofKey.map((value) => `${key}=${value}`))
  const keys = given.filter(([, ofKey]) => ofKey.length > 0)
  // From 4.6 on the values of one filter, and different filters of images, are all met.
  if (isPodmanBefore('4.6', context)) return values.length > 1 ? SEVERAL : undefined
  return context.operation === 'VolumePrune' && keys.length > 1 ? SEVERAL : undefined
}

const OWN_PRUNE = '/libpod/images/prune'

/** Podman's own prune reads the first value of a filter alone: with several, `severalFilters` refuses the call. */
async function pruneAll({ query }: RequestMessage, context: EmulationContext): Promise<void> {
  const isAll =
    readFilters(query)
      .get('dangling')
      ?.some((value) => /^(?:0|f|false)$/i.test(value)) ?? false
  if (!isAll || !isPodmanBefore('4.6', context) || !context.allows('POST', OWN_PRUNE)) return
  editFilters(query, (filters) => void filters.delete('dangling'))
  const filters = query.get('filters') ?? '{}'
  const { body } = await must(context, 'POST', OWN_PRUNE, { query: { all: 'true', filters } })
  const images = listOf(body).map(objectOf)
  throw new Answer(200, {
    ImagesDeleted: images.map(({ Id: id = '' }) => ({ Deleted: `sha256:${id}` })),
    SpaceReclaimed: images.reduce((sum, { Size: size }) => sum + Number(size), 0),
  })
}

const AT_1_44 = { client: '1.44', engine: '1.44' }

export default {
  'podman/build-prune': {
    summary:
      'There is no cache of builds to prune: 404, with which `docker system prune` ends before it has pruned anything else.',
    see: 'pkg/api/server @v5.4.2 has no such path; Docker answers so to an empty cache',
    ops: statusChanged('BuildPrune', {
      ...{ before: 200, after: 404, legs: 'down' },
      body: { CachesDeleted: null, SpaceReclaimed: 0 },
    }),
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
  'podman/joined-filters': {
    summary: 'A prune removes what any of several filters names: of volumes by different filters, before 4.6 by any.',
    see: 'libpod/runtime_volume.go:Volumes @v4.3.1, @v5.4.2; seen on 4.3.1, 5.4.2 and 5.8.6: label!=a with label=b removed what has neither',
    ops: callRefused(['VolumePrune', 'ImagePrune'], 'several filters', {
      leg: 'requestUp',
      says: 'loss',
      finds: severalFilters,
      samples: [['filters={"label":["a"],"label!":["b"]}', SEVERAL]],
      stay: ['filters={"label":["a"]}', ''],
    }),
  },
  'podman/image-prune-all': {
    summary: 'A prune of all unused images is an error (before 4.8).',
    see: 'pkg/domain/infra/abi/images.go:Prune @v4.3.1, @v4.9.0; pkg/api/handlers/libpod/images.go:PruneImages @v4.3.1',
    ops: emulated('ImagePrune', 'before 4.6 it is done by Podman’s own, but not under a policy', {
      part: 'head',
      requestUp: pruneAll,
    }),
    examples: {
      'ImagePrune requestUp': [
        [
          'filters={"dangling":{"false":true},"label":{"a":true}}',
          { answered: 200 },
          {
            calls: {
              [`POST ${OWN_PRUNE}?${new URLSearchParams({ all: 'true', filters: '{"label":{"a":true}}' })}`]: {
                body: [{ Id: '0a', Size: 5 }],
              },
            },
          },
        ],
        ['filters={"dangling":["true"]}'],
      ],
    },
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
