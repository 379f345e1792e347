import { isObject } from '../src/api/json/json.ts'
import { onlyIn } from '../src/api/shapes/shape.ts'
import { Info, ListedHostConfig, MountTmpfsOptions } from '../src/api/shapes/shapes.ts'
import { TaskContainerSpec } from '../src/api/shapes/swarm-shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { added, byHand, gated, queryAdded, recordDropped } from '../src/translate/ops.ts'
import { dropTopLevel, gatherTopLevel } from './by-hand/host-config-members.ts'
import { newerWarnings } from './by-hand/newer-warnings.ts'
import { eachEndpoint } from './by-hand/requested-endpoints.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'

/** Per-endpoint sysctls (libnetwork/netlabel/labels.go:EndpointSysctls). */
const ENDPOINT_SYSCTLS = 'com.docker.network.endpoint.sysctls'

export default [
  {
    id: '1.46/misc',
    gate: 'prefix',
    summary: 'Image create events, annotations in the list, push of one platform, sysctls and tmpfs options.',
    see: 'docs/api/version-history.md v1.46; api/server/router/{container,system,image}',
    ops: [
      queryAdded('ImagePush', 'platform', { sample: 'p', onLoss: 'warn' }),
      added(Info, 'Containerd', { sample: { Address: '/run/containerd.sock' }, onLoss: 'ignore' }),
      added(MountTmpfsOptions, 'Options', { sample: [['noexec']], onLoss: 'warn' }),
      recordDropped(
        'SystemEvents',
        'image records with the action create are new',
        (record) => isObject(record) && record['Type'] === 'image' && record['Action'] === 'create',
        {
          drops: [{ Type: 'image', Action: 'create', Actor: { ID: 'sha256:1' } }],
          keeps: [{ Type: 'container', Action: 'create' }],
        },
      ),
      added(onlyIn(ListedHostConfig, 'ContainerList'), 'Annotations', { sample: { a: 'b' }, onLoss: 'ignore' }),
      // Disk usage has what the list has, whatever the version asked for (daemon/disk_usage.go:containerDiskUsage).
      ...gated(
        { gate: 'release' },
        added(onlyIn(ListedHostConfig, 'SystemDataUsage'), 'Annotations', { sample: { a: 'b' }, onLoss: 'ignore' }),
      ),
      byHand(['ContainerCreate', 'NetworkConnect'], 'an endpoint may carry sysctls', {
        onLoss: 'refuse',
        loses: 'sysctls of an endpoint',
        requestDown: (message, context, change) => {
          for (const endpoint of eachEndpoint(message, context)) {
            const options = endpoint['DriverOpts']
            if (isObject(options) && Object.hasOwn(options, ENDPOINT_SYSCTLS)) {
              const what = `EndpointsConfig.DriverOpts[${ENDPOINT_SYSCTLS}]`
              context.lose({ what, needs: change.version, change: change.id, onLoss: 'refuse' })
            }
          }
        },
      }),
    ],
  },
  {
    id: '1.46/create-top-level-gone',
    gate: 'release',
    summary: 'A create body says how a container runs in HostConfig only; at top level it is ignored in silence.',
    see: 'runconfig/config_unix.go:getHostConfig @v26.1.5; runconfig/config.go @v27.0.1',
    ops: [
      byHand('ContainerCreate', 'members of HostConfig at top level move into it', {
        requestUp: gatherTopLevel,
        requestDown: dropTopLevel,
      }),
    ],
    examples: {
      'ContainerCreate requestUp': [
        [
          {
            body: {
              Image: 'i',
              Memory: 67108864,
              CpuShares: 256,
              Cpuset: '0',
              VolumeDriver: 'local',
              HostConfig: { CpuShares: 2 },
            },
          },
          {
            body: {
              Image: 'i',
              HostConfig: { CpuShares: 2, Memory: 67108864, CpusetCpus: '0', VolumeDriver: 'local' },
            },
          },
        ],
        [
          { body: { Image: 'i', privileged: true, Binds: ['/a:/b'], Memory: 67108864 } },
          { body: { Image: 'i', HostConfig: { Privileged: true, Binds: ['/a:/b'], Memory: 67108864 } } },
        ],
        [
          { body: { Image: 'i', Privileged: true, HostConfig: { NetworkMode: 'none' } } },
          { body: { Image: 'i', HostConfig: { NetworkMode: 'none' } } },
        ],
        [{ body: { Image: 'i', Cmd: ['true'] } }, { body: { Image: 'i', Cmd: ['true'] } }],
      ],
      'ContainerCreate requestDown': [
        [{ body: { Image: 'i', Privileged: true, Binds: ['/:/host'] } }, { body: { Image: 'i' } }],
      ],
    },
  },
  swarmMembers({
    id: '1.46/swarm-members',
    summary: 'Services say how likely their containers are killed when memory is short.',
    see: 'docs/api/version-history.md v1.46',
    members: [{ of: TaskContainerSpec, name: 'OomScoreAdj', sample: 5, droppedByPrefix: true }],
  }),
  newerWarnings('1.46', 'api/server/router/container/container_routes.go:handleSysctlBC @v27.0.3', [
    {
      text: /^Migrated sysctl "/,
      sample:
        'Migrated sysctl "net.ipv4.conf.eth0.forwarding" to DriverOpts{"com.docker.network.endpoint.sysctls":"net.ipv4.conf.IFNAME.forwarding=1"}.',
    },
  ]),
] satisfies Change[]
