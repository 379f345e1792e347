import { onlyIn } from '../src/api/shapes/shape.ts'
import { ImageListItem } from '../src/api/shapes/shapes.ts'
import { type Changes, emulated, retyped } from '../src/translate/ops.ts'
import { countUses } from './emulate/looked-up.ts'

const listed = (id: string, containers: number) => ({ Id: id, Containers: containers })

export default {
  '1.51/images-containers-count': {
    gate: 'prefix',
    summary: 'The list of images counts the containers of each image; before, -1 (not counted).',
    see: 'docs/api/version-history.md v1.51; api/server/router/image/image_routes.go:getImagesJSON',
    // Disk usage counts them at every version (28.5, seen at 1.41 to 1.51).
    ops: [
      emulated('ImageList', 'the containers of an image are counted', { responseUp: countUses }),
      retyped(onlyIn(ImageListItem, 'ImageList'), 'Containers', {
        samples: [[-1, 3]],
        words: 'ImageListItem.Containers is counted',
        toOlder: (count) => (typeof count === 'number' ? -1 : undefined),
      }),
    ],
    examples: {
      'ImageList responseUp body': [
        [
          [listed('i', -1), listed('j', -1)],
          [listed('i', 2), listed('j', 0)],
          { calls: { 'GET /containers/json?all=1': { body: [{ ImageID: 'i' }, { ImageID: 'i' }, { ImageID: 'k' }] } } },
        ],
        [[listed('i', 3)]],
      ],
    },
  },
} satisfies Changes
