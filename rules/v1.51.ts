import { listOf, memberAt } from '../src/api/json/json.ts'
import { onlyIn } from '../src/api/shapes/shape.ts'
import { ImageListItem } from '../src/api/shapes/shapes.ts'
import { type Changes, lookedUp, retyped } from '../src/translate/ops.ts'

const listed = (id: string, containers: number) => ({ Id: id, Containers: containers })

export default {
  '1.51/images-containers-count': {
    gate: 'prefix',
    summary: 'The list of images counts the containers of each image; before, -1 (not counted).',
    see: 'docs/api/version-history.md v1.51; api/server/router/image/image_routes.go:getImagesJSON',
    // Disk usage counts them at every version (28.5, seen at 1.41 to 1.51).
    ops: [
      // Stopped ones too (daemon/images/images.go:Images @v28.3.0). The Docker CLI from 29 on marks images in use by it.
      lookedUp(onlyIn(ImageListItem, 'ImageList'), 'the containers of an image are counted', {
        asks: '/containers/json?all=1',
        lacks: ({ Containers: count }, context) => count === -1 && context.allows('GET', '/containers/json?all=1'),
        finds: ({ Id: id }, containers) => {
          const used = listOf(containers).map((container) => memberAt(container, 'ImageID'))
          // Engines up to 1.8 do not show it.
          if (containers === null || containers === undefined || used.includes(undefined)) return {}
          return { Containers: used.filter((image) => image === id).length }
        },
        samples: [
          [listed('i', -1), [{ ImageID: 'i' }, { ImageID: 'i' }, { ImageID: 'k' }], { Containers: 2 }],
          [listed('j', -1), [{ ImageID: 'i' }], { Containers: 0 }],
          [listed('i', 3), [], {}],
        ],
      }),
      retyped(onlyIn(ImageListItem, 'ImageList'), 'Containers', {
        samples: [[3, -1]],
        description: 'ImageListItem.Containers is counted',
        toOlder: (count) => (typeof count === 'number' ? -1 : undefined),
      }),
    ],
  },
} satisfies Changes
