import { type JsonObject, memberAt, stringOf } from '../src/api/json/json.ts'
import { onlyIn, onSide } from '../src/api/shapes/shape.ts'
import {
  ContainerInspect,
  ContainerListItem,
  EndpointSettings,
  ExecInspect,
  ImageInspect,
  ImageListItem,
  LogConfig,
  MountPoint,
  MountSpec,
  Network,
  NetworkCreateRequest,
} from '../src/api/shapes/shapes.ts'
import {
  added,
  byHand,
  type Changes,
  gated,
  moved,
  onEach,
  only,
  queryAdded,
  refusedWhere,
  retyped,
  valueAdded,
} from '../src/translate/ops.ts'
import { ENDPOINT_SYSCTLS, endpointOption } from './by-hand/endpoints.ts'
import { gatewayWithoutMask } from './by-hand/gateway.ts'
import { newerWarnings } from './by-hand/newer-warnings.ts'
import { isEnginesOwnPlatform } from './by-hand/platform.ts'
import { keepsUnseen } from './emulate/keep-unseen.ts'
import errorWords from './v1.48/error-words.ts'
import { moveEth0Sysctls } from './v1.48/eth0-sysctls.ts'

const ENABLE_IPV4 = 'com.docker.network.enable_ipv4'
const ENDPOINT_SYSCTL = { [ENDPOINT_SYSCTLS]: 'net.ipv4.conf.IFNAME.log_martians=1' }

const fluentdAsync = moved(LogConfig, 'Config.fluentd-async-connect', 'Config.fluentd-async')

/** Binds have no name; the one of a mounted image is the image's. */
function showAsBind(mount: JsonObject): void {
  if (mount['Type'] !== 'image') return
  mount['Type'] = 'bind'
  delete mount['Name']
}

