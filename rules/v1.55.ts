import { UpdateConfig } from '../src/api/shapes/shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { addedAll, endpointAdded } from '../src/translate/ops.ts'

const DEVICE_LISTS = [
  'BlkioWeightDevice',
  'BlkioDeviceReadBps',
  'BlkioDeviceWriteBps',
  'BlkioDeviceReadIOps',
  'BlkioDeviceWriteIOps',
]

export default [
  {
    id: '1.55/misc',
    gate: 'prefix',
    summary: 'Attestations of an image can be read; update applies the limits of devices.',
    see: 'docs/api/version-history.md v1.55',
    ops: [
      endpointAdded('ImageAttestations', { missing: 404 }),
      ...addedAll(UpdateConfig, DEVICE_LISTS, { sample: [{ Path: '/dev/sda', Weight: 1 }], onLoss: 'refuse' }),
    ],
  },
] satisfies Change[]
