import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonObject, memberAt, objectOf, stringOf } from '../../src/api/json/json.ts'
import { ImageListItem, SearchItem } from '../../src/api/shapes/shapes.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { type Filters, readFilters } from '../../src/translate/ops/calls/filter-values.ts'
import {
  byHand,
  type Changes,
  callRefused,
  eventsAdded,
  filterAdded,
  filterApplied,
  isTrue,
  queryAdded,
  removed,
  retyped,
  sameAs,
  statusChanged,
} from '../../src/translate/ops.ts'
import { LISTS } from '../by-hand/places.ts'
import { sinceBeforeAsFilters } from '../by-hand/since-before.ts'

/** 25 unless the client sends another limit (registry/service.go:DefaultSearchLimit @v1.12.6). */
const limitOf = (query: URLSearchParams): number => Number(query.get('limit') || 25)

function badLimit({ query }: RequestMessage): string | undefined {
  const limit = limitOf(query)
  const isGood = Number.isInteger(limit) && limit >= 1 && limit <= 100
  return isGood ? undefined : `500 Limit ${query.get('limit')} is outside the range of [1, 100]`
}

function isWanted(item: JsonObject, filters: Filters): boolean {
  const stars = filters.get('stars') ?? []
  if (!stars.every((least) => Number(item['star_count'] ?? 0) >= Number(least))) return false
  return ['is_automated', 'is_official'].every((member) => {
    const values = filters.get(member.replace('_', '-'))
    return values === undefined || values.some((value) => isTrue(value) === (item[member] === true))
  })
}

function searchResult(message: ResponseMessage, { call }: StepContext): void {
  if (!Array.isArray(message.body)) return
  const filters = readFilters(call.query)
  message.body = message.body.filter((item) => !isObject(item) || isWanted(item, filters)).slice(0, limitOf(call.query))
}

/** Whether a listed container is in the network, given by name or id prefix. */
function isInNetwork(wanted: string, { NetworkSettings: settings }: JsonObject): boolean {
  const networks = objectOf(memberAt(settings, 'Networks'))
  return Object.entries(networks).some(
    ([name, endpoint]) =>
      wanted === name || (wanted !== '' && stringOf(memberAt(endpoint, 'NetworkID')).startsWith(wanted)),
  )
}

const found = (stars: number, official: boolean) => ({ star_count: stars, is_official: official })

export default {
  '1.24/since-before-parameters-dead': {
    summary: 'The parameters since and before of the list of containers no longer have an effect.',
    see: 'daemon/list.go @v1.11.2, @v1.12.6; deprecated.md, --before and --since; recordings list-since, list-before',
    ops: [
      ...sinceBeforeAsFilters,
      // The answer of the filters for a missing container; recordings list-since-404 1.6.2 … 1.10.3, 20.10.24.
      statusChanged(LISTS, { before: 404, after: 500, when: 'No such container{rest}', legs: 'down' }),
    ],
  },
  '1.24/ps-network-filter': {
    summary: 'Containers can be listed by network.',
    see: 'docs/api/v1.24.md, List containers; daemon/list.go @v1.12.6',
    ops: filterApplied(LISTS, ['network'], {
      keeps: { network: isInNetwork },
      refuses: 'the filter network, on engines before 1.22',
      checks: (_filters, { engine }) => {
        // Older lists do not show the networks of containers: it would take an inspect per container.
        if (engine.highest < 22) throw new ProxyError('loss', "Invalid filter 'network'")
      },
      samples: ['n', 'bbbb'].map((asked) => ({
        asks: `{"network":["${asked}"]}`,
        keeps: { NetworkSettings: { Networks: { n: { NetworkID: 'bbbbcc' } } } },
        drops: { NetworkSettings: { Networks: { bridge: { NetworkID: 'dddd' } } } },
      })),
    }),
    examples: {
      'ContainerList requestDown': [['filters={"network":["n"]}', /^Invalid filter 'network'$/, { engine: '1.21' }]],
    },
  },
  '1.24/images-filters': {
    summary: 'Images can be filtered by whether they were created before or after another.',
    see: 'docs/api/v1.24.md, List images; daemon/images.go:acceptedImageFilterTags @v1.12.6',
    ops: ['before', 'since'].map((key) => filterAdded('ImageList', key, { newer: 'invalid' })),
  },
  '1.24/search-limit-filters': {
    summary: 'A search can be limited and filtered.',
    see: 'docs/api/v1.24.md, Search images; image_routes.go, registry/session.go @v1.12.6',
    ops: [
      ...['limit', 'filters'].map((name) => queryAdded('ImageSearch', name, { sample: '3' })),
      callRefused('ImageSearch', 'a limit out of range', {
        ...{ says: 'validation', finds: badLimit },
        samples: [['term=a&limit=101', 'Limit 101 is outside the range of [1, 100]']],
      }),
      byHand('ImageSearch', 'limit and filters are applied to the answer', { responseUp: searchResult }),
    ],
    examples: {
      'ImageSearch responseUp': [
        [
          {
            query: 'term=a&limit=1&filters={"stars":["3"],"is-official":["true"]}',
            body: [found(2, true), found(3, false), found(9, true), found(8, true)],
          },
          { body: [found(9, true)] },
        ],
      ],
    },
  },
  '1.24/search-is-trusted-gone': {
    summary: 'A search no longer has is_trusted, which had become equal to is_automated.',
    see: 'registry types @v1.11.2, @v1.12.6; the documents drop it with 1.20',
    ops: removed(SearchItem, 'is_trusted', { sample: true, down: sameAs('is_automated', false) }),
  },
  '1.24/repo-digests-on-pull': {
    from: '1.23',
    summary: 'An image that was pulled by tag has a digest; before, it was not stored.',
    see: 'recordings images-list-pulled-digests and image-inspect-pulled 1.10.3, 1.12.6',
    // Older clients may see digests, as their engines show them too; for newer ones only the empty form differs.
    ops: retyped(ImageListItem, 'RepoDigests', { toNewer: [[null, []]] }),
  },
  '1.24/events-new': {
    summary: 'Health, detach, load and save are events; the daemon and plugins have events.',
    see: 'docs/api/v1.24.md, Monitor Docker’s events; daemon/events.go @v1.12.6',
    ops: [
      // Some actions have details after a colon: `health_status: healthy`.
      eventsAdded(
        ...['daemon', 'plugin'].map((name) => ({ Type: name })),
        ...['detach', 'exec_detach', 'health_status', 'load', 'save', 'reload'].map((name) => ({ Action: name })),
      ),
      // Without the filter the client would get all events.
      filterAdded('SystemEvents', 'daemon', { newer: 'refuse' }),
    ],
  },
} satisfies Changes
