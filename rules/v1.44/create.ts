import { onlyIn } from '../../src/api/shapes/shape.ts'
import { BindOptions, Healthcheck, MountPoint } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { ANSWERS, added, byHand, gated, onEach } from '../../src/translate/ops.ts'
import { macOfContainer, macOfFirstEndpoint } from '../by-hand/mac-address.ts'
import { keepMountsBelowWritable, showAsBinds, showMode } from '../by-hand/read-only-binds.ts'
import { policyInNewerWords, policyInOlderWords, rememberPolicy } from '../by-hand/restart-policy-words.ts'

export default [
  {
    id: '1.44/read-only-recursive',
    gate: 'prefix',
    summary: 'A read-only bind is read-only all the way down; before, mounts below it stayed writable.',
    see: 'docs/api/version-history.md v1.44; container_routes.go:postContainersCreate (DefaultReadOnlyNonRecursive)',
    ops: [
      ...gated(
        { gate: 'release', legs: ANSWERS },
        // Older engines never are recursive: the one says nothing there, the other cannot be had.
        added(BindOptions, 'ReadOnlyNonRecursive', { onLoss: 'refuse', neutral: (value) => value === true }),
        added(BindOptions, 'ReadOnlyForceRecursive', { onLoss: 'refuse' }),
      ),
      byHand('ContainerCreate', 'read-only binds leave the mounts below them writable', {
        requestUp: keepMountsBelowWritable,
      }),
      byHand('ContainerInspect', 'mounts that stand for binds are shown as binds', {
        responseDown: showAsBinds,
      }),
      onEach(
        onlyIn(MountPoint, 'ContainerList'),
        'to clients that know no other, read-only mounts are shown as binds',
        {
          responseDown: showMode,
        },
      ),
    ],
    examples: [
      {
        on: 'ContainerList',
        leg: 'responseDown',
        client: '1.24',
        before: {
          body: [
            {
              Mounts: [
                { Type: 'bind', Mode: '', RW: false, Propagation: 'rprivate' },
                { Type: 'bind', Mode: '', RW: false, Propagation: 'rslave' },
                { Type: 'bind', Mode: '', RW: true, Propagation: 'rprivate' },
                { Type: 'volume', Mode: '', RW: false, Propagation: '' },
              ],
            },
          ],
        },
        after: {
          body: [
            {
              Mounts: [
                { Type: 'bind', Mode: 'ro', RW: false, Propagation: 'rprivate' },
                { Type: 'bind', Mode: 'ro,rslave', RW: false, Propagation: 'rslave' },
                { Type: 'bind', Mode: '', RW: true, Propagation: 'rprivate' },
                { Type: 'volume', Mode: '', RW: false, Propagation: '' },
              ],
            },
          ],
        },
      },
      {
        on: 'ContainerList',
        leg: 'responseDown',
        client: '1.25',
        before: { body: [{ Mounts: [{ Type: 'bind', Mode: '', RW: false, Propagation: 'rprivate' }] }] },
        after: { body: [{ Mounts: [{ Type: 'bind', Mode: '', RW: false, Propagation: 'rprivate' }] }] },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: {
          body: {
            HostConfig: {
              Binds: ['/a:/b:ro', '/c:/d', 'vol:/e:ro', '/f:/g:ro,z', '/h:/i:rslave,ro'],
              Mounts: [{ Type: 'bind', Source: '/j', Target: '/k', ReadOnly: true }],
            },
          },
        },
        after: {
          body: {
            HostConfig: {
              Binds: ['/c:/d', 'vol:/e:ro', '/f:/g:ro,z'],
              Mounts: [
                {
                  Type: 'bind',
                  Source: '/j',
                  Target: '/k',
                  ReadOnly: true,
                  BindOptions: { ReadOnlyNonRecursive: true },
                },
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
          },
        },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { Mounts: [{ Type: 'bind', BindOptions: { ReadOnlyNonRecursive: true } }] } } },
        after: { body: { HostConfig: { Mounts: [{ Type: 'bind', BindOptions: {} }] } } },
        losses: [],
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { Mounts: [{ Type: 'bind', BindOptions: { ReadOnlyForceRecursive: true } }] } } },
        after: { refused: /BindOptions\.ReadOnlyForceRecursive/ },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: {
          body: {
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
        },
        after: {
          body: {
            HostConfig: {
              Binds: ['/h:/i:ro,rslave'],
              Mounts: [{ Type: 'bind', Source: '/j', Target: '/k', ReadOnly: true }],
            },
            Mounts: [{ Type: 'bind', Source: '/h', Destination: '/i', Mode: 'ro,rslave', RW: false }],
          },
        },
      },
    ],
  },
  {
    id: '1.44/health-start-interval',
    gate: 'prefix',
    summary: 'Health checks may run at their own pace while a container starts.',
    see: 'docs/api/version-history.md v1.44; container_routes.go:postContainersCreate',
    ops: gated({ gate: 'release', legs: ANSWERS }, added(Healthcheck, 'StartInterval', { onLoss: 'warn' })),
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { Healthcheck: { StartInterval: 1000000000 } } },
        after: { body: { Healthcheck: {} } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { Healthcheck: { StartInterval: 1000000000 } } },
        after: { body: { Healthcheck: {} } },
        losses: ['Healthcheck.StartInterval'],
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { Config: { Healthcheck: { Retries: 3, StartInterval: 1000000000 } } } },
        after: { body: { Config: { Healthcheck: { Retries: 3 } } } },
      },
    ],
  },
  {
    id: '1.44/mac-address',
    gate: 'prefix',
    summary: 'A MAC address belongs to an endpoint; before, to the container, and one of an endpoint was ignored.',
    see: 'docs/api/version-history.md v1.44, v1.52; container_routes.go:handleMACAddressBC @v25.0',
    // Nothing on the way back: engines 25 to 28 show the address in Config whichever way it was given (28.5, asked),
    // and 1.52/inspect-storage knows what later ones leave out.
    ops: [
      byHand('ContainerCreate', 'the address moves to the first endpoint, or back to the container', {
        onLoss: 'refuse',
        loses: 'a MAC address that the engine cannot give: in a network mode without one, or to a further endpoint',
        requestUp: macOfFirstEndpoint,
        requestDown: macOfContainer,
      }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { MacAddress: '12:34:56:78:9a:bc', HostConfig: { NetworkMode: 'default' } } },
        after: {
          body: {
            HostConfig: { NetworkMode: 'bridge' },
            NetworkingConfig: { EndpointsConfig: { bridge: { MacAddress: '12:34:56:78:9a:bc' } } },
          },
        },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: {
          body: {
            MacAddress: '12:34:56:78:9a:bc',
            HostConfig: { NetworkMode: 'n' },
            NetworkingConfig: { EndpointsConfig: { n: { Aliases: ['a'], MacAddress: '02:00:00:00:00:01' } } },
          },
        },
        after: {
          body: {
            HostConfig: { NetworkMode: 'n' },
            NetworkingConfig: { EndpointsConfig: { n: { Aliases: ['a'], MacAddress: '12:34:56:78:9a:bc' } } },
          },
        },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { MacAddress: '', NetworkingConfig: { EndpointsConfig: { n: { MacAddress: '02:…' } } } } },
        after: { body: { NetworkingConfig: { EndpointsConfig: { n: {} } } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { MacAddress: '12:34:56:78:9a:bc', HostConfig: { NetworkMode: 'host' } } },
        after: { refused: /^conflicting options: mac-address and the network mode$/ },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { MacAddress: '12:34:56:78:9a:bc', HostConfig: { NetworkMode: 'none' } } },
        after: { body: { HostConfig: { NetworkMode: 'none' } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: {
          body: {
            HostConfig: { NetworkMode: 'n' },
            NetworkingConfig: { EndpointsConfig: { m: {}, n: { MacAddress: '12:34:56:78:9a:bc' } } },
          },
        },
        after: {
          body: {
            MacAddress: '12:34:56:78:9a:bc',
            HostConfig: { NetworkMode: 'n' },
            NetworkingConfig: { EndpointsConfig: { m: {}, n: {} } },
          },
        },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: {
          body: {
            HostConfig: { NetworkMode: 'n' },
            NetworkingConfig: { EndpointsConfig: { n: {}, m: { MacAddress: '12:34:56:78:9a:bc' } } },
          },
        },
        after: { refused: /EndpointSettings\.MacAddress of m/ },
      },
    ],
  },
  {
    id: '1.44/restart-policy-words',
    gate: 'release',
    summary: 'A restart policy is refused in other words.',
    see: 'daemon/container.go @v24.0, api/types/container/hostconfig.go @v25.0; recordings 20.10, 26.1 and 28.5, create-hc-restart',
    ops: [
      byHand(['ContainerCreate', 'ContainerUpdate'], 'which policy was asked for', { requestUp: rememberPolicy }),
      byHand(['ContainerCreate', 'ContainerUpdate'], 'the words of the refusal', {
        part: 'error',
        responseDown: policyInOlderWords,
        responseUp: policyInNewerWords,
      }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'responseDown',
        asked: { body: { HostConfig: { RestartPolicy: { Name: 'always', MaximumRetryCount: 1 } } } },
        before: {
          status: 400,
          text: "invalid restart policy: maximum retry count can only be used with 'on-failure'",
        },
        after: { status: 400, text: "maximum retry count cannot be used with restart policy 'always'" },
      },
      {
        on: 'ContainerUpdate',
        leg: 'responseDown',
        before: {
          status: 400,
          text: "invalid restart policy: unknown policy 'bogus'; use one of 'no', 'always', 'on-failure', or 'unless-stopped'",
        },
        after: { status: 400, text: "invalid restart policy 'bogus'" },
      },
      {
        on: 'ContainerUpdate',
        leg: 'responseDown',
        before: { status: 400, text: 'invalid restart policy: maximum retry count cannot be negative' },
        after: { status: 400, text: 'maximum retry count cannot be negative' },
      },
      {
        on: 'ContainerUpdate',
        leg: 'responseUp',
        before: { status: 400, text: "invalid restart policy 'bogus'" },
        after: {
          status: 400,
          text: "invalid restart policy: unknown policy 'bogus'; use one of 'no', 'always', 'on-failure', or 'unless-stopped'",
        },
      },
      {
        on: 'ContainerCreate',
        leg: 'responseUp',
        before: { status: 400, text: "maximum retry count cannot be used with restart policy 'always'" },
        after: { status: 400, text: "invalid restart policy: maximum retry count can only be used with 'on-failure'" },
      },
      {
        on: 'ContainerCreate',
        leg: 'responseUp',
        before: { status: 400, text: 'maximum retry count cannot be negative' },
        after: { status: 400, text: 'invalid restart policy: maximum retry count cannot be negative' },
      },
    ],
  },
] satisfies Change[]
