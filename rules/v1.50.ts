import { memberAt } from '../src/api/json/json.ts'
import { ImageConfig, Info } from '../src/api/shapes/shapes.ts'
import { added, type Changes, errorTexts, queryAdded, removed, retyped } from '../src/translate/ops.ts'
import { RUN_TIME_ZEROS } from './by-hand/image-config.ts'
import { REMOVED } from './v1.44/error-words.ts'

const after = (Image: string) => ({ beside: { ContainerConfig: { Image } } })

export default {
  '1.50/removal-words': {
    summary: 'The error for removing a running container names it as in the request; before, by its own name.',
    see: 'daemon/delete.go:cleanupContainer @v28.1.1; containerRm @v28.2.2; seen on 26.1 and 28.5',
    ops: errorTexts(
      `
      ContainerDelete
        cannot remove container "{name}": container is {rest}
          cannot remove container "{ownName}": container is {rest}
          # 1.44/removal-words makes the errors of engines up to 24.
          1.43
      `,
      REMOVED,
    ),
  },
  '1.50/image-config-image': {
    summary: 'The configuration of an image that was built no longer has the id of the image before it.',
    see: 'daemon/images/imagespec.go:containerConfigToDockerOCIImageConfig @v28.2.2; seen on 26.1 and 28.5',
    ops: retyped(ImageConfig, 'Image', {
      description: 'the configuration of a built image has the id of the image before it',
      // Clients from 1.45 on do not get ContainerConfig. Of a commit it has the image's name, which Config had too if the commit had no body (seen on 20.10): nothing tells.
      toOlder: (image, _config, _context, inspected) => {
        const before = memberAt(inspected, 'ContainerConfig', 'Image')
        return image === '' && typeof before === 'string' && before.startsWith('sha256:') ? before : undefined
      },
      samples: [
        ['', 'sha256:ab', after('sha256:ab')],
        ['busybox', 'busybox', after('sha256:ab')],
        ['', '', after('busybox')],
      ],
    }),
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
