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
    summary: 'An image’s configuration has no members of a running container; info has no BridgeNf switches.',
    see: 'docs/api/version-history.md v1.50; api/server/router/image/inspect_response.go:legacyConfigFields',
    ops: [
      ...Object.entries(RUN_TIME_ZEROS).map(([member, zero]) => removed(ImageConfig, member, { down: zero })),
      removed(Info, 'BridgeNfIptables', { down: false }),
      removed(Info, 'BridgeNfIp6tables', { down: false }),
      added(Info, 'DiscoveredDevices', { sample: [{}], onLoss: 'ignore' }),
      // Without it every platform of the image would go.
      queryAdded('ImageDelete', 'platforms', { sample: 'x', onLoss: 'refuse' }),
    ],
    examples: {
      'SystemInfo responseDown body': [
        [
          { NFd: 1, DiscoveredDevices: [] },
          { NFd: 1, BridgeNfIptables: false, BridgeNfIp6tables: false },
        ],
      ],
    },
  },
] satisfies Change[]
