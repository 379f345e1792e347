import { onlyIn } from '../src/api/shapes/shape.ts'
import { ImageListItem } from '../src/api/shapes/shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { retyped } from '../src/translate/ops.ts'

export default [
  {
    id: '1.51/images-containers-count',
    gate: 'prefix',
    summary: 'The list of images counts the containers of each; before it said -1, for not counted.',
    see: 'docs/api/version-history.md v1.51; api/server/router/image/image_routes.go:getImagesJSON',
    // Disk usage counts them at every version (28.5, asked at 1.41 to 1.51).
    // Nothing to do for newer clients: -1 is still the word for not counted.
    ops: [
      retyped(onlyIn(ImageListItem, 'ImageList'), 'Containers', {
        samples: [[-1, 3]],
        words: 'ImageListItem.Containers is counted',
        toOlder: (count) => (typeof count === 'number' ? -1 : undefined),
      }),
    ],
  },
] satisfies Change[]
