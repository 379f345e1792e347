import { UpdateConfig } from '../src/api/shapes/shapes.ts'
import { addedAll, type Changes, endpointAdded } from '../src/translate/ops.ts'
import { THROTTLES } from './by-hand/blkio-rates.ts'
import { onePlatform } from './by-hand/platform.ts'

export default {
  '1.55/image-attestations': {
    gate: 'prefix',
    summary: 'Attestations of an image can be read.',
    ops: [
      // 404 would mean that the image does not exist; engine 29 answers 501 if its store keeps no attestations.
      endpointAdded('ImageAttestations', { missing: 501 }),
      // A request passes the ops from the last to the first, so this check comes before the 501 above.
      onePlatform('ImageAttestations', 'only one platform value is currently supported', { says: 'bad-request' }),
    ],
  },
  '1.55/update-device-limits': {
    gate: 'prefix',
    summary: 'An update applies device limits.',
    ops: addedAll(UpdateConfig, ['BlkioWeightDevice', ...THROTTLES], {
      sample: [{ Path: '/dev/sda', Weight: 1 }],
      onLoss: 'refuse',
    }),
  },
} satisfies Changes
