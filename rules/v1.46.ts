import { isObject, memberAt, objectOf } from '../src/api/json/json.ts'
import { onlyIn } from '../src/api/shapes/shape.ts'
import { Info, ListedHostConfig, MountTmpfsOptions, NetworkCreateRequest } from '../src/api/shapes/shapes.ts'
import { TaskContainerSpec } from '../src/api/shapes/swarm-shapes.ts'
import {
  added,
  byHand,
  type Changes,
  errorTexts,
  eventsAdded,
  gated,
  queryAdded,
  refusedWhere,
} from '../src/translate/ops.ts'
import { ENDPOINT_SYSCTLS, endpointOption } from './by-hand/endpoints.ts'
import { dropTopLevel, gatherTopLevel } from './by-hand/host-config-members.ts'
import { newerWarnings } from './by-hand/newer-warnings.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'

/** How a bridge is reached from outside, for either family (libnetwork/drivers/bridge/labels.go @v27.0.3). */
const GATEWAY_MODE = /^com\.docker\.network\.bridge\.gateway_mode_ipv[46]$/

export default {
  '1.46/push-platform': {
    gate: 'prefix',
    summary: 'A push can name one platform of the image.',
    ops: queryAdded('ImagePush', 'platform', { sample: 'p', onLoss: 'warn' }),
  },
  '1.46/push-aux-of-index': {
    summary: 'A push to the store of containerd says which image of an index it sent; before, the digest alone.',
    see: 'daemon/containerd/image_push.go @v27.0.3; distribution/push_v2.go @v28.5.2',
    ops: byHand('ImagePush', 'the record of an index names its digest', {
      elementwise: true,
      stripsNewer: true,
      responseDown: ({ body }, { call }) => {
        const aux = memberAt(body, 'aux')
        if (!isObject(body) || !isObject(aux) || aux['Tag'] !== undefined) return undefined
        const { digest, size } = objectOf(aux['selectedManifest'])
        if (digest === undefined) return aux['contentMissing'] === undefined ? undefined : 'drop'
        body['aux'] = { Tag: call.query.get('tag') ?? '', Digest: digest, Size: size ?? 0 }
        return undefined
      },
    }),
    examples: {
      'ImagePush responseDown body': [
        [
          { aux: { manifestPushedInsteadOfIndex: true, selectedManifest: { digest: 'sha256:0a', size: 405 } } },
          { aux: { Tag: '1', Digest: 'sha256:0a', Size: 405 } },
          { asked: 'tag=1' },
        ],
        [{ aux: { contentMissing: true } }, 'dropped'],
        [{ aux: { Tag: '1', Digest: 'sha256:0a', Size: 5 } }],
      ],
    },
  },
  '1.46/info-containerd': {
    gate: 'prefix',
    summary: 'Info names the address of containerd.',
    ops: added(Info, 'Containerd', { sample: { Address: '/run/containerd.sock' } }),
  },
  '1.46/tmpfs-options': {
    gate: 'prefix',
    summary: 'A tmpfs mount can have options.',
    ops: added(MountTmpfsOptions, 'Options', { sample: [['noexec']], onLoss: 'warn' }),
  },
  '1.46/image-create-events': {
    gate: 'prefix',
    summary: 'Creating an image is an event.',
    ops: eventsAdded({ Type: 'image', Action: 'create' }),
  },
  '1.46/list-annotations': {
    gate: 'prefix',
    summary: 'Lists show the annotations of containers.',
    see: 'docs/api/version-history.md v1.46; daemon/disk_usage.go:containerDiskUsage',
    ops: [
      added(onlyIn(ListedHostConfig, 'ContainerList'), 'Annotations', { sample: { a: 'b' } }),
      // Disk usage shows them at every version.
      ...gated(
        { gate: 'release' },
        added(onlyIn(ListedHostConfig, 'SystemDataUsage'), 'Annotations', { sample: { a: 'b' } }),
      ),
    ],
  },
  '1.46/endpoint-sysctls': {
    gate: 'prefix',
    summary: 'An endpoint can carry sysctls.',
    see: 'docs/api/version-history.md v1.46; libnetwork/netlabel/labels.go:EndpointSysctls',
    ops: endpointOption(ENDPOINT_SYSCTLS, 'sysctls of an endpoint'),
  },
  '1.46/gateway-mode': {
    summary: 'A bridge may do without NAT, or be isolated from its host.',
    see: 'libnetwork/drivers/bridge/labels.go @v27.0.3; daemon/libnetwork/drivers/bridge @v28.5.2; engines before take the option and do nothing',
    // Without it, published ports would be open on the host.
    ops: refusedWhere(NetworkCreateRequest, 'a gateway mode other than nat', {
      finds: ({ Options: options }) => {
        if (!isObject(options)) return undefined
        const name = Object.keys(options).find(
          (key) => GATEWAY_MODE.test(key) && !['', 'nat'].includes(String(options[key])),
        )
        return name === undefined ? undefined : `Options[${name}] ${String(options[name])}`
      },
      samples: [
        [
          { Options: { 'com.docker.network.bridge.gateway_mode_ipv6': 'isolated' } },
          'Options[com.docker.network.bridge.gateway_mode_ipv6] isolated',
        ],
      ],
      stay: [{ Options: { 'com.docker.network.bridge.gateway_mode_ipv4': 'nat', other: 'routed' } }],
    }),
  },
  '1.46/create-top-level-gone': {
    unversioned: true,
    summary: 'Create reads members of HostConfig only in HostConfig; at top level they are silently ignored.',
    see: 'runconfig/config_unix.go:getHostConfig @v26.1.5; runconfig/config.go @v27.0.1',
    ops: byHand('ContainerCreate', 'top-level members of HostConfig move into it', {
      requestUp: gatherTopLevel,
      requestDown: dropTopLevel,
    }),
    examples: {
      'ContainerCreate requestUp body': [
        [
          { Memory: 5, CpuShares: 256, Cpuset: '0', VolumeDriver: 'local', HostConfig: { CpuShares: 2 } },
          { HostConfig: { CpuShares: 2, Memory: 5, CpusetCpus: '0', VolumeDriver: 'local' } },
        ],
        [{ Privileged: true, HostConfig: { NetworkMode: 'none' } }, { HostConfig: { NetworkMode: 'none' } }],
      ],
      'ContainerCreate requestDown body': [[{ Image: 'i', Privileged: true, Binds: ['/:/host'] }, { Image: 'i' }]],
    },
  },
  '1.46/swarm-members': swarmMembers({
    summary: 'Services can set the OOM score adjustment of their containers.',
    droppedByPrefix: [{ of: TaskContainerSpec, samples: { OomScoreAdj: 5 } }],
  }),
  '1.46/warnings': newerWarnings('api/server/router/container/container_routes.go:handleSysctlBC @v27.0.3', [
    [
      'Migrated sysctl "',
      'net.ipv4.conf.eth0.forwarding" to DriverOpts{"com.docker.network.endpoint.sysctls":"net.ipv4.conf.IFNAME.forwarding=1"}.',
    ],
  ]),
  '1.46/error-words': {
    summary: 'Errors about the range of CPUs and overlapping pools begin differently.',
    see: 'daemon/daemon_unix.go, libnetwork/ipamapi @v26.1.5, @v27.5.1; seen on 20.10, 26.1, 28.5',
    ops: errorTexts(`
      ContainerCreate ContainerUpdate
        400 range of CPUs is from 0.01 to {cpus}
          400 Range of CPUs is from 0.01 to {cpus}
      NetworkCreate
        403 invalid pool request: Pool overlaps with other one on this address space
          403 Pool overlaps with other one on this address space
    `),
  },
} satisfies Changes
