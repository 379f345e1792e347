import { HostConfig, LogConfig, RestartPolicy } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { byHand, refusedWhere, valueAdded } from '../../src/translate/ops.ts'
import { withoutConflicts } from './network-mode-conflicts.ts'

/** A user-defined network: neither a mode of older engines nor the network of a container. */
const isOwnNetwork = (mode: string): boolean => !/^(|default|bridge|host|none|container:.*)$/s.test(mode)

/** New values of existing members, and settings that they exclude. */
export default [
  {
    id: '1.21/unless-stopped',
    gate: 'release',
    summary: 'A restart policy can be unless-stopped.',
    see: 'docs/api/v1.21.md, Create a container; daemon/monitor.go @v1.8.3, @v1.9.1',
    // Earlier engines accept any name and never restart. Older clients see the name, because they have no other for it.
    ops: [valueAdded(RestartPolicy, 'Name', ['unless-stopped'])],
  },
  {
    id: '1.21/custom-network-mode',
    gate: 'release',
    summary: 'NetworkMode can name a user-defined network.',
    see: 'docs/api/v1.21.md, Create a container; runconfig/hostconfig_unix.go @v1.9.1',
    ops: [
      refusedWhere(HostConfig, 'user-defined networks as NetworkMode', {
        finds: ({ NetworkMode: mode }) =>
          typeof mode === 'string' && isOwnNetwork(mode) ? `HostConfig.NetworkMode ${mode}` : undefined,
        samples: [[{ NetworkMode: 'web' }, 'HostConfig.NetworkMode web']],
        stay: [{ NetworkMode: 'container:web' }],
      }),
    ],
  },
  {
    id: '1.21/netmode-conflicts-validated',
    gate: 'release',
    summary: 'Settings without effect in the network of another container are refused; before, they were ignored.',
    see: 'runconfig/parse.go @v1.8.3, runconfig/parse_unix.go ValidateNetMode @v1.9.1, runconfig/hostconfig_unix.go @v20.10; recordings 1.9.1, 1.10.3 and 1.12.6, create-net-host-hostname',
    ops: [
      byHand('ContainerCreate', 'settings without effect with this NetworkMode are removed', {
        requestUp: withoutConflicts,
      }),
    ],
    examples: {
      'ContainerCreate requestUp body': [
        [
          {
            Image: 'busybox',
            Hostname: 'h',
            ExposedPorts: { '80/tcp': {} },
            HostConfig: { NetworkMode: 'container:web', Dns: ['8.8.8.8'], PublishAllPorts: true, Links: null },
          },
          { Image: 'busybox', HostConfig: { NetworkMode: 'container:web', Links: null } },
        ],
        [
          { Hostname: 'h', HostConfig: { NetworkMode: 'host', Dns: ['8.8.8.8'] } },
          { HostConfig: { NetworkMode: 'host', Dns: ['8.8.8.8'] } },
        ],
        [
          { Hostname: 'h', HostConfig: { NetworkMode: 'host' } },
          { Hostname: 'h', HostConfig: { NetworkMode: 'host' } },
          { engine: '1.24' },
        ],
      ],
    },
  },
  {
    id: '1.21/log-driver-awslogs',
    gate: 'release',
    summary: 'Logs can go to awslogs.',
    see: 'docs/api/v1.21.md, Create a container; daemon/logger/awslogs @v1.9.1',
    ops: [valueAdded(LogConfig, 'Type', ['awslogs'])],
  },
] satisfies Change[]
