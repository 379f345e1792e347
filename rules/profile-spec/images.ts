import { onlyIn } from '../../src/api/shapes/shape.ts'
import { HistoryItem, ImageInspect, ImageListItem, SearchItem } from '../../src/api/shapes/shapes.ts'
import type { Deviations } from '../../src/translate/change.ts'
import { added, addedAll, filled, isTrue, onlyMembers, sameAs, shown } from '../../src/translate/ops.ts'
import { setTagRefused } from '../emulate/refusals.ts'

export default {
  'spec/image-list-digests': {
    clients: ['1.18', '1.22'],
    summary: 'RepoDigests are listed only with digests=1.',
    see: 'specification, 2.5 and 4.3; engines do not know the parameter and list them always',
    ops: shown(
      onlyIn(ImageListItem, 'ImageList'),
      'RepoDigests',
      ({ RepoDigests: digests }, { call }) => (isTrue(call.query.get('digests')) ? (digests ?? []) : undefined),
      [
        [{ RepoDigests: ['a@sha256:1'] }],
        [{}, [], { query: 'digests=1' }],
        [{ RepoDigests: ['b'] }, ['b'], { query: 'digests=1' }],
      ],
    ),
  },
  'spec/image-labels-from-1.19': {
    clients: ['1.18', '1.18'],
    summary: 'From 1.19 on the list of images has labels, and history has tags and sizes.',
    see: 'specification, 2.5; engine 1.6 sends them',
    ops: [
      added(onlyIn(ImageListItem, 'ImageList'), 'Labels', { sample: { a: 'b' } }),
      ...addedAll(HistoryItem, ['Tags', 'Size'], { sample: 5 }),
    ],
  },
  'spec/image-inspect-short': {
    clients: ['1.18', '1.19'],
    summary: 'Image inspect has six members.',
    see: 'specification, 2.5; engines 1.6 and 1.7 send thirteen and more',
    ops: onlyMembers(ImageInspect, ['Created', 'Container', 'ContainerConfig', 'Id', 'Parent', 'Size']),
  },
  'spec/search-is-trusted': {
    clients: ['1.18', '1.22'],
    summary: 'A search result has is_trusted in 1.19 only, and is_automated always.',
    see: 'specification, 2.5; engine 1.6 sends is_trusted alone, 1.7 to 1.11 both',
    ops: [
      filled(SearchItem, 'is_automated', sameAs('is_trusted', false), { sample: true }),
      shown(
        SearchItem,
        'is_trusted',
        (item, { client }) => (client === 19 ? (item['is_trusted'] ?? item['is_automated']) : undefined),
        [[{ is_automated: true }, true, { client: '1.19' }], [{ is_trusted: true }]],
      ),
    ],
  },
  'spec/tag-conflict': {
    clients: ['1.22', '1.22'],
    summary: 'Setting an existing tag without force is a conflict.',
    see: 'specification, 4.3 and 7, tag; engine 1.10 moves it',
    ops: setTagRefused,
    examples: {
      'ImageTag requestUp': [
        [
          { path: '/images/busybox/tag', query: 'repo=a&tag=x' },
          /^Conflict: Tag a:x is already set to image 01/,
          { calls: { 'GET /images/a:x/json': { body: { Id: '01' } }, 'GET /images/busybox/json': { body: {} } } },
        ],
        ['repo=a&tag=x&force=1'],
      ],
    },
  },
} satisfies Deviations
