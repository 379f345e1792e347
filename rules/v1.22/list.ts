import { onlyIn } from '../../src/api/shapes/shape.ts'
import { ContainerListItem } from '../../src/api/shapes/shapes.ts'
import { added, byHand, type Changes, filtersAsMaps, filterValuesAdded } from '../../src/translate/ops.ts'
import { sinceBeforeAsFilters, sinceBeforeAsParameters, withoutStopped } from '../by-hand/since-before.ts'

const LISTS = ['ContainerList', 'ContainerListPs'] as const
/** All operations of these versions with `filters`. */
const FILTERED = [...LISTS, 'ImageList', 'SystemEvents', 'VolumeList', 'NetworkList'] as const

export default {
  '1.22/list-network-settings': {
    summary: 'The list of containers shows endpoints.',
    see: 'docs/api/v1.22.md, List containers; daemon/list.go:transformContainer @v1.10.3',
    ops: added(onlyIn(ContainerListItem, ...LISTS), 'NetworkSettings', {
      sample: { Networks: { bridge: {} } },
      up: { Networks: {} },
    }),
  },
  '1.22/filter-dead-isolation': {
    summary: 'Containers can be filtered by their isolation; the filter status=dead is documented.',
    see: 'docs/api/v1.22.md, List containers; daemon/list.go, container/state.go:IsValidStateString (dead from 1.8 on)',
    // Every container of a Linux engine has the default isolation.
    ops: filterValuesAdded(LISTS, 'isolation', { before: ['default', ''] }),
  },
  '1.22/filters-before-since': {
    summary: 'The list of containers has filters since and before; the parameters have no effect from engine 1.12 on.',
    see: 'daemon/list.go @v1.9.1, @v1.10.3, @v1.12.6; recorded on 1.9.1, 1.10.3, 20.10.24 (list-since)',
    ops: [
      byHand(LISTS, 'the parameters since and before become filters, and back', {
        part: 'head',
        requestUp: sinceBeforeAsFilters,
        requestDown: sinceBeforeAsParameters,
      }),
      byHand(LISTS, 'stopped containers are left out', { responseUp: withoutStopped }),
    ],
    examples: {
      'ContainerList requestUp': [
        ['since=abc&before=&limit=5', 'limit=5&filters={"since":["abc"]}&all=1'],
        ['before=b&filters={"label":["x"]}', 'filters={"label":["x"],"before":["b"]}&all=1'],
      ],
      'ContainerList requestDown': [['filters={"since":{"abc":true}}', 'since=abc']],
      'ContainerList responseUp body': [
        [[{ Status: 'Exited (0) 2 hours ago' }], [], { asked: 'filters={"since":["abc"]}' }],
      ],
    },
  },
  '1.22/filters-map-format': {
    summary: 'Filters can be maps of maps; before, only maps of lists.',
    see: 'pkg/parsers/filters @v1.9.1 (500 on the map form); engine-api types/filters/parse.go:FromParam @v1.10.3',
    ops: filtersAsMaps(FILTERED),
  },
} satisfies Changes
