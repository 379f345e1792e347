import { ImageConfig, Info } from '../src/api/shapes/shapes.ts'
import { added, type Changes, emulated, queryAdded, removed } from '../src/translate/ops.ts'
import { RUN_TIME_ZEROS } from './by-hand/image-config.ts'
import { byAskedName, byOwnName } from './emulate/removal-words.ts'

const OWN = '409 cannot remove container "/web": container is paused and must be unpaused first'
const ASKED = '409 cannot remove container "0a1b": container is paused and must be unpaused first'

export default {
  '1.50/removal-words': {
    summary: 'The error for removing a running container names it as in the request; before, by its own name.',
    see: 'daemon/delete.go:cleanupContainer @v28.1.1; containerRm @v28.2.2; seen on 26.1 and 28.5',
    ops: emulated('ContainerDelete', 'the error has the own name of the running container', {
      part: 'error',
      responseDown: byOwnName,
      responseUp: byAskedName,
    }),
    examples: {
      'ContainerDelete responseDown error': [
        [ASKED, OWN, { params: { name: '0a1b' }, calls: { 'GET /containers/0a1b/json': { body: { Name: '/web' } } } }],
      ],
      'ContainerDelete responseUp error': [[OWN, ASKED, { params: { name: '0a1b' } }]],
    },
  },
  '1.50/image-config-trimmed': {
    gate: 'prefix',
    summary: 'An image’s configuration no longer has run-time members; info no longer has the BridgeNf switches.',
    see: 'docs/api/version-history.md v1.50; api/server/router/image/inspect_response.go:legacyConfigFields',
    ops: [
      ...Object.entries(RUN_TIME_ZEROS).map(([member, zero]) => removed(ImageConfig, member, { down: zero })),
      removed(Info, 'BridgeNfIptables', { down: false }),
      removed(Info, 'BridgeNfIp6tables', { down: false }),
      added(Info, 'DiscoveredDevices', { sample: [{}] }),
      // Without it all platforms of the image would be deleted.
      queryAdded('ImageDelete', 'platforms', { sample: 'x', onLoss: 'refuse' }),
    ],
  },
} satisfies Changes
