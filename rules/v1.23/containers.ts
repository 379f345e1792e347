import { isObject, type JsonValue } from '../../src/api/json/json.ts'
import { ContainerListItem, HostConfig, StatsRecord, UpdateConfig } from '../../src/api/shapes/shapes.ts'
import type { Changes } from '../../src/translate/change.ts'
import { added, byClient, filtersKnown, isFalse, queryAdded, refusedWhere } from '../../src/translate/ops.ts'
import { bindsOf } from '../by-hand/binds.ts'
import { CreateHostConfig, LISTS } from '../by-hand/places.ts'

const STATES: readonly (readonly [RegExp, string])[] = [
  [/^(Created)?$/, 'created'],
  [/^Up .*\(Paused\)/, 'paused'],
  [/^Restarting \(/, 'restarting'],
  [/^Up /, 'running'],
  [/^Exited \(/, 'exited'],
  // `removing` from 1.25 on; until then such a container counts as dead (container/state.go @v1.11.2)
  [/^(Dead|Removal In Progress)/, 'dead'],
]

/** The state that `Status` in the list of containers describes (container/state.go:String). */
const stateFromStatus = (status: JsonValue | undefined): string | undefined =>
  typeof status === 'string' ? STATES.find(([pattern]) => pattern.test(status))?.[1] : undefined

/** Filters of engine 1.10, which ignores all others (daemon/list.go @v1.10.3, acceptedPsFilterTags @v1.11.2). */
const KNOWN_FILTERS = 'ancestor before exited id isolation label name since status volume'.split(' ')

/** The mode is the last of three or more fields, so the colon of a Windows drive does no harm. */
const saysNocopy = (fields: readonly string[]): boolean =>
  fields.slice(2).at(-1)?.split(',').includes('nocopy') ?? false

export default {
  '1.23/list-state': {
    summary: 'The list of containers has the state of each container.',
    see: 'docs/api/v1.23.md, List containers; engine-api types:Container @v1.11.2',
    ops: added(ContainerListItem, 'State', {
      sample: 'running',
      up: (item) => stateFromStatus(item['Status']),
      upSamples: [
        [{ Status: '' }, 'created'],
        [{ Status: 'Created' }, 'created'],
        [{ Status: 'Up 5 minutes (Paused)' }, 'paused'],
        [{ Status: 'Up 5 minutes' }, 'running'],
        [{ Status: 'Restarting (1) 2 seconds ago' }, 'restarting'],
        [{ Status: 'Exited (0) 3 days ago' }, 'exited'],
        [{ Status: 'Dead' }, 'dead'],
        [{ Status: 'Removal In Progress' }, 'dead'],
      ],
    }),
  },
  '1.23/list-mounts': {
    summary: 'The list of containers shows mounts.',
    see: 'docs/api/v1.23.md, List containers; daemon/list.go @v1.11.2',
    // Newer clients get an empty list: the mounts would take an inspect per container.
    ops: added(ContainerListItem, 'Mounts', { sample: [{ Destination: '/d' }], up: [] }),
  },
  '1.23/unknown-filters-rejected': {
    summary: 'Unknown filters of the list of containers are an error; before, they were ignored.',
    see: 'daemon/list.go:acceptedPsFilterTags @v1.11.2; recordings list-filter-bogus 1.10.3, 1.12.6, 20.10.24',
    ops: filtersKnown(LISTS, {
      before: KNOWN_FILTERS,
      after: KNOWN_FILTERS,
      // 500 on 1.11 to 1.13, 400 from 17.x (1.27) on
      status: (client) => (client < 27 ? 500 : 400),
    }),
  },
  '1.23/update-restart-policy': {
    summary: 'The restart policy of a container can be updated; engine 1.10 ignored it.',
    see: 'docs/api/v1.23.md, Update a container; container_routes.go:postContainerUpdate @v1.11.2',
    ops: added(UpdateConfig, 'RestartPolicy', {
      sample: { Name: 'always' },
      neutral: (value) => isObject(value) && (value['Name'] ?? '') === '',
      onLoss: 'refuse',
    }),
    examples: { 'ContainerUpdate requestDown body': [[{ RestartPolicy: { Name: '', MaximumRetryCount: 0 } }, {}]] },
  },
  '1.23/bind-nocopy': {
    summary: 'A bind of a named volume can disable copying from the image.',
    see: 'docs/api/v1.23.md, Create a container; volume/volume_copy.go @v1.11.2',
    // Engines without the word refuse it as an invalid mode (1.7 on) or copy anyway (1.6).
    ops: refusedWhere(CreateHostConfig, 'the mode word nocopy', {
      finds: (hostConfig) => (bindsOf(hostConfig).some(saysNocopy) ? 'HostConfig.Binds nocopy' : undefined),
      samples: [[{ Binds: ['v:/d:ro,nocopy'] }, 'HostConfig.Binds nocopy']],
      stay: [{ Binds: ['/nocopy:/d:ro'] }],
    }),
  },
  '1.23/stats-pids': {
    summary: 'Stats count the processes of a container.',
    see: 'docs/api/v1.23.md, Get container stats; recordings stats 1.9.1, 1.10.3',
    ops: added(StatsRecord, 'pids_stats', { sample: { current: 1 }, up: {}, down: byClient({ '1.22': {} }) }),
  },
  '1.23/logs-details': {
    summary: 'Logs can have the extra attributes of their driver.',
    see: 'docs/api/v1.23.md, Get container logs; daemon/logs.go @v1.11.2',
    ops: queryAdded('ContainerLogs', 'details', { sample: '1', onLoss: 'warn', neutral: isFalse }),
  },
  '1.23/pids-limit': {
    summary: 'The number of processes of a container can be limited; engine 1.10 shows the member without effect.',
    see: 'docs/api/v1.23.md, Create a container; recording 1.10.3 at 1.22, inspect-running',
    ops: added(HostConfig, 'PidsLimit', {
      sample: 100,
      up: 0,
      neutral: [-1],
      onLoss: 'refuse',
      down: byClient({ '1.22': 0 }),
      request: 'keep',
    }),
  },
} satisfies Changes
