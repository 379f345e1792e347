import { isObject, isUnset } from '../../src/api/json/json.ts'
import { onlyIn, onSide } from '../../src/api/shapes/shape.ts'
import { BindOptions, HostConfig, UpdateConfig } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { Change } from '../../src/translate/change.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { ANSWERS, added, byHand, gated, newDefault, retyped } from '../../src/translate/ops.ts'

/** Engines know the words private and shareable from 17.09 on. */
const IPC_WORDS_FROM = apiVersion(32)
/** The one version with HostConfig.Capabilities. */
const CAPABILITIES_IN = apiVersion(40)

const created = onSide(onlyIn(HostConfig, 'ContainerCreate'), 'request')

/** Engines look for the default of old versions only where there is a HostConfig. */
function shareableWithoutHostConfig({ body }: RequestMessage, { engine }: StepContext): void {
  if (!isObject(body) || engine.os === 'windows') return
  if (body['HostConfig'] === undefined || body['HostConfig'] === null) body['HostConfig'] = { IpcMode: 'shareable' }
}

/** Later engines ignore Capabilities: a container would start with others than it asked for. */
function refuseCapabilities({ body }: RequestMessage, context: StepContext, change: { id: string }): void {
  const hostConfig = isObject(body) ? body['HostConfig'] : undefined
  if (context.client !== CAPABILITIES_IN || !isObject(hostConfig) || isUnset(hostConfig['Capabilities'])) return
  const what = 'HostConfig.Capabilities, which only engine 19.03 had,'
  context.lose({ what, needs: CAPABILITIES_IN, change: change.id, onLoss: 'refuse' })
}

function nullCapabilities({ body }: ResponseMessage, { client }: StepContext): void {
  const hostConfig = isObject(body) ? body['HostConfig'] : undefined
  if (client === CAPABILITIES_IN && isObject(hostConfig)) hostConfig['Capabilities'] ??= null
}

