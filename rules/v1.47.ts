import { ImageListItem } from '../src/api/shapes/shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { added, queryAdded } from '../src/translate/ops.ts'

export default [
  {
    id: '1.47/manifests',
    gate: 'prefix',
    summary: 'The list of images can show the manifests of each.',
    see: 'docs/api/version-history.md v1.47',
    ops: [
      queryAdded('ImageList', 'manifests', { onLoss: 'ignore' }),
      added(ImageListItem, 'Manifests', { onLoss: 'ignore' }),
    ],
    examples: [
      { on: 'ImageList', leg: 'requestUp', before: { query: 'all=1&manifests=1' }, after: { query: 'all=1' } },
      { on: 'ImageList', leg: 'requestDown', before: { query: 'all=1&manifests=1' }, after: { query: 'all=1' } },
      {
        on: 'ImageList',
        leg: 'responseDown',
        before: { body: [{ Id: 'i', Manifests: [] }] },
        after: { body: [{ Id: 'i' }] },
      },
    ],
  },
] satisfies Change[]
