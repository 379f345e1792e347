import { HostConfig, LogConfig, RestartPolicy } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { byHand, refusedWhere, valueAdded } from '../../src/translate/ops.ts'
import { withoutConflicts } from './network-mode-conflicts.ts'

/** What older engines take for a network: a word of theirs, or another container's. */
const isOwnNetwork = (mode: string): boolean => !/^(|default|bridge|host|none|container:.*)$/s.test(mode)

/** New words for members that were there before, and what they go with. */
export default [
  {
    id: '1.21/unless-stopped',
    gate: 'release',
    summary: 'The restart policy unless-stopped.',
    see: 'docs/api/v1.21.md, Create a container; daemon/monitor.go @v1.8.3, @v1.9.1',
    // Earlier engines take any name and never restart. Older clients see the name: they have no word for it.
    ops: [valueAdded(RestartPolicy, 'Name', ['unless-stopped'])],
  },
  {
    id: '1.21/custom-network-mode',
    gate: 'release',
    summary: 'NetworkMode may name a user-defined network.',
    see: 'docs/api/v1.21.md, Create a container; runconfig/hostconfig_unix.go @v1.9.1',
    ops: [
      refusedWhere(HostConfig, 'NetworkMode may be a network', {
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
    summary:
      'Settings that have no effect with the network of another container are refused; before they were ignored.',
    see: 'runconfig/parse.go @v1.8.3, runconfig/parse_unix.go ValidateNetMode @v1.9.1, runconfig/hostconfig_unix.go @v20.10; recordings 1.9.1, 1.10.3 and 1.12.6, create-net-host-hostname',
    ops: [
      byHand('ContainerCreate', 'what had no effect with this NetworkMode is taken out', {
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
    summary: 'The log driver awslogs.',
    see: 'docs/api/v1.21.md, Create a container; daemon/logger/awslogs @v1.9.1',
    ops: [valueAdded(LogConfig, 'Type', ['awslogs'])],
  },
] satisfies Change[]
