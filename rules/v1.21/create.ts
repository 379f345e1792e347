import { type JsonValue, memberAt } from '../../src/api/json/json.ts'
import { onlyIn, onSide } from '../../src/api/shapes/shape.ts'
import { ContainerConfig, HostConfig, ImageConfig } from '../../src/api/shapes/shapes.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { added, type Changes, gated, moved, only, removed, retyped, sameAs } from '../../src/translate/ops.ts'
import { reworded } from '../by-hand/reworded.ts'

const NOTE = 'create.image'

function rememberImage({ body }: RequestMessage, { memory }: StepContext): void {
  const image = memberAt(body, 'Image')
  if (typeof image === 'string') memory.set(NOTE, image)
}

/** Clients recognize by this text that they have to pull. The tag is that of the request, `latest` if it had none. */
function withTag([, named = '']: RegExpExecArray, { memory }: StepContext): string {
  const note = memory.get(NOTE)
  const asked = typeof note === 'string' ? note : named
  // parsers.ParseRepositoryTag @v1.8.3: a digest, or the text after the last colon unless it is the port of a registry.
  const digest = asked.indexOf('@') + 1
  const tag = (digest > 0 && asked.slice(digest)) || /:([^:/]+)$/.exec(asked)?.[1] || 'latest'
  return `No such image: ${asked} (tag: ${tag})`
}

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
    ops: reworded([
      {
        on: 'ContainerCreate',
        before: { status: 404, says: /^No such image: (\S+) \(tag: \S+\)$/, text: withTag },
        after: { status: 404, says: /^No such image: (.+)(?<!\))$/i, text: 'No such image: $1' },
        only: 'down',
        everyProfile: true,
        notes: { requestUp: rememberImage },
        samples: [
          {
            before: 'No such image: x (tag: latest)',
            after: 'No such image: x:latest',
            asked: { body: { Image: 'x' } },
          },
        ],
      },
    ]),
    examples: {
      'ContainerCreate responseDown error': [
        ['404 No such image: 127.0.0.1:5000/nosuch:x', '404 No such image: 127.0.0.1:5000/nosuch:x (tag: x)'],
      ],
    },
  },
} satisfies Changes