export default [
  {
    id: '1.40/ipc-default',
    gate: 'prefix',
    summary: 'The IPC namespace of a container is its own unless it asks to share it.',
    see: 'docs/api/version-history.md v1.40; container_routes.go:postContainersCreate; recordings 20.10.24 at 1.22, inspect-min (no HostConfig: private) and inspect-leg (shareable)',
    ops: [
      newDefault(created, 'IpcMode', {
        before: 'shareable',
        // Older engines do not know the word; there every container is shareable.
        after: (_object, { engine }) => (engine.highest >= IPC_WORDS_FROM ? 'private' : undefined),
        create: true,
      }),
      ...gated(
        { gate: 'release' },
        byHand('ContainerCreate', 'a create without HostConfig is shareable as well', {
          requestUp: shareableWithoutHostConfig,
        }),
      ),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { Image: 'i', HostConfig: { IpcMode: '', Memory: 5 } } },
        after: { body: { Image: 'i', HostConfig: { IpcMode: 'shareable', Memory: 5 } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { Image: 'i' } },
        after: { body: { Image: 'i', HostConfig: { IpcMode: 'shareable' } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { IpcMode: 'host' } } },
        after: { body: { HostConfig: { IpcMode: 'host' } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { Image: 'i' } },
        after: { body: { Image: 'i', HostConfig: { IpcMode: 'private' } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        engine: '1.24',
        before: { body: { HostConfig: { IpcMode: '' } } },
        after: { body: { HostConfig: { IpcMode: '' } } },
      },
    ],
  },
  {
    id: '1.40/pids-limit-null',
    gate: 'prefix', // of the update; what answers say is the engine's age
    summary: 'No limit of processes is null, before 0; and the limit can be updated.',
    see: 'docs/api/version-history.md v1.40; container_routes.go:postContainerUpdate @v19.03',
    ops: [
      added(UpdateConfig, 'PidsLimit', { onLoss: 'refuse' }),
      ...gated(
        { gate: 'release' },
        retyped(HostConfig, 'PidsLimit', {
          toOlder: (value) => (value === null ? 0 : undefined),
          toNewer: (value) => (value === 0 ? null : undefined),
        }),
      ),
    ],
    examples: [
      {
        on: 'ContainerUpdate',
        leg: 'requestUp',
        before: { body: { Memory: 5, PidsLimit: 10 } },
        after: { body: { Memory: 5 } },
      },
      {
        on: 'ContainerUpdate',
        leg: 'requestDown',
        before: { body: { PidsLimit: 10 } },
        after: { refused: /UpdateConfig\.PidsLimit/ },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { PidsLimit: null } } },
        after: { body: { HostConfig: { PidsLimit: 0 } } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { HostConfig: { PidsLimit: null } } },
        after: { body: { HostConfig: { PidsLimit: 0 } } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        before: { body: { HostConfig: { PidsLimit: 0 } } },
        after: { body: { HostConfig: { PidsLimit: null } } },
      },
    ],
  },
  {
    id: '1.40/mount-nonrecursive',
    gate: 'prefix',
    summary: 'A bind may leave out the mounts below it.',
    see: 'docs/api/version-history.md v1.40; container_routes.go:postContainersCreate',
    ops: gated({ gate: 'release', legs: ANSWERS }, added(BindOptions, 'NonRecursive', { onLoss: 'refuse' })),
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { Mounts: [{ Type: 'bind', BindOptions: { NonRecursive: true } }] } } },
        after: { body: { HostConfig: { Mounts: [{ Type: 'bind', BindOptions: {} }] } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { Mounts: [{ Type: 'bind', BindOptions: { NonRecursive: true } }] } } },
        after: { refused: /BindOptions\.NonRecursive/ },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { HostConfig: { Mounts: [{ BindOptions: { Propagation: 'slave', NonRecursive: true } }] } } },
        after: { body: { HostConfig: { Mounts: [{ BindOptions: { Propagation: 'slave' } }] } } },
      },
    ],
  },
  {
    id: '1.40/device-requests',
    gate: 'release',
    summary: 'Devices by request, a limit for TCP buffers, and (in 19.03 only) exact capabilities.',
    see: 'docs/api/version-history.md v1.40; api/types/container/host_config.go @v19.03; container_routes.go:rejectLegacyCapabilities',
    ops: [
      added(HostConfig, 'DeviceRequests', { up: null, onLoss: 'refuse' }),
      // Below 1.40 engines drop it by the version asked for, in silence (container_routes.go:postContainersCreate).
      ...gated(
        { gate: 'prefix', legs: ['requestDown'] },
        added(HostConfig, 'KernelMemoryTCP', { up: 0, onLoss: 'refuse' }),
      ),
      added(UpdateConfig, 'KernelMemoryTCP', { onLoss: 'refuse' }),
      added(HostConfig, 'Capabilities', {
        up: (_object, { client }) => (client === CAPABILITIES_IN ? null : undefined),
        onLoss: 'refuse',
      }),
      ...gated(
        { from: '1.41' },
        byHand(['ContainerCreate'], 'Capabilities are gone', { requestUp: refuseCapabilities }),
        byHand(['ContainerInspect'], 'Capabilities are gone', {
          responseDown: nullCapabilities,
        }),
      ),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { DeviceRequests: [{ Count: -1 }], KernelMemoryTCP: 5 } } },
        after: { body: { HostConfig: {} } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        client: '1.40',
        engine: '1.51',
        before: { body: { HostConfig: { Capabilities: ['CAP_KILL'] } } },
        after: { refused: /HostConfig\.Capabilities/ },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { DeviceRequests: [{ Count: -1 }] } } },
        after: { refused: /HostConfig\.DeviceRequests .* needs API 1\.40/ },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { KernelMemoryTCP: 5000000 } } },
        after: { refused: /HostConfig\.KernelMemoryTCP/ },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { HostConfig: { DeviceRequests: null, KernelMemoryTCP: 0 } } },
        after: { body: { HostConfig: {} } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        client: '1.40',
        engine: '1.41',
        before: { body: { HostConfig: { DeviceRequests: null } } },
        after: { body: { HostConfig: { DeviceRequests: null, Capabilities: null } } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        before: { body: { HostConfig: {} } },
        after: { body: { HostConfig: { DeviceRequests: null, KernelMemoryTCP: 0, Capabilities: null } } },
      },
    ],
  },
] satisfies Change[]