export default {
  '1.48/error-words': errorWords,
  '1.48/platform-param': {
    gate: 'prefix',
    summary: 'Save, load and history of an image take a platform.',
    see: 'docs/api/version-history.md v1.48; api/server/router/image (engine 28.0)',
    ops: queryAdded(['ImageHistory', 'ImageGet', 'ImageGetAll', 'ImageLoad'], 'platform', {
      sample: '{"os":"linux","architecture":"arm64"}',
      onLoss: 'refuse',
      neutral: isEnginesOwnPlatform,
    }),
  },
  '1.48/build-prune-bounds': {
    gate: 'prefix',
    summary: 'A prune of the build cache has further limits.',
    see: 'docs/api/version-history.md v1.48; api/server/router/build (engine 28.0)',
    // Without these limits a prune could remove more than intended.
    ops: ['max-used-space', 'min-free-space'].map((name) =>
      queryAdded('BuildPrune', name, { sample: '1000', onLoss: 'refuse', neutral: ['0'] }),
    ),
  },
  '1.48/image-descriptors': {
    gate: 'prefix',
    summary: 'Images show their descriptors.',
    see: 'docs/api/version-history.md v1.48; daemon/disk_usage.go:imageDiskUsage (engine 28.0)',
    ops: [
      added(ImageInspect, 'Descriptor', { sample: { size: 1 } }),
      added(onlyIn(ImageListItem, 'ImageList'), 'Descriptor', { sample: { size: 1 } }),
      // Disk usage shows them at every version.
      ...gated(
        { gate: 'release' },
        added(onlyIn(ImageListItem, 'SystemDataUsage'), 'Descriptor', { sample: { size: 1 } }),
      ),
    ],
  },
  '1.48/image-manifest-descriptor': {
    gate: 'prefix',
    summary: 'Containers show the descriptor of their image’s manifest.',
    ops: [ContainerInspect, ContainerListItem].map((shape) =>
      added(shape, 'ImageManifestDescriptor', { sample: { digest: 'd' }, onLoss: 'ignore' }),
    ),
  },
  '1.48/gateway-priority': {
    summary: 'Endpoints have a gateway priority.',
    see: 'docs/api/version-history.md v1.48; recorded at 1.24 on 28.5: shown at every version',
    ops: added(EndpointSettings, 'GwPriority', { sample: 5, up: 0, onLoss: 'warn' }),
  },
  '1.48/interface-name': {
    summary: 'The interface of an endpoint can have a name.',
    see: 'libnetwork/netlabel/labels.go:Ifname @v28.0.0; moby integration/network/bridge, TestEndpointWithCustomIfname @v28.5.2',
    ops: endpointOption('com.docker.network.endpoint.ifname', 'the name of an interface'),
  },
  '1.48/network-enable-ipv4': {
    gate: 'prefix',
    summary: 'A network can disable IPv4.',
    see: 'docs/api/version-history.md v1.48; api/server/router/network (engine 28.0)',
    ops: [
      // Engine 28 shows it at every version (recorded at 1.24 on 28.5).
      ...gated({ gate: 'release' }, added(Network, 'EnableIPv4', { sample: true, up: true })),
      added(NetworkCreateRequest, 'EnableIPv4', {
        sample: false,
        saysByBeing: true,
        neutral: [true],
        onLoss: 'refuse',
      }),
      ...gated(
        { gate: 'release' },
        refusedWhere(NetworkCreateRequest, `the option ${ENABLE_IPV4}`, {
          finds: ({ Options: options }) =>
            /^(0|f|false)$/i.test(stringOf(memberAt(options, ENABLE_IPV4))) ? `${ENABLE_IPV4}=false` : undefined,
          samples: [[{ Options: { [ENABLE_IPV4]: 'false' } }, `${ENABLE_IPV4}=false`]],
          stay: [{ Options: { [ENABLE_IPV4]: 'true' } }],
        }),
      ),
    ],
  },
  '1.48/ipam-gateway-mask': {
    summary: 'A gateway that the engine chose for IPv6 is shown without its mask.',
    see: 'daemon/network.go @v27.5.1, @v28.0.4; docker 29 reads an address (netip.Addr), and no list of networks otherwise',
    ops: gatewayWithoutMask('fd00::1'),
  },
  '1.48/mount-image': {
    gate: 'prefix',
    summary: 'An image can be mounted.',
    ops: [
      valueAdded(onlyIn(MountSpec, 'ContainerCreate'), 'Type', ['image']),
      // Engines show it at every version; clients with a closed list of types (bollard up to 0.18) then read no container at all.
      ...only(
        { gate: 'release' },
        onEach(MountPoint, 'clients that do not know mounted images see binds of their folders', {
          responseDown: showAsBind,
        }),
      ),
    ],
    examples: {
      'ContainerList responseDown body.[].Mounts.[]': [
        [
          { Type: 'image', Name: 'busybox', Source: '/var/lib/docker/1', Destination: '/i', RW: false },
          { Type: 'bind', Source: '/var/lib/docker/1', Destination: '/i', RW: false },
        ],
        [{ Type: 'volume', Name: 'v' }],
      ],
      'ContainerInspect responseDown body.Mounts.[]': [[{ Type: 'image', Name: 'busybox' }, { Type: 'bind' }]],
    },
  },
  '1.48/log-drivers-removed': {
    summary: 'The fluentd driver takes fluentd-async instead of fluentd-async-connect.',
    see: 'docker/cli docs/deprecated.md; daemon/logger/fluentd/fluentd.go @v28.0.0',
    ops: [
      ...only({ legs: ['requestUp'] }, fluentdAsync),
      ...only({ legs: ['requestDown'], from: '1.40' }, fluentdAsync), // engine 19.03 has the newer name
    ],
  },
  '1.48/sysctl-eth0': {
    gate: 'prefix',
    summary: 'Sysctls of an interface are set on its endpoint; in HostConfig.Sysctls those of eth0 are refused.',
    see: 'api/server/router/container/container_routes.go:handleSysctlBC @v28.0.0',
    ops: byHand('ContainerCreate', 'sysctls of eth0 move to the endpoint', { requestUp: moveEth0Sysctls }),
    examples: {
      'ContainerCreate requestUp body': [
        [
          { HostConfig: { Sysctls: { 'net.ipv4.conf.eth0.log_martians': '1', 'net.core.somaxconn': '9' } } },
          {
            HostConfig: { NetworkMode: 'bridge', Sysctls: { 'net.core.somaxconn': '9' } },
            NetworkingConfig: { EndpointsConfig: { bridge: { DriverOpts: ENDPOINT_SYSCTL } } },
          },
        ],
        [{ HostConfig: { NetworkMode: 'host', Sysctls: { 'net.ipv4.conf.eth0.log_martians': '1' } } }],
      ],
    },
  },
  '1.48/image-manifests': {
    gate: 'prefix',
    summary: 'An image inspect can show the manifests.',
    ops: [
      queryAdded('ImageInspect', 'manifests', { sample: '1', onLoss: 'ignore' }),
      added(ImageInspect, 'Manifests', { sample: [{ ID: 'm' }] }),
    ],
  },
  '1.48/mount-image-options': {
    summary: 'A subdirectory of an image can be mounted.',
    see: 'docs/api/v1.48.yaml, Mount; api/types/mount (engine 28.0)',
    ops: [
      added(MountSpec, 'ImageOptions', { sample: { Subpath: 'b' }, onLoss: 'refuse' }),
      ...keepsUnseen([MountSpec]),
    ],
  },
  '1.48/warnings': newerWarnings('api/server/router/container/container_routes.go:handleVolumeDriverBC @v28.0.0', [
    [
      'WARNING: the container-wide volume-driver configuration is ignored',
      " for volumes specified via 'mount'. Use '--mount type=volume,volume-driver=...' instead",
    ],
  ]),
  '1.48/exec-not-found-exit-code': {
    summary: 'An exec whose program is not found shows 127; before, 126.',
    // A process that exited with 127 has a Pid.
    see: 'daemon/exec.go:ContainerExecStart @v27.5.1, @v28.0.0; seen on 20.10 and 28.5',
    ops: retyped(onSide(ExecInspect, 'response'), 'ExitCode', {
      toOlder: (value, { Pid: pid }) => (value === 127 && pid === 0 ? 126 : undefined),
      samples: [
        [127, 126, { with: { Pid: 0 } }],
        [127, 127, { with: { Pid: 7 } }],
      ],
      description: 'ExitCode: 127 of an exec that did not start is shown as 126',
    }),
  },
} satisfies Changes
