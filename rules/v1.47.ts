import { ImageListItem } from '../src/api/shapes/shapes.ts'
import { added, type Changes, queryAdded } from '../src/translate/ops.ts'

export default {
  '1.47/manifests': {
    gate: 'prefix',
    summary: 'The list of images can show the manifests of each.',
    ops: [
      queryAdded('ImageList', 'manifests', { sample: '1', onLoss: 'ignore' }),
      added(ImageListItem, 'Manifests', { sample: [{}] }),
    ],
  },
} satisfies Changes
