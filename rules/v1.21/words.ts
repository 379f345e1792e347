import { HostConfig, LogConfig, RestartPolicy } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { byHand } from '../../src/translate/ops.ts'
import { withoutConflicts } from '../by-hand/network-mode-conflicts.ts'
import { newValueRefused } from '../by-hand/new-value.ts'

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
    ops: [newValueRefused(RestartPolicy, 'Name', (name) => name === 'unless-stopped')],
    examples: {
      'ContainerCreate requestDown': [
        [
          { body: { HostConfig: { RestartPolicy: { Name: 'unless-stopped' } } } },
          /HostConfig\.RestartPolicy\.Name unless-stopped .* needs API 1\.21/,
        ],
        [
          { body: { HostConfig: { RestartPolicy: { Name: 'always' } } } },
          { body: { HostConfig: { RestartPolicy: { Name: 'always' } } } },
        ],
      ],
    },
  },
  {
    id: '1.21/custom-network-mode',
    gate: 'release',
    summary: 'NetworkMode may name a user-defined network.',
    see: 'docs/api/v1.21.md, Create a container; runconfig/hostconfig_unix.go @v1.9.1',
    ops: [newValueRefused(HostConfig, 'NetworkMode', isOwnNetwork)],
    examples: {
      'ContainerCreate requestDown': [
        [{ body: { HostConfig: { NetworkMode: 'web' } } }, /HostConfig\.NetworkMode web .* needs API 1\.21/],
        [
          { body: { HostConfig: { NetworkMode: 'container:web' } } },
          { body: { HostConfig: { NetworkMode: 'container:web' } } },
        ],
      ],
    },
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
      'ContainerCreate requestUp': [
        [
          {
            body: {
              Image: 'busybox',
              Hostname: 'h',
              ExposedPorts: { '80/tcp': {} },
              HostConfig: { NetworkMode: 'container:web', Dns: ['8.8.8.8'], PublishAllPorts: true, Links: null },
            },
          },
          { body: { Image: 'busybox', HostConfig: { NetworkMode: 'container:web', Links: null } } },
        ],
        [
          { body: { Hostname: 'h', HostConfig: { NetworkMode: 'host', Dns: ['8.8.8.8'] } } },
          { body: { HostConfig: { NetworkMode: 'host', Dns: ['8.8.8.8'] } } },
        ],
        [
          { body: { Hostname: 'h', HostConfig: { NetworkMode: 'host' } } },
          { body: { Hostname: 'h', HostConfig: { NetworkMode: 'host' } } },
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
    ops: [newValueRefused(LogConfig, 'Type', (type) => type === 'awslogs')],
    examples: {
      'ContainerCreate requestDown': [
        [
          { body: { HostConfig: { LogConfig: { Type: 'awslogs' } } } },
          /HostConfig\.LogConfig\.Type awslogs .* needs API 1\.21/,
        ],
      ],
    },
  },
] satisfies Change[]
