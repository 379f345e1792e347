import { ImageInspect, Info } from '../src/api/shapes/shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { added } from '../src/translate/ops.ts'

export default [
  {
    id: '1.53/misc',
    gate: 'prefix',
    // The further content types of events go by Accept: see 1.52/events-legacy-removed.
    summary: 'Info speaks of node resources, an image of where it comes from.',
    see: 'docs/api/version-history.md v1.53',
    ops: [
      added(Info, 'NRI', { sample: { Info: [] }, onLoss: 'ignore' }),
      added(ImageInspect, 'Identity', { sample: { Pull: [] }, onLoss: 'ignore' }),
    ],
  },
] satisfies Change[]
