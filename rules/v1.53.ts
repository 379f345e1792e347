import { ImageInspect, Info } from '../src/api/shapes/shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { added } from '../src/translate/ops.ts'

export default [
  // The further content types of events go by Accept: see 1.52/events-legacy-removed.
  {
    id: '1.53/info-nri',
    gate: 'prefix',
    summary: 'Info speaks of node resources.',
    see: 'docs/api/version-history.md v1.53',
    ops: [added(Info, 'NRI', { sample: { Info: [] }, onLoss: 'ignore' })],
  },
  {
    id: '1.53/image-identity',
    gate: 'prefix',
    summary: 'An image says where it comes from.',
    see: 'docs/api/version-history.md v1.53',
    ops: [added(ImageInspect, 'Identity', { sample: { Pull: [] }, onLoss: 'ignore' })],
  },
] satisfies Change[]
