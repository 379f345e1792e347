import type { JsonValue } from '../../src/api/json/json.ts'
import { onlyIn, onSide } from '../../src/api/shapes/shape.ts'
import { ContainerConfig, HostConfig, LogConfig } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, byHand, removed, retyped, valueAdded } from '../../src/translate/ops.ts'
import { BRINGS_HOST_CONFIG } from '../by-hand/host-config.ts'
import { withoutPropagation } from './bind-propagation.ts'
import { reportLxcConf } from './lxc-conf.ts'
import { asNetworkMode } from './networking-config.ts'

/** Engines up to 18.09 fail at start: 500 `Unknown capability to add: "CAP_NET_ADMIN"`. */
const withoutCapPrefix = (names: JsonValue): JsonValue | undefined =>
  Array.isArray(names) ? names.map((name) => (typeof name === 'string' ? name.replace(/^CAP_/i, '') : name)) : undefined

export default [
  {
    id: '1.22/tmpfs',
    gate: 'release',
    summary: 'A container can have tmpfs mounts.',
    see: 'docs/api/v1.22.md, Create a container; engine-api types/container/host_config.go @v1.10.3',
    // Without it writes would go to the container layer.
    ops: [added(HostConfig, 'Tmpfs', { sample: { '/run': 'size=64m' }, onLoss: 'refuse' })],
  },
  {
    id: '1.22/isolation-field',
    gate: 'release',
    summary: 'The isolation of a Windows container can be chosen.',
    see: 'runconfig/hostconfig_unix.go @v1.10.3; engine 1.10.3 on "hyperv"',
    ops: [added(HostConfig, 'Isolation', { sample: 'hyperv', up: '', neutral: ['default'], onLoss: 'refuse' })],
  },
  {
    id: '1.22/log-driver-splunk',
    gate: 'release',
    summary: 'Logs can go to splunk.',
    see: 'docs/api/v1.22.md, Create a container; daemon/logger/splunk @v1.10.3',
    ops: [valueAdded(LogConfig, 'Type', ['splunk'])],
  },
  {
    id: '1.22/networking-config',
    gate: 'release',
    summary: 'Create can set the endpoints of a container.',
    see: 'docs/api/v1.22.md, Create a container; engine-api types/network @v1.10.3; recorded on 1.9.1 (ignored), 1.10.3',
    ops: [
      added(onSide(onlyIn(ContainerConfig, 'ContainerCreate'), 'request'), 'NetworkingConfig', {
        onLoss: 'refuse',
        convert: asNetworkMode,
      }),
    ],
    examples: {
      'ContainerCreate requestUp body': [
        [{ Image: 'busybox', NetworkingConfig: { EndpointsConfig: { mynet: {} } } }, { Image: 'busybox' }],
      ],
      'ContainerCreate requestDown body': [
        [
          {
            HostConfig: { NetworkMode: 'mynet' },
            NetworkingConfig: { EndpointsConfig: { mynet: { IPAMConfig: null, Aliases: [] } } },
          },
          { HostConfig: { NetworkMode: 'mynet' } },
        ],
        [{ NetworkingConfig: { EndpointsConfig: { mynet: null } } }, { HostConfig: { NetworkMode: 'mynet' } }],
        [
          { NetworkingConfig: { EndpointsConfig: { mynet: { Aliases: ['db'] } } } },
          /NetworkingConfig .* needs API 1\.22/,
        ],
        [{ NetworkingConfig: { EndpointsConfig: { mynet: {} } } }, /NetworkingConfig/, { engine: '1.20' }],
      ],
    },
  },
  {
    id: '1.22/bind-propagation',
    gate: 'release',
    summary: 'A bind can set its mount propagation.',
    see: 'volume/volume_unix.go, volume_propagation_linux.go @v1.10.3',
    ops: [
      byHand(BRINGS_HOST_CONFIG, 'private propagation is removed from a bind, other propagation is refused', {
        onLoss: 'refuse',
        requestDown: withoutPropagation,
      }),
    ],
    examples: {
      'ContainerCreate requestDown body.HostConfig.Binds': [
        [
          ['/a:/b:ro,rprivate', '/c:/d:private', '/e:/f:Z', 'vol:/v'],
          ['/a:/b:ro', '/c:/d', '/e:/f:Z', 'vol:/v'],
        ],
        [['/a:/b:rshared'], /Binds \(rshared\)/],
      ],
    },
  },
  {
    id: '1.22/lxc-conf-removed',
    gate: 'release',
    summary: 'The settings of the lxc driver are gone.',
    see: 'docs/api/version-history.md v1.22; runconfig/hostconfig.go @v1.9.1; recorded on 1.6.2 … 1.10.3, 20.10.24',
    ops: [
      byHand(BRINGS_HOST_CONFIG, 'a set LxcConf is reported as lost', {
        onLoss: 'warn',
        loses: 'a set LxcConf',
        requestUp: reportLxcConf,
      }),
      // Engines up to 1.9 show the requested value; their CLIs always sent a list (runconfig/parse.go:parseKeyValueOpts).
      removed(HostConfig, 'LxcConf', { down: [] }),
    ],
    examples: {
      'ContainerCreate requestUp body.HostConfig': [
        [{ LxcConf: [], Memory: 0 }, { Memory: 0 }, { losses: [] }],
        [{ LxcConf: { 'lxc.utsname': 'docker' } }, {}, { losses: ['HostConfig.LxcConf'] }],
      ],
      'ContainerStart requestUp body': [
        [{ LxcConf: [{ Key: 'lxc.cgroup.cpuset.cpus', Value: '0' }] }, {}, { losses: ['HostConfig.LxcConf'] }],
      ],
    },
  },
  {
    // Engine 19.03 brought it, without a version of the documents; all older engines need the translation.
    id: '1.22/cap-prefix',
    gate: 'release',
    from: '1.40',
    summary: 'Capabilities can have the prefix CAP_.',
    see: 'daemon/execdriver/utils.go:TweakCapabilities @v1.6.2; oci/caps/utils.go:NormalizeLegacyCapabilities @v19.03.13',
    ops: ['CapAdd', 'CapDrop'].map((member) =>
      retyped(HostConfig, member, { toOlder: withoutCapPrefix, words: `HostConfig.${member} accepts CAP_ names` }),
    ),
    examples: {
      'ContainerCreate requestDown body.HostConfig': [
        [
          { CapAdd: ['CAP_NET_ADMIN', 'MKNOD'], CapDrop: ['ALL'] },
          { CapAdd: ['NET_ADMIN', 'MKNOD'], CapDrop: ['ALL'] },
        ],
      ],
      'ContainerInspect responseDown body.HostConfig': [
        [
          { CapAdd: ['CAP_NET_ADMIN'], CapDrop: null },
          { CapAdd: ['NET_ADMIN'], CapDrop: null },
        ],
      ],
    },
  },
] satisfies Change[]
