import { isUnset, type JsonObject } from '../../src/api/json/json.ts'
import { onlyIn } from '../../src/api/shapes/shape.ts'
import { BindOptions, Healthcheck, MountPoint } from '../../src/api/shapes/shapes.ts'
import { added, byHand, type Changes, gated, onEach, retyped, shownAtEveryVersion } from '../../src/translate/ops.ts'
import { restartPolicyWords } from './error-words.ts'
import { macOfContainer, macOfFirstEndpoint } from './mac-address.ts'
import { bindMode, keepMountsBelowWritable, showAsBinds } from './read-only-binds.ts'

const READ_ONLY = { Type: 'bind', Mode: '', RW: false, Propagation: 'rprivate' }
const SLAVE = { ...READ_ONLY, Propagation: 'rslave' }
const BINDS_ONLY = { client: '1.24' }
const MOUNT = { Type: 'bind', Source: '/a', Target: '/b', ReadOnly: true }
const FROM_BIND = { CreateMountpoint: true, ReadOnlyNonRecursive: true }
const mounted = (options: JsonObject, target = '/b') => ({ ...MOUNT, Target: target, BindOptions: options })

const TO_27 = { client: '1.45', engine: '1.46' }
const PROBED = { Interval: 1000000000, StartPeriod: 10000000000 }

const MAC = '12:34:56:78:9a:bc'
const inMode = (mode: string) => ({ MacAddress: MAC, HostConfig: { NetworkMode: mode } })
const onNetwork = (mode: string, endpoints: JsonObject) => ({
  HostConfig: { NetworkMode: mode },
  NetworkingConfig: { EndpointsConfig: endpoints },
})

