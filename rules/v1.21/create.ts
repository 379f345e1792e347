import type { JsonValue } from '../../src/api/json/json.ts'
import { onlyIn, onSide } from '../../src/api/shapes/shape.ts'
import { ContainerConfig, HostConfig, ImageConfig } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, byHand, gated, moved, omittedWhenEmpty, retyped } from '../../src/translate/ops.ts'
import { BRINGS_HOST_CONFIG } from '../by-hand/host-config.ts'
import { namedVolumesDown, namedVolumesUp } from '../by-hand/named-volumes.ts'
import { rememberImage, withTagInWords } from '../by-hand/no-such-image.ts'
import { volumeDriverDown, volumeDriverUp } from '../by-hand/volume-driver.ts'

const CreateBody = onSide(onlyIn(ContainerConfig, 'ContainerCreate'), 'request')

const isLocal = (driver: JsonValue): boolean => driver === 'local'

/** What a container is made from; new words and new limits are in files of their own. */
export default [
  {
    id: '1.21/stop-signal',
    gate: 'release',
    summary: 'The signal that stops a container can be chosen.',
    see: 'docs/api/v1.21.md, Create a container; runconfig/config.go @v1.9.1',
    ops: [
      added(ContainerConfig, 'StopSignal', {
        // Numbers as the documents have them, strings as every daemon wants them.
        neutral: (signal) => signal === 15 || (typeof signal === 'string' && /^(SIGTERM|TERM|15)$/i.test(signal)),
        up: (_config, { policy }) => (policy.profile === 'spec' ? 'SIGTERM' : undefined),
        onLoss: 'refuse',
      }),
      added(ImageConfig, 'StopSignal', { onLoss: 'ignore' }),
      // With --newer-fields pass: every daemon refuses the number that the document allows.
      retyped(onSide(ContainerConfig, 'request'), 'StopSignal', {
        sides: 'request',
        toNewer: (signal) => (typeof signal === 'number' ? String(signal) : undefined),
      }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { Image: 'busybox', StopSignal: 15 } },
        after: { body: { Image: 'busybox' } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { Image: 'busybox', StopSignal: 'SIGINT' } },
        after: { refused: /^StopSignal .* needs API 1\.21/ },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { Image: 'busybox', StopSignal: 'SIGTERM' } },
        after: { body: { Image: 'busybox' } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { Config: { Tty: false, StopSignal: 'SIGTERM' } } },
        after: { body: { Config: { Tty: false } } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        before: { body: { Config: { Tty: false } } },
        after: { body: { Config: { Tty: false } } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        profile: 'spec',
        before: { body: { Config: { Tty: false } } },
        after: { body: { Config: { Tty: false, StopSignal: 'SIGTERM' } } },
      },
    ],
  },
  {
    id: '1.21/volume-driver-moved',
    gate: 'release',
    summary: 'VolumeDriver is in HostConfig; in 1.19 and 1.20 it was in the config.',
    see: 'docs/api/version-history.md v1.21; runconfig/config_unix.go getHostConfig, daemon/inspect_linux.go containerInspect120 @v1.9.1; recordings 1.8.3 and 1.9.1 at 1.20, inspect-leg',
    // The engines up to 25 answer the old form by the prefix: what they did is left as it is. Release, because HostConfig
    // has the member at every prefix and requests are read by the engine's age alone.
    ops: [
      // 1.6 has none at all, and only 1.7 shows one of an image (recordings 1.6.2, 1.7.1 and 1.8.3, image-inspect).
      ...gated(
        { from: '1.19' },
        added(CreateBody, 'VolumeDriver', { neutral: isLocal, onLoss: 'refuse' }),
        added(onSide(ContainerConfig, 'response'), 'VolumeDriver', { onLoss: 'ignore' }),
        added(ImageConfig, 'VolumeDriver', { onLoss: 'ignore' }),
      ),
      ...gated({ from: '1.20' }, omittedWhenEmpty(ImageConfig, 'VolumeDriver', '')),
      added(HostConfig, 'VolumeDriver', { neutral: isLocal, onLoss: 'refuse' }),
      moved(CreateBody, 'VolumeDriver', 'HostConfig.VolumeDriver'),
      byHand('ContainerInspect', 'the driver is shown in the config', {
        responseDown: volumeDriverDown,
        responseUp: volumeDriverUp,
      }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { Image: 'busybox', VolumeDriver: 'flocker', HostConfig: { VolumeDriver: 'x' } } },
        after: { body: { Image: 'busybox', HostConfig: { VolumeDriver: 'flocker' } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { Image: 'busybox', HostConfig: { VolumeDriver: 'flocker' } } },
        after: { body: { Image: 'busybox', VolumeDriver: 'flocker', HostConfig: {} } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        client: '1.18',
        before: { body: { Image: 'busybox', VolumeDriver: 'flocker' } },
        after: { body: { Image: 'busybox' } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        engine: '1.18',
        before: { body: { Image: 'busybox', HostConfig: { VolumeDriver: 'flocker' } } },
        after: { refused: /^VolumeDriver is not supported by the engine/ },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        engine: '1.18',
        before: { body: { Image: 'busybox', HostConfig: { VolumeDriver: 'local' } } },
        after: { body: { Image: 'busybox', HostConfig: {} } },
      },
      {
        on: 'ContainerStart',
        leg: 'requestDown',
        before: { body: { VolumeDriver: 'flocker', Binds: ['data:/data'] } },
        after: { refused: /HostConfig\.VolumeDriver .* needs API 1\.21/ },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { Config: {}, HostConfig: { VolumeDriver: 'local' } } },
        after: { body: { Config: { VolumeDriver: 'local' }, HostConfig: {} } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        client: '1.19',
        before: { body: { Config: {}, HostConfig: { VolumeDriver: '' } } },
        after: { body: { Config: { VolumeDriver: '' }, HostConfig: {} } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        client: '1.18',
        before: { body: { Config: { VolumeDriver: 'local' }, HostConfig: { VolumeDriver: 'local' } } },
        after: { body: { Config: {}, HostConfig: {} } },
      },
      {
        on: 'ImageInspect',
        leg: 'responseDown',
        client: '1.19',
        before: { body: { Config: {}, ContainerConfig: null } },
        after: { body: { Config: { VolumeDriver: '' }, ContainerConfig: null } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        client: '1.20',
        before: { body: { Config: { VolumeDriver: '' }, HostConfig: { VolumeDriver: '' } } },
        after: { body: { Config: {}, HostConfig: {} } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        before: { body: { Config: { VolumeDriver: 'local' }, HostConfig: {} } },
        after: { body: { Config: {}, HostConfig: { VolumeDriver: 'local' } } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        before: { body: { Config: {}, HostConfig: {} } },
        after: { body: { Config: {}, HostConfig: { VolumeDriver: '' } } },
      },
    ],
  },
  {
    id: '1.21/named-volume-binds',
    gate: 'release',
    // Documented with 1.21; engine 1.8 makes the volume already (recording 1.8.3 at 1.20, create-named-vol).
    from: '1.20',
    summary: 'The source of a bind may be the name of a volume; before, anything but an absolute path was an error.',
    see: 'docs/api/v1.21.md, Create a container; volume/volume_unix.go ParseMountSpec @v1.9.1; recordings 1.6.2, 1.7.1 and 1.8.3, create-named-vol',
    ops: [
      byHand(BRINGS_HOST_CONFIG, 'a named volume is reported, and refused in strict mode', {
        requestUp: namedVolumesUp,
      }),
      byHand(BRINGS_HOST_CONFIG, 'a named volume is refused: data would land elsewhere than meant', {
        onLoss: 'refuse',
        requestDown: namedVolumesDown,
      }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { Binds: ['data:/data:ro'] } } },
        after: { body: { HostConfig: { Binds: ['data:/data:ro'] } } },
        ignored: ['volume data of HostConfig.Binds'],
      },
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { Binds: ['/srv/data:/data'] } } },
        after: { body: { HostConfig: { Binds: ['/srv/data:/data'] } } },
        ignored: [],
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { Binds: ['data:/data'] } } },
        after: { refused: /volume data of HostConfig\.Binds .* needs API 1\.20/ },
      },
      {
        on: 'ContainerStart',
        leg: 'requestUp',
        before: { body: { Binds: ['data:/data'] } },
        after: { body: { Binds: ['data:/data'] } },
        ignored: ['volume data of HostConfig.Binds'],
      },
    ],
  },
  {
    id: '1.21/no-such-image-text',
    gate: 'release',
    summary: 'Create names a missing image once; before, its tag stood behind it in brackets.',
    see: 'daemon/create.go @v1.8.3, @v1.9.1; recordings 1.8.3 and 1.9.1, create-image404, create-image404tag',
    ops: [
      byHand('ContainerCreate', 'the image asked for is kept in mind', { requestUp: rememberImage }),
      byHand('ContainerCreate', 'the missing image is named as it was asked for, with its tag', {
        part: 'error',
        responseDown: withTagInWords,
      }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'responseDown',
        asked: { body: { Image: 'nosuch' } },
        before: { status: 404, text: 'No such image: nosuch:latest' },
        after: { status: 404, text: 'No such image: nosuch (tag: latest)' },
      },
      {
        on: 'ContainerCreate',
        leg: 'responseDown',
        before: { status: 404, text: 'No such image: 127.0.0.1:5000/nosuch:x' },
        after: { status: 404, text: 'No such image: 127.0.0.1:5000/nosuch:x (tag: x)' },
      },
    ],
  },
] satisfies Change[]
