import { type JsonValue, memberAt, stringOf } from '../../src/api/json/json.ts'
import { onlyIn, onSide } from '../../src/api/shapes/shape.ts'
import { ContainerConfig, HostConfig, ImageConfig } from '../../src/api/shapes/shapes.ts'
import type { Asked } from '../../src/translate/ops/calls/error-texts.ts'
import {
  added,
  type Changes,
  errorTexts,
  gated,
  moved,
  only,
  removed,
  retyped,
  sameAs,
} from '../../src/translate/ops.ts'

/** The tag of the requested image, `latest` if it has none: parsers.ParseRepositoryTag @v1.8.3. */
function tagOf(image: string): string {
  const digest = image.indexOf('@') + 1
  // The text after the last colon, unless it is the port of a registry.
  return (digest > 0 && image.slice(digest)) || /:([^:/]+)$/.exec(image)?.[1] || 'latest'
}

const requested = ({ body, found }: Asked): string => stringOf(memberAt(body, 'Image')) || (found['image'] ?? '')

const CreateBody = onSide(onlyIn(ContainerConfig, 'ContainerCreate'), 'request')

const isLocal = (driver: JsonValue): boolean => driver === 'local'

/** Create; host-config.ts has its new values and limits. */
export default {
  '1.21/stop-signal': {
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
      added(ImageConfig, 'StopSignal', { sample: 'SIGINT' }),
      // With --newer-fields pass: every daemon refuses the number that the document allows.
      retyped(ContainerConfig, 'StopSignal', {
        samples: { toNewer: [[15, '15']] },
        sides: 'request',
        toNewer: (signal) => (typeof signal === 'number' ? String(signal) : undefined),
      }),
    ],
    examples: {
      'ContainerCreate requestDown body': [[{ StopSignal: 15 }, {}]],
      'ContainerInspect responseUp body.Config': [[{}], [{}, { StopSignal: 'SIGTERM' }, { profile: 'spec' }]],
    },
  },
  '1.21/volume-driver-moved': {
    summary: 'VolumeDriver is in HostConfig; in 1.19 and 1.20 it was in the config.',
    see: 'docs/api/version-history.md v1.21; runconfig/config_unix.go getHostConfig, daemon/inspect_linux.go containerInspect120 @v1.9.1; recordings 1.8.3 and 1.9.1 at 1.20, inspect-leg',
    // Engines up to 25 answer in the old form by prefix; such answers stay. The gate is release, because HostConfig has the
    // member at every prefix and requests are read by the engine's release only.
    ops: [
      // Engine 1.6 does not have it; 1.20/config-volume-driver has the other way.
      ...gated(
        { from: '1.19' },
        ...only(
          { legs: ['requestDown'] },
          added(CreateBody, 'VolumeDriver', { sample: 'flocker', neutral: isLocal, onLoss: 'refuse' }),
        ),
      ),
      added(HostConfig, 'VolumeDriver', {
        sample: 'flocker',
        neutral: isLocal,
        up: sameAs('/Config.VolumeDriver', ''),
        onLoss: 'refuse',
      }),
      moved(CreateBody, 'VolumeDriver', 'HostConfig.VolumeDriver'),
      removed(onSide(ContainerConfig, 'response'), 'VolumeDriver', {
        sample: 'flocker',
        down: sameAs('/HostConfig.VolumeDriver', ''),
      }),
    ],
  },
  '1.21/no-such-image-text': {
    summary: 'The error for a missing image names it once; before, its tag followed in parentheses.',
    see: 'daemon/create.go @v1.8.3, @v1.9.1; recordings 1.8.3 and 1.9.1, create-image404, create-image404tag',
    ops: errorTexts(
      `
      ContainerCreate
        404 No such image: {image} (tag: {tag})
          down 404
        404 No such image: {image}
          down 404 No such image: {asked} (tag: {tag})
      `,
      {
        anyCase: true,
        everyProfile: true,
        // Clients recognize by this text that they have to pull.
        holes: { asked: requested, tag: (asked) => tagOf(requested(asked)) },
        remembers: ['ContainerCreate'],
        samples: [{ body: { Image: 'x' }, values: { image: 'x:latest', asked: 'x', tag: 'latest' } }],
      },
    ),
    examples: {
      'ContainerCreate responseDown error': [
        ['404 No such image: 127.0.0.1:5000/nosuch:x', '404 No such image: 127.0.0.1:5000/nosuch:x (tag: x)'],
      ],
    },
  },
} satisfies Changes
