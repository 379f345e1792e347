import { isObject } from '../../src/api/json/json.ts'
import { ImageListItem, SearchItem } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { editFilters, readFilters } from '../../src/translate/ops/calls/filter-values.ts'
import { byHand, filterAdded, recordDropped, removed, retyped, statusChanged } from '../../src/translate/ops.ts'
import { byNetwork, takeNetworkFilter } from '../by-hand/list-networks.ts'
import { searchResult, takeSearchWishes } from '../by-hand/search-wishes.ts'
import { sinceBeforeAsFilters } from '../by-hand/since-before.ts'

const LISTS = ['ContainerList', 'ContainerListPs'] as const

/** Actions that engine 1.12 added; some carry more after a colon: `health_status: healthy`. */
const NEW_ACTIONS = new Set(['detach', 'exec_detach', 'health_status', 'load', 'save', 'reload'])
const NEW_TYPES = new Set(['daemon', 'plugin'])

export default [
  {
    id: '1.24/since-before-parameters-dead',
    gate: 'release',
    summary: 'The parameters since and before of the list of containers have no effect any more.',
    see: 'daemon/list.go @v1.11.2, @v1.12.6; deprecated.md, --before and --since; recordings list-since, list-before',
    ops: [
      byHand(LISTS, 'since and before become filters', { part: 'head', requestUp: sinceBeforeAsFilters }),
      // The filters' answer to a container that there is not; recordings list-since-404 1.6.2 … 1.10.3, 20.10.24.
      statusChanged(LISTS, {
        sample: 'No such container: nosuch',
        before: 404,
        after: 500,
        when: /^no such container/i,
        legs: 'down',
      }),
    ],
    examples: {
      'ContainerList requestUp': [
        ['since=a', 'filters={"since":["a"]}&all=1'],
        ['limit=3', 'limit=3'],
      ],
    },
  },
  {
    id: '1.24/ps-network-filter',
    gate: 'release',
    summary: 'Containers can be listed by network.',
    see: 'docs/api/v1.24.md, List containers; daemon/list.go @v1.12.6',
    ops: [
      byHand(LISTS, 'the filter network is taken out of the question', {
        onLoss: 'refuse',
        loses: 'the filter network, on engines before 1.22',
        part: 'head',
        requestDown: takeNetworkFilter,
      }),
      byHand(LISTS, 'and applied to the answer', { responseUp: byNetwork }),
    ],
    examples: {
      'ContainerList requestDown': [
        [
          'limit=1&filters={"network":["n"],"status":["running"]}',
          'all=1&filters={"status":["running"]}',
          { engine: '1.22' },
        ],
        ['filters={"network":["n"]}', /^Invalid filter 'network'$/, { engine: '1.21' }],
      ],
      'ContainerList responseUp': [
        [
          {
            query: 'filters={"network":["n","bbbb"]}',
            body: [
              { Id: '1', NetworkSettings: { Networks: { n: { NetworkID: 'aaaa' } } } },
              { Id: '2', NetworkSettings: { Networks: { m: { NetworkID: 'bbbbcc' } } } },
              { Id: '3', NetworkSettings: { Networks: { bridge: { NetworkID: 'dddd' } } } },
            ],
          },
          {
            body: [
              { Id: '1', NetworkSettings: { Networks: { n: { NetworkID: 'aaaa' } } } },
              { Id: '2', NetworkSettings: { Networks: { m: { NetworkID: 'bbbbcc' } } } },
            ],
          },
          { engine: '1.22' },
        ],
      ],
    },
  },
  {
    id: '1.24/images-filters',
    gate: 'release',
    summary: 'Images can be listed by what was made before or after another.',
    see: 'docs/api/v1.24.md, List images; daemon/images.go:acceptedImageFilterTags @v1.12.6',
    ops: ['before', 'since'].map((key) => filterAdded('ImageList', key, { newer: 'invalid' })),
  },
  {
    id: '1.24/search-limit-filters',
    gate: 'release',
    summary: 'A search can be limited and filtered.',
    see: 'docs/api/v1.24.md, Search images; image_routes.go, registry/session.go @v1.12.6',
    ops: [
      byHand('ImageSearch', 'limit and filters are ignored as earlier engines did', {
        part: 'head',
        stripsNewer: true,
        requestUp: ({ query }, context, change) => {
          for (const name of ['limit', 'filters']) {
            if (query.has(name)) context.ignore(`query parameter ${name}`, change.id)
            query.delete(name)
          }
        },
      }),
      byHand('ImageSearch', 'limit and filters are taken out of the question', {
        part: 'head',
        requestDown: takeSearchWishes,
      }),
      byHand('ImageSearch', 'and applied to the answer', { responseUp: searchResult }),
    ],
    examples: {
      'ImageSearch requestUp': [['term=a&limit=3&filters={"stars":["3"]}', 'term=a']],
      'ImageSearch requestDown': [
        ['term=a&limit=3', 'term=a'],
        ['term=a&limit=101', /^Limit 101 is outside the range of \[1, 100\]$/],
      ],
      'ImageSearch responseUp': [
        [
          {
            query: 'term=a&limit=1&filters={"stars":["3"],"is-official":["true"]}',
            body: [
              { name: 'a', star_count: 2, is_official: true },
              { name: 'b', star_count: 3, is_official: false },
              { name: 'c', star_count: 9, is_official: true },
              { name: 'd', star_count: 8, is_official: true },
            ],
          },
          { body: [{ name: 'c', star_count: 9, is_official: true }] },
        ],
      ],
    },
  },
  {
    id: '1.24/search-is-trusted-gone',
    gate: 'release',
    summary: 'A search does not say is_trusted any more, which had come to mean is_automated.',
    see: 'registry types @v1.11.2, @v1.12.6; the documents drop it with 1.20',
    ops: [removed(SearchItem, 'is_trusted', { sample: true, down: (item) => item['is_automated'] ?? false })],
    examples: {
      'ImageSearch responseDown': [
        [
          { body: [{ name: 'a', is_automated: true }, { name: 'b' }] },
          {
            body: [
              { name: 'a', is_automated: true, is_trusted: true },
              { name: 'b', is_trusted: false },
            ],
          },
        ],
      ],
    },
  },
  {
    id: '1.24/repo-digests-on-pull',
    gate: 'release',
    from: '1.23',
    summary: 'An image that was pulled by its tag has a digest; before none was recorded.',
    see: 'recordings images-list-pulled-digests and image-inspect-pulled 1.10.3, 1.12.6',
    // Nothing to hide from an older client, whose engine shows digests too; upwards only the empty form differs.
    ops: [retyped(ImageListItem, 'RepoDigests', { toNewer: [[null, []]], sides: 'response' })],
  },
  {
    id: '1.24/events-new',
    gate: 'release',
    summary: 'Events tell of health, detaching, loading and saving, of the daemon and of plugins.',
    see: 'docs/api/v1.24.md, Monitor Docker’s events; daemon/events.go @v1.12.6',
    ops: [
      recordDropped(
        'SystemEvents',
        'events of new kinds do not occur',
        (record) => {
          if (!isObject(record)) return false
          const action = String(record['Action'] ?? record['status'] ?? '')
          return NEW_TYPES.has(String(record['Type'])) || NEW_ACTIONS.has(action.split(':')[0] ?? '')
        },
        {
          drops: [
            { Type: 'container', Action: 'health_status: healthy', status: 'health_status: healthy' },
            { Type: 'daemon', Action: 'reload' },
          ],
          keeps: [{ Type: 'container', Action: 'exec_start: sh', status: 'exec_start: sh' }],
        },
      ),
      byHand('SystemEvents', 'the filter daemon is refused: without it every event would come', {
        onLoss: 'refuse',
        part: 'head',
        requestDown: ({ query }, context, { id, version }) => {
          if (!readFilters(query).has('daemon')) return
          editFilters(query, (filters) => filters.delete('daemon'))
          context.lose({ what: 'filter daemon', needs: version, change: id, onLoss: 'refuse' })
        },
      }),
    ],
    examples: { 'SystemEvents requestDown': [['filters={"daemon":["vm"]}', /filter daemon .* needs API 1\.24/]] },
  },
] satisfies Change[]
