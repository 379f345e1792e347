import { isObject, listOf } from '../../src/api/json/json.ts'
import { onlyIn } from '../../src/api/shapes/shape.ts'
import { ContainerListItem } from '../../src/api/shapes/shapes.ts'
import { added, byHand, type Changes, emulated, filterAdded, headRetyped, lookedUp } from '../../src/translate/ops.ts'
import { ancestorsDown, keepDescendants } from '../emulate/filter-ancestor.ts'
import { imageNamed } from '../emulate/looked-up.ts'

const IMAGES = '/images/json?all=1'
const images = [
  { Id: '78046e56a8fa', RepoTags: ['busybox:latest'], ParentId: 'aaaa1111' },
  { Id: 'cccc2222', RepoTags: ['web:latest'], ParentId: '78046e56a8fa' },
  { Id: 'dddd3333', RepoTags: ['<none>:<none>'], ParentId: '' },
]

/** The list of containers. */
export default {
  '1.21/list-image-id': {
    summary: 'The list of containers has the image id of each container.',
    see: 'docs/api/v1.21.md, List containers; api/types/types.go Container @v1.9.1',
    ops: [
      added(ContainerListItem, 'ImageID', { sample: 'sha256:78046e56a8fa' }),
      // An item has an id in Image where another image has the name by now.
      lookedUp(onlyIn(ContainerListItem, 'ContainerList'), 'the ids are looked up in the list of images', {
        asks: IMAGES,
        lacks: 'ImageID',
        finds: ({ Image: image }, images) => ({
          ImageID: imageNamed(listOf(images).filter(isObject), image)?.['Id'] ?? '',
        }),
        samples: [
          [{ Image: 'busybox' }, images, { ImageID: '78046e56a8fa' }],
          [{ Image: 'dddd' }, images, { ImageID: 'dddd3333' }],
          [{ Image: 'gone' }, images, { ImageID: '' }],
        ],
      }),
    ],
  },
  '1.21/filter-ancestor': {
    summary: 'Containers can be filtered by the image they descend from.',
    see: 'daemon/list.go @v1.9.1; docs/api/v1.23.md, List containers',
    ops: [
      filterAdded('ContainerList', 'ancestor', { ignored: true }),
      byHand('ContainerList', 'the filter ancestor is applied to the answer', {
        part: 'head',
        requestDown: ancestorsDown,
      }),
      emulated('ContainerList', 'only descendants of the images stay', { responseUp: keepDescendants }),
    ],
    examples: {
      'ContainerList requestDown': [
        ['limit=1&filters={"ancestor":["busybox"],"status":["exited"]}', 'filters={"status":["exited"]}&all=1'],
      ],
      'ContainerList responseUp': [
        [
          {
            query: 'filters={"ancestor":["busybox"]}',
            body: [{ Image: 'busybox' }, { Image: 'web' }, { Image: 'dddd3333' }],
          },
          { body: [{ Image: 'busybox' }, { Image: 'web' }] },
          { calls: { [`GET ${IMAGES}`]: { body: images } } },
        ],
      ],
    },
  },
  '1.21/containers-ps-alias': {
    summary: 'GET /containers/ps, another name of /containers/json, is gone.',
    see: 'api/server/server.go route table @v1.8.3, @v1.9.1',
    ops: headRetyped('ContainerListPs', 'path', {
      samples: { toNewer: [['/containers/ps', '/containers/json']] },
      toNewer: () => '/containers/json',
    }),
  },
} satisfies Changes
