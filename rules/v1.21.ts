import { fromInteger, integer } from '../src/api/json/json.ts'
import { EventRecord, Info } from '../src/api/shapes/shapes.ts'
import {
  added,
  addedAll,
  type Changes,
  emulated,
  endpointAdded,
  filterAdded,
  filtersKnown,
} from '../src/translate/ops.ts'
import { predefinedNetwork, predefinedNetworks } from './emulate/networks.ts'
import containers from './v1.21/containers.ts'
import create from './v1.21/create.ts'
import hostConfig from './v1.21/host-config.ts'
import images from './v1.21/images.ts'
import inspect from './v1.21/inspect.ts'

const systemNetworks = {
  '1.21/info-server-version': {
    summary: 'Info has the engine’s own version and its cluster store.',
    see: 'docs/api/v1.21.md, Display system-wide information; api/types/types.go Info @v1.9.1',
    ops: [
      // From GET /version at the discovery of the engine.
      added(Info, 'ServerVersion', { sample: '1.9.1', up: (_info, { engine }) => engine.release }),
      ...addedAll(Info, ['ClusterStore', 'ClusterAdvertise'], { sample: 'x', up: '' }),
    ],
  },
  '1.21/info-cpushares-cpuset': {
    // The changelog names 1.21, but the member came with engine 1.10 (api/types/types.go Info @v1.9.1 lacks it).
    from: '1.22',
    summary: 'Info shows whether CPU shares and CPU sets are supported.',
    see: 'docs/api/version-history.md v1.21; recordings 1.9.1 and 1.10.3, info',
    ops: addedAll(Info, ['CPUShares', 'CPUSet'], { sample: true, up: true }),
  },
  '1.21/events-time-nano': {
    summary: 'Events have their time in nanoseconds.',
    see: 'docs/api/v1.21.md, Monitor Docker’s events; pkg/jsonmessage @v1.9.1',
    ops: added(EventRecord, 'timeNano', {
      sample: 5000000001,
      up: (event) => {
        const seconds = integer(event['time'])
        return seconds === undefined ? undefined : fromInteger(seconds * 1_000_000_000n)
      },
      upSamples: [[{ time: 5 }, 5000000000]],
    }),
  },
  '1.21/events-label-filter': {
    summary: 'Events can be filtered by the labels of their objects.',
    see: 'docs/api/v1.21.md, Monitor Docker’s events; daemon/events/filter.go @v1.9.1',
    // The bridge cannot filter instead: the labels of a removed container are unknown, so events would be lost.
    // An engine without the filter would send all events.
    ops: filterAdded('SystemEvents', 'label', { ignored: true, newer: 'refuse' }),
  },
  '1.21/volumes-endpoints': {
    summary: 'Volumes can be listed, created, inspected and removed.',
    see: 'docs/api/v1.21.md, 2.4 Volumes; api/server/router/local/local.go @v1.9.1',
    // Engines without the endpoints know no volume by name: inspect and remove get their 404. An empty list would hide the
    // named volumes that engine 1.8 has.
    ops: [
      endpointAdded(['VolumeList', 'VolumeCreate'], { missing: 501 }),
      endpointAdded(['VolumeInspect', 'VolumeDelete'], { missing: 404 }),
    ],
  },
  '1.21/networks-endpoints': {
    summary: 'Networks can be listed, created, inspected, removed, and containers connected to them.',
    see: 'docs/api/v1.21.md, 2.5 Networks; api/server/router/network @v1.9.1; recording 1.9.1 at 1.21, networks-list',
    ops: [
      emulated('NetworkList', 'engines up to 1.8 have exactly bridge, none and host', {
        part: 'head',
        requestDown: predefinedNetworks,
      }),
      emulated('NetworkInspect', 'engines up to 1.8 have exactly bridge, none and host', {
        part: 'head',
        requestDown: predefinedNetwork,
      }),
      endpointAdded(['NetworkCreate', 'NetworkConnect', 'NetworkDisconnect', 'NetworkDelete'], { missing: 501 }),
    ],
    examples: {
      'NetworkList requestDown': [[{}, { answered: 200 }]],
      'NetworkInspect requestDown': [
        [{ path: '/networks/bridge' }, { answered: 200 }],
        [{ path: '/networks/web' }, /^network web not found$/],
      ],
    },
  },
  '1.21/filter-unknown-volume': {
    from: '1.22',
    summary: 'Unknown filters of volumes are an error, dangling=false omits unused volumes; engine 1.9 ignored both.',
    see: 'daemon/volumes.go VolumesList @v1.9.1, FilterVolumes @v1.10.3; recordings 1.9.1 and 1.10.3, volumes-unknownfilter',
    // Read as engine 1.9 does (daemon/volumes.go @v1.9.1).
    ops: filtersKnown('VolumeList', {
      before: (key, values) => key === 'dangling' && values.some((value) => /^(true|1)$/i.test(value)),
      stripsNewer: true,
    }),
    examples: {
      'VolumeList requestUp': [
        ['filters={"dangling":["false"]}', ''],
        ['filters={"dangling":["1"]}'],
        ['filters={"dangling":["true"],"bogus":["1"]}', 'filters={"dangling":["true"]}'],
      ],
    },
  },
} satisfies Changes

export default [create, hostConfig, inspect, containers, images, systemNetworks] satisfies readonly Changes[]
