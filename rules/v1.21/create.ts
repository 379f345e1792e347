import { memberAt, stringOf } from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import { ContainerConfig, ExecConfig, HostConfig, ImageConfig } from '../../src/api/shapes/shapes.ts'
import type { Asked } from '../../src/translate/ops/calls/error-texts.ts'
import {
  added,
  type Changes,
  errorTexts,
  moved,
  only,
  refusedAsFound,
  removed,
  retyped,
  sameAs,
  statusChanged,
} from '../../src/translate/ops.ts'
import { CreateBody, ShownConfig } from '../by-hand/places.ts'

/** The tag of the requested image, `latest` if it has none: parsers.ParseRepositoryTag @v1.8.3. */
function tagOf(image: string): string {
  const digest = image.indexOf('@') + 1
  // The text after the last colon, unless it is the port of a registry.
  return (digest > 0 && image.slice(digest)) || /:([^:/]+)$/.exec(image)?.[1] || 'latest'
}

const requested = ({ body, found }: Asked): string => stringOf(memberAt(body, 'Image')) || (found['image'] ?? '')

/** The documents have numbers, every daemon requires strings. */
export const stopSignalAsText = retyped(onSide(ContainerConfig, 'request'), 'StopSignal', {
  samples: [[15, '15']],
  toNewer: (signal) => (typeof signal === 'number' ? String(signal) : undefined),
})

export default {
  '1.21/stop-signal': {
    summary: 'A container can have a stop signal.',
    see: 'docs/api/v1.21.md, Create a container; runconfig/config.go @v1.9.1',
    ops: [
      added(ContainerConfig, 'StopSignal', {
        sample: 'SIGINT',
        neutral: [15, (signal) => typeof signal === 'string' && /^(SIGTERM|TERM|15)$/i.test(signal)],
        up: (_config, { policy }) => (policy.profile === 'spec' ? 'SIGTERM' : undefined),
        onLoss: 'refuse',
      }),
      added(ImageConfig, 'StopSignal', { sample: 'SIGINT' }),
      // With --newer-fields pass: every daemon refuses the number that the document allows.
      stopSignalAsText,
    ],
    examples: {
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
      ...only(
        { legs: ['requestDown'], from: '1.19' },
        added(CreateBody, 'VolumeDriver', { sample: 'flocker', neutral: ['local'], onLoss: 'refuse' }),
      ),
      added(HostConfig, 'VolumeDriver', {
        sample: 'flocker',
        neutral: ['local'],
        up: sameAs('/Config.VolumeDriver', ''),
        onLoss: 'refuse',
      }),
      moved(CreateBody, 'VolumeDriver', 'HostConfig.VolumeDriver'),
      removed(ShownConfig, 'VolumeDriver', { sample: 'flocker', down: sameAs('/HostConfig.VolumeDriver', '') }),
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
  '1.21/exec-privileged': {
    summary: 'Privileged of an exec takes effect; engines 1.6 to 1.8 ignore it.',
    see: 'docs/api/v1.21.md, Exec Create; daemon/exec.go @v1.8.3, @v1.9.1',
    ops: added(ExecConfig, 'Privileged', { sample: true, onLoss: 'refuse' }),
  },
  '1.21/exec-conflict-status': {
    summary: 'Exec in a paused container is a conflict, 409; before, 500.',
    see: 'docs/api/v1.21.md, Exec Create; errors/daemon.go @v1.9.1; recordings 1.8.3 and 1.9.1, exec-paused',
    ops: [
      statusChanged(['ContainerExec', 'ExecStart'], { before: 500, after: 409, when: '{lead}is paused{rest}' }),
      // Engines 1.9 and 1.10 still answer 500 to create in a stopped container, 20.10 answers 409 (recordings, exec-exited).
      statusChanged(['ContainerExec', 'ExecStart'], {
        before: 500,
        after: 409,
        when: '{lead}{what=is not running|has already run}{rest}',
        legs: 'down',
      }),
    ],
  },
  '1.21/exec-start-detach-status': {
    summary: 'A detached exec start answers 200; before, 204.',
    see: 'api/server/server.go postContainerExecStart @v1.8.3; api/server/router/local/exec.go @v1.9.1',
    // Older clients keep the 200, which every document since 1.18 names.
    ops: statusChanged('ExecStart', { before: 204, after: 200, legs: 'up' }),
  },
  '1.21/exec-start-unknown-status': {
    summary: 'Starting an unknown exec is 404; before, an attached start was 200 with an empty stream.',
    see: 'recordings 1.6.2, 1.8.3 and 1.9.1, exec-start-404',
    // Older clients keep the 404: they treat all statuses from 400 on alike.
    ops: refusedAsFound('ExecStart', 'the exec is looked up before it is started', {
      asks: '/exec/{id}/json',
      says: 'not-found',
      // The start reports other errors.
      finds: ({ status, error }) => (status === 404 && /no such exec/i.test(error) ? error : undefined),
      samples: [[{ status: 404, body: 'No such exec instance x' }, 'No such exec instance x']],
      stay: [{ body: {} }, { status: 404, body: 'page not found' }],
    }),
  },
  '1.21/start-failure-status': {
    summary: 'A start that fails because a binary or device is missing is 500; before, 404.',
    see: 'recordings 1.8.3 and 1.9.1, start-fail, started-device-bad, started-net-container-404',
    // To a newer client 404 means a missing container. An older one gets the status of the engine.
    ops: statusChanged('ContainerStart', { before: 404, after: 500, when: 'Cannot start container{rest}', legs: 'up' }),
  },
  '1.21/rename-conflict-status': {
    from: '1.24',
    summary: 'Renaming to a used name is 409; on engines 1.9 to 1.11, 500.',
    see: 'recordings 1.8.3, 1.9.1, 1.10.3 and 1.12.6, rename-conflict',
    // From 1.24, because engines up to 1.8 answered 409 too. Older clients keep the 409, which is more precise.
    ops: statusChanged('ContainerRename', {
      before: 500,
      after: 409,
      when: '{lead}Conflict. The name{rest}',
      legs: 'up',
    }),
  },
} satisfies Changes
