import type { JsonValue } from '../../src/api/json/json.ts'
import { onlyIn, onSide } from '../../src/api/shapes/shape.ts'
import { ContainerConfig, HostConfig, ImageConfig } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, byHand, gated, moved, omittedWhenEmpty, retyped } from '../../src/translate/ops.ts'
import { BRINGS_HOST_CONFIG } from '../by-hand/host-config.ts'
import { namedVolumesDown, namedVolumesUp } from './named-volumes.ts'
import { rememberImage, withTagInWords } from './no-such-image.ts'
import { volumeDriverDown, volumeDriverUp } from './volume-driver.ts'

const CreateBody = onSide(onlyIn(ContainerConfig, 'ContainerCreate'), 'request')

const isLocal = (driver: JsonValue): boolean => driver === 'local'

/** Create; words.ts and limits.ts have its new values and limits. */
export default [
  {
    id: '1.21/stop-signal',
    gate: 'release',
    summary: 'A container can have a stop signal.',
    see: 'docs/api/v1.21.md, Create a container; runconfig/config.go @v1.9.1',
    ops: [
      added(ContainerConfig, 'StopSignal', {
        sample: 'SIGINT',
        // The documents have numbers, every daemon requires strings.
        neutral: (signal) => signal === 15 || (typeof signal === 'string' && /^(SIGTERM|TERM|15)$/i.test(signal)),
        up: (_config, { policy }) => (policy.profile === 'spec' ? 'SIGTERM' : undefined),
        onLoss: 'refuse',
      }),
      added(ImageConfig, 'StopSignal', { sample: 'SIGINT', onLoss: 'ignore' }),
      // With --newer-fields pass: every daemon refuses the number that the document allows.
      retyped(onSide(ContainerConfig, 'request'), 'StopSignal', {
        sides: 'request',
        toNewer: (signal) => (typeof signal === 'number' ? String(signal) : undefined),
      }),
    ],
    examples: {
      'ContainerCreate requestUp body': [[{ Image: 'busybox', StopSignal: 15 }, { Image: 'busybox' }]],
      'ContainerInspect responseUp body.Config': [
        [{ Tty: false }],
        [{ Tty: false }, { Tty: false, StopSignal: 'SIGTERM' }, { profile: 'spec' }],
      ],
    },
  },
  {
    id: '1.21/volume-driver-moved',
    gate: 'release',
    summary: 'VolumeDriver is in HostConfig; in 1.19 and 1.20 it was in the config.',
    see: 'docs/api/version-history.md v1.21; runconfig/config_unix.go getHostConfig, daemon/inspect_linux.go containerInspect120 @v1.9.1; recordings 1.8.3 and 1.9.1 at 1.20, inspect-leg',
    // Engines up to 25 answer in the old form by prefix; such answers stay. The gate is release, because HostConfig has the
    // member at every prefix and requests are read by the engine's release only.
    ops: [
      // Engine 1.6 does not have it, and only 1.7 shows it for an image (recordings 1.6.2, 1.7.1 and 1.8.3, image-inspect).
      ...gated(
        { from: '1.19' },
        added(CreateBody, 'VolumeDriver', { sample: 'flocker', neutral: isLocal, onLoss: 'refuse' }),
        added(ImageConfig, 'VolumeDriver', { sample: 'flocker', onLoss: 'ignore' }),
      ),
      ...gated({ from: '1.20' }, omittedWhenEmpty(ImageConfig, 'VolumeDriver', '')),
      added(HostConfig, 'VolumeDriver', { sample: 'flocker', neutral: isLocal, onLoss: 'refuse' }),
      moved(CreateBody, 'VolumeDriver', 'HostConfig.VolumeDriver'),
      byHand('ContainerInspect', 'the driver is shown in the config', {
        responseDown: volumeDriverDown,
        responseUp: volumeDriverUp,
      }),
    ],
    examples: {
      'ContainerCreate requestDown body': [
        [
          { Image: 'busybox', HostConfig: { VolumeDriver: 'flocker' } },
          { Image: 'busybox', VolumeDriver: 'flocker', HostConfig: {} },
        ],
        [
          { Image: 'busybox', HostConfig: { VolumeDriver: 'flocker' } },
          /^VolumeDriver is not supported by the engine/,
          { engine: '1.18' },
        ],
      ],
      'ContainerCreate requestUp body': [
        [{ Image: 'busybox', VolumeDriver: 'flocker' }, { Image: 'busybox' }, { client: '1.18' }],
      ],
      'ContainerInspect responseDown body': [
        [
          { Config: {}, HostConfig: { VolumeDriver: '' } },
          { Config: { VolumeDriver: '' }, HostConfig: {} },
          { client: '1.19' },
        ],
        [
          { Config: {}, HostConfig: { VolumeDriver: 'local' } },
          { Config: { VolumeDriver: 'local' }, HostConfig: {} },
          { client: '1.18' },
        ],
        [
          { Config: {}, HostConfig: { VolumeDriver: '' } },
          { Config: { VolumeDriver: '' }, HostConfig: {} },
          { client: '1.20' },
        ],
      ],
      'ImageInspect responseDown body': [
        [
          { Config: {}, ContainerConfig: null },
          { Config: { VolumeDriver: '' }, ContainerConfig: null },
          { client: '1.19' },
        ],
      ],
      'ContainerInspect responseUp body': [
        [
          { Config: { VolumeDriver: 'local' }, HostConfig: {} },
          { Config: {}, HostConfig: { VolumeDriver: 'local' } },
        ],
      ],
    },
  },
  {
    id: '1.21/named-volume-binds',
    gate: 'release',
    // Documented in 1.21; engine 1.8 already creates the volume (recording 1.8.3 at 1.20, create-named-vol).
    from: '1.20',
    summary: 'The source of a bind can be the name of a volume; before, anything but an absolute path was an error.',
    see: 'docs/api/v1.21.md, Create a container; volume/volume_unix.go ParseMountSpec @v1.9.1; recordings 1.6.2, 1.7.1 and 1.8.3, create-named-vol',
    ops: [
      byHand(BRINGS_HOST_CONFIG, 'a named volume is reported, and refused in strict mode', {
        requestUp: namedVolumesUp,
      }),
      byHand(BRINGS_HOST_CONFIG, 'a named volume is refused: data would be stored elsewhere', {
        onLoss: 'refuse',
        requestDown: namedVolumesDown,
      }),
    ],
    examples: {
      'ContainerCreate requestUp body.HostConfig.Binds': [[['/srv/data:/data'], ['/srv/data:/data'], { ignored: [] }]],
      'ContainerCreate requestDown body.HostConfig.Binds': [
        [['data:/data'], /volume data of HostConfig\.Binds .* needs API 1\.20/],
      ],
      'ContainerStart requestUp body.Binds': [
        [['data:/data'], ['data:/data'], { ignored: ['volume data of HostConfig.Binds'] }],
      ],
    },
  },
  {
    id: '1.21/no-such-image-text',
    gate: 'release',
    summary: 'The error for a missing image names it once; before, its tag followed in parentheses.',
    see: 'daemon/create.go @v1.8.3, @v1.9.1; recordings 1.8.3 and 1.9.1, create-image404, create-image404tag',
    ops: [
      byHand('ContainerCreate', 'the requested image is remembered', { requestUp: rememberImage }),
      byHand('ContainerCreate', 'the error names the missing image as requested, then its tag', {
        part: 'error',
        responseDown: withTagInWords,
      }),
    ],
    examples: {
      'ContainerCreate responseDown error': [
        [
          '404 No such image: nosuch:latest',
          '404 No such image: nosuch (tag: latest)',
          { asked: { body: { Image: 'nosuch' } } },
        ],
        ['404 No such image: 127.0.0.1:5000/nosuch:x', '404 No such image: 127.0.0.1:5000/nosuch:x (tag: x)'],
      ],
    },
  },
] satisfies Change[]
