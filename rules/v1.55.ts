import { UpdateConfig } from '../src/api/shapes/shapes.ts'
import { words } from '../src/config/text.ts'
import { addedAll, type Changes, callRefused, endpointAdded } from '../src/translate/ops.ts'

const DEVICE_LISTS = words(`
  BlkioWeightDevice BlkioDeviceReadBps BlkioDeviceWriteBps BlkioDeviceReadIOps BlkioDeviceWriteIOps
`)

const ONE_PLATFORM = 'only one platform value is currently supported'

export default {
  '1.55/image-attestations': {
    gate: 'prefix',
    summary: 'Attestations of an image can be read.',
    see: 'docs/api/version-history.md v1.55',
    ops: [
      // 404 would mean that the image does not exist; engine 29 answers 501 if its store keeps no attestations.
      endpointAdded('ImageAttestations', { missing: 501 }),
      // A request passes the ops from the last to the first, so this check comes before the 501 above.
      callRefused('ImageAttestations', 'more than one platform', {
        says: 'bad-request',
        finds: ({ query }) => (query.getAll('platform').length > 1 ? ONE_PLATFORM : undefined),
        samples: [['platform=a&platform=b', ONE_PLATFORM]],
      }),
    ],
  },
  '1.55/update-device-limits': {
    gate: 'prefix',
    summary: 'An update applies device limits.',
    see: 'docs/api/version-history.md v1.55',
    ops: addedAll(UpdateConfig, DEVICE_LISTS, { sample: [{ Path: '/dev/sda', Weight: 1 }], onLoss: 'refuse' }),
  },
} satisfies Changes
