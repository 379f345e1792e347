import { isObject, isUnset, type JsonValue } from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import { BindOptions, CreateResponse, HostConfig, UpdateConfig } from '../../src/api/shapes/shapes.ts'
import type { Changes } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { added, byHand, filled, gated, refusedWhere, retyped, shownAtEveryVersion } from '../../src/translate/ops.ts'
import { objectAt } from '../by-hand/endpoints.ts'
import { CreateHostConfig, ShownHostConfig } from '../by-hand/places.ts'

/** The one version with HostConfig.Capabilities. */
const CAPABILITIES_IN = 40

/** The mode that a request leaves open. */
function fillIpcMode(body: JsonValue | undefined, mode: string | undefined): void {
  if (!isObject(body)) return
  const hostConfig = objectAt(body, 'HostConfig')
  if (mode !== undefined && isUnset(hostConfig['IpcMode'])) hostConfig['IpcMode'] = mode
}

/** Engines apply the default of old versions only if there is a HostConfig. */
function shareableWithoutHostConfig({ body }: RequestMessage, { engine }: StepContext): void {
  if (!isObject(body) || engine.os === 'windows') return
  if (body['HostConfig'] === undefined || body['HostConfig'] === null) body['HostConfig'] = { IpcMode: 'shareable' }
}

const ONLY_IN_19_03 = 'HostConfig.Capabilities, which only engine 19.03 had,'

export default {
  '1.40/ipc-default': {
    gate: 'prefix',
    summary: 'The IPC namespace of a container is private by default; before, shareable.',
    see: 'docs/api/version-history.md v1.40; container_routes.go:postContainersCreate; recordings 20.10.24 at 1.22, inspect-min (no HostConfig: private) and inspect-leg (shareable)',
    ops: [
      byHand('ContainerCreate', 'HostConfig.IpcMode has another default', {
        requestUp: ({ body }) => fillIpcMode(body, 'shareable'),
        // Engines before 17.09 do not know the mode; every container is shareable there.
        requestDown: ({ body }, { engine }) => fillIpcMode(body, engine.highest >= 32 ? 'private' : undefined),
      }),
      ...gated(
        { gate: 'release' },
        byHand('ContainerCreate', 'a create without HostConfig is shareable too', {
          requestUp: shareableWithoutHostConfig,
        }),
      ),
    ],
    examples: {
      'ContainerCreate requestUp body': [
        [{ Image: 'i' }, { Image: 'i', HostConfig: { IpcMode: 'shareable' } }],
        [{ HostConfig: { IpcMode: 'host' } }],
      ],
      'ContainerCreate requestDown body': [
        [{ Image: 'i' }, { Image: 'i', HostConfig: { IpcMode: 'private' } }],
        [{ HostConfig: { IpcMode: '' } }, { HostConfig: { IpcMode: '' } }, { engine: '1.24' }],
      ],
    },
  },
  '1.40/create-warnings': {
    summary: 'A created container without warnings has an empty list of them; before, null.',
    see: 'daemon/create.go:containerCreate @v18.09.9, @v19.03.15',
    ops: retyped(CreateResponse, 'Warnings', { pairs: [[null, []]] }),
  },
  '1.40/pids-limit-null': {
    gate: 'prefix', // for the update; answers have the gate release
    summary: 'An unlimited number of processes is null, before 0; and an update can set the limit.',
    see: 'docs/api/version-history.md v1.40; container_routes.go:postContainerUpdate @v19.03',
    ops: [
      added(UpdateConfig, 'PidsLimit', { sample: 10, saysByBeing: true, onLoss: 'refuse' }),
      // Only in responses: Docker treats 0 in a request as null, but Podman limits null to 2048 processes, and 0 not at all.
      ...gated({ gate: 'release' }, retyped(onSide(HostConfig, 'response'), 'PidsLimit', { pairs: [[0, null]] })),
    ],
  },
  '1.40/mount-nonrecursive': {
    gate: 'prefix',
    summary: 'A bind can exclude the mounts below it.',
    see: 'docs/api/version-history.md v1.40; container_routes.go:postContainersCreate',
    ops: shownAtEveryVersion(added(BindOptions, 'NonRecursive', { sample: true, onLoss: 'refuse' })),
  },
  '1.40/device-requests': {
    summary: 'A container can have device requests, a limit for TCP buffers and (19.03 only) exact capabilities.',
    see: 'docs/api/version-history.md v1.40; api/types/container/host_config.go @v19.03; container_routes.go:rejectLegacyCapabilities',
    ops: [
      added(HostConfig, 'DeviceRequests', { sample: [{ Count: -1 }], up: null, onLoss: 'refuse' }),
      // At versions below 1.40 engines silently drop it (container_routes.go:postContainersCreate).
      ...gated(
        { gate: 'prefix', legs: ['requestUp', 'requestDown'] },
        added(HostConfig, 'KernelMemoryTCP', { sample: 5000000, up: 0, onLoss: 'refuse' }),
      ),
      added(UpdateConfig, 'KernelMemoryTCP', { sample: 5000000, onLoss: 'refuse' }),
      added(HostConfig, 'Capabilities', {
        sample: ['CAP_KILL'],
        up: (_object, { client }) => (client === CAPABILITIES_IN ? null : undefined),
        upSamples: [[{}, null]],
        onLoss: 'refuse',
      }),
      ...gated(
        { from: '1.41' },
        // Later engines ignore them: a container would start with others than requested.
        refusedWhere(CreateHostConfig, ONLY_IN_19_03, {
          leg: 'requestUp',
          finds: ({ Capabilities: names }, { client }) =>
            client === CAPABILITIES_IN && !isUnset(names) ? ONLY_IN_19_03 : undefined,
          samples: [[{ Capabilities: ['CAP_KILL'] }, ONLY_IN_19_03, { client: '1.40' }]],
        }),
        filled(ShownHostConfig, 'Capabilities', (_host, { client }) => (client === CAPABILITIES_IN ? null : undefined)),
      ),
    ],
    examples: {
      'ContainerInspect responseDown body.HostConfig': [
        [{ DeviceRequests: null }, { DeviceRequests: null, Capabilities: null }, { client: '1.40', engine: '1.41' }],
      ],
    },
  },
} satisfies Changes
