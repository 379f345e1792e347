import { onlyIn } from '../src/api/shapes/shape.ts'
import { ContainerListItem, EndpointSettings, Network, StatsRecord } from '../src/api/shapes/shapes.ts'
import { ServiceSpec, TaskResources } from '../src/api/shapes/swarm-shapes.ts'
import { added, type Changes, moved, omittedWhenEmpty, only } from '../src/translate/ops.ts'
import { limitRefused } from './by-hand/kernel-memory.ts'
import { newerWarnings } from './by-hand/newer-warnings.ts'
import { onePlatform } from './by-hand/platform.ts'
import { statsOfOneShot } from './by-hand/stats-one-shot.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'
import { emptyBindings, linkVariables, malformedMacIgnored, noPortBindings } from './v1.52/create.ts'
import { healthOf, keepStorageRenamed, systemDf } from './v1.52/disk-usage.ts'
import { errorWords } from './v1.52/error-words.ts'
import { eventsLegacy } from './v1.52/events.ts'
import { digestsAsTags, imageInspectOmitEmpty, inspectStorage } from './v1.52/images.ts'
import { networkSettingsFlat } from './v1.52/network-settings.ts'
import { progressTextGone } from './v1.52/progress-text.ts'
import { strictTypes } from './v1.52/strict-types.ts'
import { unusedIpv6 } from './v1.52/unused-ipv6.ts'

const TARS = ['ImageGet', 'ImageGetAll', 'ImageLoad'] as const

export default {
  '1.52/strict-types': strictTypes,
  '1.52/netsettings-flat-removed': networkSettingsFlat,
  '1.52/events-legacy-removed': eventsLegacy,
  '1.52/inspect-storage': inspectStorage,
  '1.52/image-inspect-omitempty': imageInspectOmitEmpty,
  '1.52/digests-as-tags': digestsAsTags,
  '1.52/system-df': systemDf,
  '1.52/error-words': errorWords,
  '1.52/no-port-bindings': noPortBindings,
  '1.52/malformed-mac-ignored': malformedMacIgnored,
  '1.52/platform-multi': {
    gate: 'prefix',
    summary: 'Save and load take several platforms.',
    ops: [
      onePlatform(TARS, 'multiple platform parameters not supported', { leg: 'requestUp', says: 'bad-request' }),
      onePlatform(TARS, 'more than one platform'),
    ],
  },
  '1.52/network-status': {
    gate: 'prefix',
    summary: 'A network inspect shows the state of its addresses.',
    ops: added(Network, 'Status', { sample: { IPAM: {} } }),
  },
  '1.52/network-list-containers': {
    summary: 'The list of networks no longer has Containers.',
    // Empty in the list since 1.28, omitted since engine 29.
    ops: omittedWhenEmpty(onlyIn(Network, 'NetworkList'), 'Containers', {}, { bothWays: true }),
  },
  '1.52/list-health': {
    gate: 'prefix',
    summary: 'The list of containers shows their health.',
    ops: added(onlyIn(ContainerListItem, 'ContainerList'), 'Health', { sample: { Status: 'none' }, up: healthOf }),
    examples: {
      'ContainerList responseUp body.[]': [
        [{ Status: 'Up' }, { Status: 'Up', Health: { Status: 'none', FailingStreak: 0 } }],
        [{ Status: 'Up (healthy)' }, { Status: 'Up (healthy)', Health: { Status: 'healthy', FailingStreak: 0 } }],
        [{ Status: 'Up (unhealthy)' }],
      ],
    },
  },
  '1.52/stats-os-type': {
    summary: 'Stats name the operating system.',
    see: 'docs/api/version-history.md v1.52; recorded at 1.44 on 29: shown at every version',
    ops: added(StatsRecord, 'os_type', { sample: 'linux', up: (_record, { engine }) => engine.os }),
    examples: { 'ContainerStats responseUp body': [[{ read: 't' }, { read: 't', os_type: 'linux' }]] },
  },
  '1.52/connect-mac': {
    gate: 'prefix',
    from: '1.54', // ignored before, whatever the documents of 1.52 say (network_routes.go:postNetworkConnect)
    summary: 'Connecting a container to a network can set its MAC address there.',
    see: 'docs/api/version-history.md v1.54; api/server/router/network/network_routes.go:postNetworkConnect',
    ops: added(onlyIn(EndpointSettings, 'NetworkConnect'), 'MacAddress', {
      sample: '02:42:ac:11:00:02',
      onLoss: 'warn',
    }),
  },
  '1.52/swarm-members': swarmMembers({
    summary: 'Services can set swap limits.',
    droppedByPrefix: [
      { of: TaskResources, samples: { SwapBytes: 5 } },
      { of: TaskResources, samples: { MemorySwappiness: 5 }, saysByBeing: true },
    ],
  }),
  '1.52/service-networks': {
    summary: 'From 1.44 on the networks of a service are read at its task template alone.',
    see: 'daemon/cluster/convert/service.go @v28.5.2, @docker-v29.0.0; daemon/server/router/swarm/helpers.go @docker-v29.0.0',
    ops: only({ legs: ['requestUp', 'responseUp'] }, moved(ServiceSpec, 'Networks', 'TaskTemplate.Networks')),
  },
  '1.52/keep-storage-renamed': keepStorageRenamed,
  '1.52/unused-ipv6': unusedIpv6,
  '1.52/progress-text': progressTextGone,
  '1.52/link-variables': linkVariables,
  '1.52/empty-port-bindings': emptyBindings,
  '1.52/stats-one-shot': statsOfOneShot(
    'A one-shot reading of stats names its container too.',
    'seen on 26.1 and 28.5, which omit id and name, and on 29.8',
    'responseUp',
  ),
  '1.52/kernel-memory-tcp-ignored': {
    // the member is gone at every requested version
    summary: 'The kernel memory limit for TCP is ignored.',
    see: 'docs/api/version-history.md v1.52; api/types/container/hostconfig.go @v28.5.2, @docker-v29.0.0',
    ops: limitRefused('KernelMemoryTCP', '1.52'),
  },
  '1.52/warnings': newerWarnings('daemon/create.go, container_routes.go:handlePortBindingsBC of engine 29', [
    [
      'Links on the default bridge network are deprecated',
      ' and will be removed in a future release. Use a custom network instead.',
    ],
    [
      'Following container port(s) have an empty list of port-bindings',
      ': 80/tcp. Such bindings will be discarded in a future version.',
    ],
  ]),
} satisfies Changes