export default {
  '1.44/read-only-recursive': {
    gate: 'prefix',
    summary: 'A read-only bind is recursively read-only; before, mounts below it stayed writable.',
    see: 'docs/api/version-history.md v1.44; container_routes.go:postContainersCreate (DefaultReadOnlyNonRecursive)',
    ops: [
      ...shownAtEveryVersion(
        // Older engines are never recursive: the first has no effect there, the second is impossible.
        added(BindOptions, 'ReadOnlyNonRecursive', { onLoss: 'refuse', neutral: [true] }),
        added(BindOptions, 'ReadOnlyForceRecursive', { sample: true, onLoss: 'refuse' }),
      ),
      byHand('ContainerCreate', 'mounts below read-only binds stay writable', { requestUp: keepMountsBelowWritable }),
      byHand('ContainerInspect', 'mounts made from binds are shown as binds', { responseDown: showAsBinds }),
      retyped(onlyIn(MountPoint, 'ContainerList'), 'Mode', {
        ...{ toOlder: bindMode },
        description: 'clients that know only binds see read-only mounts as binds',
      }),
    ],
    examples: {
      'ContainerList responseDown body.[].Mounts.[]': [
        [READ_ONLY, { ...READ_ONLY, Mode: 'ro' }, BINDS_ONLY],
        [SLAVE, { ...SLAVE, Mode: 'ro,rslave' }, BINDS_ONLY],
        [{ ...READ_ONLY, RW: true }, { ...READ_ONLY, RW: true }, BINDS_ONLY],
        [{ ...READ_ONLY, Type: 'volume' }, { ...READ_ONLY, Type: 'volume' }, BINDS_ONLY],
        [READ_ONLY, READ_ONLY, { client: '1.25' }],
      ],
      'ContainerCreate requestUp body.HostConfig': [
        [
          { Binds: ['/a:/b:ro', '/c:/d', 'vol:/e:ro', '/f:/g:ro,z', '/a:/b:rslave,ro'], Mounts: [MOUNT] },
          {
            Binds: ['/c:/d', 'vol:/e:ro', '/f:/g:ro,z'],
            Mounts: [
              mounted({ ReadOnlyNonRecursive: true }),
              mounted(FROM_BIND),
              mounted({ ...FROM_BIND, Propagation: 'rslave' }),
            ],
          },
        ],
      ],
      'ContainerInspect responseDown body': [
        [
          {
            HostConfig: {
              Binds: null,
              Mounts: [mounted({ ...FROM_BIND, Propagation: 'rslave' }), mounted({ ReadOnlyNonRecursive: true }, '/k')],
            },
            Mounts: [{ Type: 'bind', Destination: '/b', Mode: '' }],
          },
          {
            HostConfig: { Binds: ['/a:/b:ro,rslave'], Mounts: [{ ...MOUNT, Target: '/k' }] },
            Mounts: [{ Type: 'bind', Destination: '/b', Mode: 'ro,rslave' }],
          },
        ],
      ],
    },
  },
  '1.44/health-start-interval': {
    gate: 'prefix',
    summary: 'Health checks can have their own interval while a container starts.',
    see: 'docs/api/version-history.md v1.44; container_routes.go:postContainersCreate; daemon/health.go:monitor @v25.0.0, @v27.0.1',
    ops: [
      ...shownAtEveryVersion(added(Healthcheck, 'StartInterval', { sample: 1000000000, onLoss: 'warn' })),
      // Engines up to 26.1 probe in the start period as after it, those from 27.0 on every 5 seconds; asked below 1.44 they
      // ignore it. Not in services: the update of a label would start their tasks anew.
      ...gated(
        { gate: 'release', from: '1.46' },
        onEach(onlyIn(Healthcheck, 'ContainerCreate'), 'the start has the same interval', {
          requestUp: (check) => {
            const { StartPeriod: period, Interval: interval } = check
            if (interval === undefined || isUnset(interval) || isUnset(period)) return
            if (isUnset(check['StartInterval'])) check['StartInterval'] = interval
          },
        }),
        onEach(onlyIn(Healthcheck, 'ContainerInspect'), 'an interval of the start that is the same is not shown', {
          responseDown: (check) => {
            if (check['StartInterval'] === check['Interval']) delete check['StartInterval']
          },
        }),
      ),
    ],
    examples: {
      'ContainerCreate requestUp body': [
        [{ Healthcheck: PROBED }, { Healthcheck: { ...PROBED, StartInterval: 1000000000 } }, TO_27],
        ...[{ Interval: 1000000000, StartPeriod: 0 }, { StartPeriod: 1000000000 }].map(
          (Healthcheck) => [{ Healthcheck }, { Healthcheck }, TO_27] as const,
        ),
      ],
      'ContainerInspect responseDown body.Config.Healthcheck': [
        [{ ...PROBED, StartInterval: 1000000000 }, PROBED, TO_27],
        [{ ...PROBED, StartInterval: 5 }, { ...PROBED, StartInterval: 5 }, TO_27],
      ],
    },
  },
  '1.44/mac-address': {
    gate: 'prefix',
    summary: 'A MAC address belongs to an endpoint; before, to the container, and that of an endpoint was ignored.',
    see: 'docs/api/version-history.md v1.44, v1.52; container_routes.go:handleMACAddressBC @v25.0',
    // Requests only: engines 25 to 28 show the address in Config however it was set (seen on 28.5), and
    // 1.52/inspect-storage handles later ones.
    ops: byHand('ContainerCreate', 'the address moves to the first endpoint, or back to the container', {
      onLoss: 'refuse',
      loses: 'a MAC address that the engine cannot set: in a network mode without one, or at a further endpoint',
      requestUp: macOfFirstEndpoint,
      requestDown: macOfContainer,
    }),
    examples: {
      'ContainerCreate requestUp body': [
        [inMode('default'), onNetwork('bridge', { bridge: { MacAddress: MAC } })],
        [
          { MacAddress: MAC, ...onNetwork('n', { n: { Aliases: ['a'], MacAddress: '02:00:00:00:00:01' } }) },
          onNetwork('n', { n: { Aliases: ['a'], MacAddress: MAC } }),
        ],
        [{ MacAddress: '', ...onNetwork('n', { n: { MacAddress: MAC } }) }, onNetwork('n', { n: {} })],
        [inMode('host'), /^conflicting options: mac-address and the network mode$/],
        [inMode('none'), { HostConfig: { NetworkMode: 'none' } }],
      ],
      'ContainerCreate requestDown body': [
        [onNetwork('n', { m: {}, n: { MacAddress: MAC } }), { MacAddress: MAC, ...onNetwork('n', { m: {}, n: {} }) }],
        [onNetwork('n', { n: {}, m: { MacAddress: MAC } }), /EndpointSettings\.MacAddress of m/],
      ],
    },
  },
  '1.44/restart-policy-words': restartPolicyWords,
} satisfies Changes
