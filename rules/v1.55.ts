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
      ...addedAll(UpdateConfig, DEVICE_LISTS, { onLoss: 'refuse' }),
    ],
    examples: [
      { on: 'ImageAttestations', leg: 'requestDown', before: {}, after: { refused: /page not found/ } },
      {
        on: 'ContainerUpdate',
        leg: 'requestUp',
        before: { body: { Memory: 1, BlkioWeightDevice: [{ Path: '/dev/sda', Weight: 1 }] } },
        after: { body: { Memory: 1 } },
      },
      {
        on: 'ContainerUpdate',
        leg: 'requestDown',
        before: { body: { BlkioDeviceReadBps: [{ Path: '/dev/sda', Rate: 1 }] } },
        after: { refused: /BlkioDeviceReadBps .* needs API 1\.55/ },
      },
    ],
  },
] satisfies Change[]
