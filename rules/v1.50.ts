import { ImageConfig, Info } from '../src/api/shapes/shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { added, queryAdded, removed } from '../src/translate/ops.ts'
import { RUN_TIME_ZEROS } from './by-hand/image-config.ts'
import { removalWords } from './v1.50/removal-words.ts'

export default [
  removalWords,
  {
    id: '1.50/image-config-trimmed',
    gate: 'prefix',
    summary: 'An image’s configuration no longer has run-time members; info no longer has the BridgeNf switches.',
    see: 'docs/api/version-history.md v1.50; api/server/router/image/inspect_response.go:legacyConfigFields',
    ops: [
      ...Object.entries(RUN_TIME_ZEROS).map(([member, zero]) => removed(ImageConfig, member, { down: zero })),
      removed(Info, 'BridgeNfIptables', { down: false }),
      removed(Info, 'BridgeNfIp6tables', { down: false }),
      added(Info, 'DiscoveredDevices', { sample: [{}], onLoss: 'ignore' }),
      // Without it all platforms of the image would be deleted.
      queryAdded('ImageDelete', 'platforms', { sample: 'x', onLoss: 'refuse' }),
    ],
  },
] satisfies Change[]
