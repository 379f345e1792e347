import { isObject, type JsonObject, type JsonValue, memberAt } from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import { ContainerInspect, ContainerState, EndpointSettings, MountPoint } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { added, addedAll, byHand, emulated, removed } from '../../src/translate/ops.ts'
import { noNetworksYet } from '../by-hand/network-settings.ts'
import { fillNetworkIds } from '../emulate/looked-up-networks.ts'

/** The default of engine 1.10: '' for anonymous volumes, rprivate for entries of Binds. */
function defaultPropagation(mount: JsonObject, _context: StepContext, container: JsonValue | undefined): JsonValue {
  const name = mount['Name']
  if (typeof name !== 'string' || name === '') return 'rprivate'
  const binds = memberAt(container, 'HostConfig', 'Binds')
  const bound = Array.isArray(binds) && binds.some((bind) => typeof bind === 'string' && bind.startsWith(`${name}:`))
  return bound ? 'rprivate' : ''
}

export default [
  {
    id: '1.22/exec-driver-removed',
    gate: 'release',
    summary: 'A container no longer shows its execution driver.',
    see: 'daemon/inspect.go @v1.9.1; engine-api types @v1.10.3 (some 1.10 documents still show it)',
    ops: [removed(ContainerInspect, 'ExecDriver', { down: 'native-0.2' })],
  },
  {
    id: '1.22/state-dead',
    gate: 'release',
    summary: 'State.Dead is documented; the daemon has it since 1.6.',
    see: 'docs/api/v1.22.md, Inspect a container; daemon/state.go @v1.6.2',
    ops: [added(ContainerState, 'Dead', { sample: true, up: false, down: 'keep', onLoss: 'ignore' })],
  },
  {
    id: '1.22/mount-fields',
    gate: 'release',
    summary: 'A mount shows its propagation.',
    see: 'docs/api/v1.22.md, Inspect a container; api/types/types.go:MountPoint @v1.8.3; recorded on 1.9.1, 1.10.3',
    ops: [added(MountPoint, 'Propagation', { sample: 'rprivate', up: defaultPropagation, onLoss: 'ignore' })],
    examples: {
      'ContainerInspect responseUp body': [
        [
          {
            HostConfig: { Binds: ['/tmp:/t', 'data:/d'] },
            Mounts: [{ Source: '/tmp' }, { Name: 'data' }, { Name: '0123abcd' }],
          },
          {
            HostConfig: { Binds: ['/tmp:/t', 'data:/d'] },
            Mounts: [
              { Source: '/tmp', Propagation: 'rprivate' },
              { Name: 'data', Propagation: 'rprivate' },
              { Name: '0123abcd', Propagation: '' },
            ],
          },
        ],
      ],
    },
  },
  {
    id: '1.22/endpoint-fields',
    gate: 'release',
    summary: 'An endpoint shows its network id, configuration, links and aliases.',
    see: 'docs/api/v1.22.md, Inspect a container; engine-api types/network @v1.10.3; recorded on 1.9.1, 1.10.3',
    ops: [
      // Only in responses; networking-config and network-connect-endpoint handle requests.
      ...addedAll(onSide(EndpointSettings, 'response'), ['IPAMConfig', 'Links', 'Aliases'], {
        sample: {},
        up: null,
        onLoss: 'ignore',
      }),
      added(onSide(EndpointSettings, 'response'), 'NetworkID', { sample: 'n', up: '', onLoss: 'ignore' }),
      emulated('ContainerInspect', 'the ids of the networks are looked up', { responseUp: fillNetworkIds }),
      byHand('ContainerInspect', 'Networks is null up to the first start', { responseDown: noNetworksYet }),
    ],
    examples: {
      'ContainerInspect responseDown body': [
        [
          {
            State: { Running: false, StartedAt: '0001-01-01T00:00:00Z' },
            NetworkSettings: { Networks: { bridge: { EndpointID: '' } } },
          },
          { State: { Running: false, StartedAt: '0001-01-01T00:00:00Z' }, NetworkSettings: { Networks: null } },
        ],
        [
          {
            NetworkSettings: {
              Networks: {
                bridge: { IPAMConfig: null, Links: null, Aliases: null, NetworkID: 'n', EndpointID: 'e', Gateway: 'g' },
              },
            },
          },
          { NetworkSettings: { Networks: { bridge: { EndpointID: 'e', Gateway: 'g' } } } },
        ],
      ],
      'ContainerInspect responseUp body.NetworkSettings.Networks.bridge': [
        [
          { EndpointID: 'e' },
          { EndpointID: 'e', NetworkID: 'n1', IPAMConfig: null, Links: null, Aliases: null },
          { calls: { 'GET /networks': { body: [{ Name: 'bridge', Id: 'n1' }] } } },
        ],
      ],
    },
  },
  {
    id: '1.22/sandbox-kept',
    gate: 'release',
    summary: 'A stopped container keeps the sandbox of its last run; before, it had none.',
    see: 'recorded on 1.9.1 and 1.10.3 (inspect-exited)',
    ops: [
      byHand('ContainerInspect', 'a stopped container has no sandbox', {
        responseDown: ({ body }) => {
          if (!isObject(body)) return
          const { State: state, NetworkSettings: settings } = body
          if (!isObject(state) || state['Running'] !== false || !isObject(settings)) return
          for (const member of ['SandboxID', 'SandboxKey']) if (Object.hasOwn(settings, member)) settings[member] = ''
        },
      }),
    ],
    examples: {
      'ContainerInspect responseDown body': [
        [
          { State: { Running: false }, NetworkSettings: { SandboxID: 'abc', SandboxKey: '/x' } },
          { State: { Running: false }, NetworkSettings: { SandboxID: '', SandboxKey: '' } },
        ],
        [{ State: { Running: true }, NetworkSettings: { SandboxID: 'abc' } }],
      ],
    },
  },
] satisfies Change[]
