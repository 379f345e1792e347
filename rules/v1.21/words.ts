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
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { RestartPolicy: { Name: 'unless-stopped' } } } },
        after: { refused: /HostConfig\.RestartPolicy\.Name unless-stopped .* needs API 1\.21/ },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { RestartPolicy: { Name: 'always' } } } },
        after: { body: { HostConfig: { RestartPolicy: { Name: 'always' } } } },
      },
    ],
  },
  {
    id: '1.21/custom-network-mode',
    gate: 'release',
    summary: 'NetworkMode may name a user-defined network.',
    see: 'docs/api/v1.21.md, Create a container; runconfig/hostconfig_unix.go @v1.9.1',
    ops: [newValueRefused(HostConfig, 'NetworkMode', isOwnNetwork)],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { NetworkMode: 'web' } } },
        after: { refused: /HostConfig\.NetworkMode web .* needs API 1\.21/ },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { NetworkMode: 'container:web' } } },
        after: { body: { HostConfig: { NetworkMode: 'container:web' } } },
      },
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
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: {
          body: {
            Image: 'busybox',
            Hostname: 'h',
            ExposedPorts: { '80/tcp': {} },
            HostConfig: { NetworkMode: 'container:web', Dns: ['8.8.8.8'], PublishAllPorts: true, Links: null },
          },
        },
        after: { body: { Image: 'busybox', HostConfig: { NetworkMode: 'container:web', Links: null } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { Hostname: 'h', HostConfig: { NetworkMode: 'host', Dns: ['8.8.8.8'] } } },
        after: { body: { HostConfig: { NetworkMode: 'host', Dns: ['8.8.8.8'] } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        engine: '1.24',
        before: { body: { Hostname: 'h', HostConfig: { NetworkMode: 'host' } } },
        after: { body: { Hostname: 'h', HostConfig: { NetworkMode: 'host' } } },
      },
    ],
  },
  {
    id: '1.21/log-driver-awslogs',
    gate: 'release',
    summary: 'The log driver awslogs.',
    see: 'docs/api/v1.21.md, Create a container; daemon/logger/awslogs @v1.9.1',
    ops: [newValueRefused(LogConfig, 'Type', (type) => type === 'awslogs')],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { LogConfig: { Type: 'awslogs' } } } },
        after: { refused: /HostConfig\.LogConfig\.Type awslogs .* needs API 1\.21/ },
      },
    ],
  },
] satisfies Change[]
