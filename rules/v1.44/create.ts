import { onlyIn } from '../../src/api/shapes/shape.ts'
import { BindOptions, Healthcheck, MountPoint } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { ANSWERS, added, byHand, gated, onEach } from '../../src/translate/ops.ts'
import { macOfContainer, macOfFirstEndpoint } from './mac-address.ts'
import { keepMountsBelowWritable, showAsBinds, showMode } from './read-only-binds.ts'
import { policyInNewerWords, policyInOlderWords, rememberPolicy } from './restart-policy-words.ts'

export default [
  {
    id: '1.44/read-only-recursive',
    gate: 'prefix',
    summary: 'A read-only bind is recursively read-only; before, mounts below it stayed writable.',
    see: 'docs/api/version-history.md v1.44; container_routes.go:postContainersCreate (DefaultReadOnlyNonRecursive)',
    ops: [
      ...gated(
        { gate: 'release', legs: ANSWERS },
        // Older engines are never recursive: the first has no effect there, the second is impossible.
        added(BindOptions, 'ReadOnlyNonRecursive', { onLoss: 'refuse', neutral: [true] }),
        added(BindOptions, 'ReadOnlyForceRecursive', { sample: true, onLoss: 'refuse' }),
      ),
      byHand('ContainerCreate', 'mounts below read-only binds stay writable', {
        requestUp: keepMountsBelowWritable,
      }),
      byHand('ContainerInspect', 'mounts made from binds are shown as binds', { responseDown: showAsBinds }),
      onEach(onlyIn(MountPoint, 'ContainerList'), 'clients that know only binds see read-only mounts as binds', {
        responseDown: showMode,
      }),
    ],
    examples: {
      'ContainerList responseDown body.[].Mounts': [
        [
          [
            { Type: 'bind', Mode: '', RW: false, Propagation: 'rprivate' },
            { Type: 'bind', Mode: '', RW: false, Propagation: 'rslave' },
            { Type: 'bind', Mode: '', RW: true, Propagation: 'rprivate' },
            { Type: 'volume', Mode: '', RW: false, Propagation: '' },
          ],
          [
            { Type: 'bind', Mode: 'ro', RW: false, Propagation: 'rprivate' },
            { Type: 'bind', Mode: 'ro,rslave', RW: false, Propagation: 'rslave' },
            { Type: 'bind', Mode: '', RW: true, Propagation: 'rprivate' },
            { Type: 'volume', Mode: '', RW: false, Propagation: '' },
          ],
          { client: '1.24' },
        ],
        [
          [{ Type: 'bind', Mode: '', RW: false, Propagation: 'rprivate' }],
          [{ Type: 'bind', Mode: '', RW: false, Propagation: 'rprivate' }],
          { client: '1.25' },
        ],
      ],
      'ContainerCreate requestUp body.HostConfig': [
        [
          {
            Binds: ['/a:/b:ro', '/c:/d', 'vol:/e:ro', '/f:/g:ro,z', '/h:/i:rslave,ro'],
            Mounts: [{ Type: 'bind', Source: '/j', Target: '/k', ReadOnly: true }],
          },
          {
            Binds: ['/c:/d', 'vol:/e:ro', '/f:/g:ro,z'],
            Mounts: [
              { Type: 'bind', Source: '/j', Target: '/k', ReadOnly: true, BindOptions: { ReadOnlyNonRecursive: true } },
              {
                Type: 'bind',
                Source: '/a',
                Target: '/b',
                ReadOnly: true,
                BindOptions: { CreateMountpoint: true, ReadOnlyNonRecursive: true },
              },
              {
                Type: 'bind',
                Source: '/h',
                Target: '/i',
                ReadOnly: true,
                BindOptions: { CreateMountpoint: true, ReadOnlyNonRecursive: true, Propagation: 'rslave' },
              },
            ],
          },
        ],
      ],
      'ContainerCreate requestDown body.HostConfig.Mounts.[]': [
        [
          { Type: 'bind', BindOptions: { ReadOnlyNonRecursive: true } },
          { Type: 'bind', BindOptions: {} },
          { losses: [] },
        ],
        [{ Type: 'bind', BindOptions: { ReadOnlyForceRecursive: true } }, /BindOptions\.ReadOnlyForceRecursive/],
      ],
      'ContainerInspect responseDown body': [
        [
          {
            HostConfig: {
              Binds: null,
              Mounts: [
                {
                  Type: 'bind',
                  Source: '/h',
                  Target: '/i',
                  ReadOnly: true,
                  BindOptions: { Propagation: 'rslave', CreateMountpoint: true, ReadOnlyNonRecursive: true },
                },
                {
                  Type: 'bind',
                  Source: '/j',
                  Target: '/k',
                  ReadOnly: true,
                  BindOptions: { ReadOnlyNonRecursive: true },
                },
              ],
            },
            Mounts: [{ Type: 'bind', Source: '/h', Destination: '/i', Mode: '', RW: false }],
          },
          {
            HostConfig: {
              Binds: ['/h:/i:ro,rslave'],
              Mounts: [{ Type: 'bind', Source: '/j', Target: '/k', ReadOnly: true }],
            },
            Mounts: [{ Type: 'bind', Source: '/h', Destination: '/i', Mode: 'ro,rslave', RW: false }],
          },
        ],
      ],
    },
  },
  {
    id: '1.44/health-start-interval',
    gate: 'prefix',
    summary: 'Health checks can have their own interval while a container starts.',
    see: 'docs/api/version-history.md v1.44; container_routes.go:postContainersCreate',
    ops: gated(
      { gate: 'release', legs: ANSWERS },
      added(Healthcheck, 'StartInterval', { sample: 1000000000, onLoss: 'warn' }),
    ),
  },
  {
    id: '1.44/mac-address',
    gate: 'prefix',
    summary: 'A MAC address belongs to an endpoint; before, to the container, and that of an endpoint was ignored.',
    see: 'docs/api/version-history.md v1.44, v1.52; container_routes.go:handleMACAddressBC @v25.0',
    // Requests only: engines 25 to 28 show the address in Config however it was set (seen on 28.5), and
    // 1.52/inspect-storage handles later ones.
    ops: [
      byHand('ContainerCreate', 'the address moves to the first endpoint, or back to the container', {
        onLoss: 'refuse',
        loses: 'a MAC address that the engine cannot set: in a network mode without one, or at a further endpoint',
        requestUp: macOfFirstEndpoint,
        requestDown: macOfContainer,
      }),
    ],
    examples: {
      'ContainerCreate requestUp body': [
        [
          { MacAddress: '12:34:56:78:9a:bc', HostConfig: { NetworkMode: 'default' } },
          {
            HostConfig: { NetworkMode: 'bridge' },
            NetworkingConfig: { EndpointsConfig: { bridge: { MacAddress: '12:34:56:78:9a:bc' } } },
          },
        ],
        [
          {
            MacAddress: '12:34:56:78:9a:bc',
            HostConfig: { NetworkMode: 'n' },
            NetworkingConfig: { EndpointsConfig: { n: { Aliases: ['a'], MacAddress: '02:00:00:00:00:01' } } },
          },
          {
            HostConfig: { NetworkMode: 'n' },
            NetworkingConfig: { EndpointsConfig: { n: { Aliases: ['a'], MacAddress: '12:34:56:78:9a:bc' } } },
          },
        ],
        [
          { MacAddress: '', NetworkingConfig: { EndpointsConfig: { n: { MacAddress: '02:…' } } } },
          { NetworkingConfig: { EndpointsConfig: { n: {} } } },
        ],
        [
          { MacAddress: '12:34:56:78:9a:bc', HostConfig: { NetworkMode: 'host' } },
          /^conflicting options: mac-address and the network mode$/,
        ],
        [
          { MacAddress: '12:34:56:78:9a:bc', HostConfig: { NetworkMode: 'none' } },
          { HostConfig: { NetworkMode: 'none' } },
        ],
      ],
      'ContainerCreate requestDown body': [
        [
          {
            HostConfig: { NetworkMode: 'n' },
            NetworkingConfig: { EndpointsConfig: { m: {}, n: { MacAddress: '12:34:56:78:9a:bc' } } },
          },
          {
            MacAddress: '12:34:56:78:9a:bc',
            HostConfig: { NetworkMode: 'n' },
            NetworkingConfig: { EndpointsConfig: { m: {}, n: {} } },
          },
        ],
        [
          {
            HostConfig: { NetworkMode: 'n' },
            NetworkingConfig: { EndpointsConfig: { n: {}, m: { MacAddress: '12:34:56:78:9a:bc' } } },
          },
          /EndpointSettings\.MacAddress of m/,
        ],
      ],
    },
  },
  {
    id: '1.44/restart-policy-words',
    gate: 'release',
    summary: 'The errors of restart policies are worded differently.',
    see: 'daemon/container.go @v24.0, api/types/container/hostconfig.go @v25.0; recordings 20.10, 26.1 and 28.5, create-hc-restart',
    ops: [
      byHand(['ContainerCreate', 'ContainerUpdate'], 'the requested policy is remembered', {
        requestUp: rememberPolicy,
      }),
      byHand(['ContainerCreate', 'ContainerUpdate'], 'the text of the error', {
        part: 'error',
        responseDown: policyInOlderWords,
        responseUp: policyInNewerWords,
      }),
    ],
    examples: {
      'ContainerCreate responseDown error': [
        [
          "400 invalid restart policy: maximum retry count can only be used with 'on-failure'",
          "400 maximum retry count cannot be used with restart policy 'always'",
          { asked: { body: { HostConfig: { RestartPolicy: { Name: 'always', MaximumRetryCount: 1 } } } } },
        ],
      ],
      'ContainerUpdate responseDown error': [
        [
          "400 invalid restart policy: unknown policy 'bogus'; use one of 'no', 'always', 'on-failure', or 'unless-stopped'",
          "400 invalid restart policy 'bogus'",
        ],
        [
          '400 invalid restart policy: maximum retry count cannot be negative',
          '400 maximum retry count cannot be negative',
        ],
      ],
      'ContainerUpdate responseUp error': [
        [
          "400 invalid restart policy 'bogus'",
          "400 invalid restart policy: unknown policy 'bogus'; use one of 'no', 'always', 'on-failure', or 'unless-stopped'",
        ],
      ],
      'ContainerCreate responseUp error': [
        [
          "400 maximum retry count cannot be used with restart policy 'always'",
          "400 invalid restart policy: maximum retry count can only be used with 'on-failure'",
        ],
        [
          '400 maximum retry count cannot be negative',
          '400 invalid restart policy: maximum retry count cannot be negative',
        ],
      ],
    },
  },
] satisfies Change[]
