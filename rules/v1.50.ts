import { ImageConfig, Info } from '../src/api/shapes/shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { added, queryAdded, removed } from '../src/translate/ops.ts'
import { RUN_TIME_ZEROS } from './by-hand/image-config.ts'

export default [
  {
    id: '1.50/image-config-trimmed',
    gate: 'prefix',
    summary: 'An image’s configuration has no members of a running container; info has no BridgeNf switches.',
    see: 'docs/api/version-history.md v1.50; api/server/router/image/inspect_response.go:legacyConfigFields',
    ops: [
      ...Object.entries(RUN_TIME_ZEROS).map(([member, zero]) => removed(ImageConfig, member, { down: zero })),
      removed(Info, 'BridgeNfIptables', { down: false }),
      removed(Info, 'BridgeNfIp6tables', { down: false }),
      added(Info, 'DiscoveredDevices', { onLoss: 'ignore' }),
      // Without it every platform of the image would go.
      queryAdded('ImageDelete', 'platforms', { onLoss: 'refuse' }),
    ],
    examples: [
      {
        on: 'ImageInspect',
        leg: 'responseDown',
        before: { body: { Config: { Cmd: ['sh'] } } },
        after: { body: { Config: { Cmd: ['sh'], ...RUN_TIME_ZEROS } } },
      },
      {
        on: 'ImageInspect',
        leg: 'responseUp',
        before: { body: { Config: { Cmd: ['sh'], Hostname: 'h', Tty: false, Image: 'i' } } },
        after: { body: { Config: { Cmd: ['sh'] } } },
      },
      {
        on: 'SystemInfo',
        leg: 'responseDown',
        before: { body: { NFd: 1, DiscoveredDevices: [] } },
        after: { body: { NFd: 1, BridgeNfIptables: false, BridgeNfIp6tables: false } },
      },
      { on: 'ImageDelete', leg: 'requestUp', before: { query: 'platforms=x' }, after: { query: '' } },
      {
        on: 'ImageDelete',
        leg: 'requestDown',
        before: { query: 'force=1&platforms=x' },
        after: { refused: /platforms .* needs API 1\.50/ },
      },
    ],
  },
] satisfies Change[]
