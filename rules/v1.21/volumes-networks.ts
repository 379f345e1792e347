import type { Change } from '../../src/translate/change.ts'
import { readFilters, takeFilter } from '../../src/translate/ops/calls/filter-values.ts'
import { byHand, emulated, endpointAdded } from '../../src/translate/ops.ts'
import { predefinedNetwork, predefinedNetworks } from '../emulate/networks.ts'

/** Reads the filter as engine 1.9 does (daemon/volumes.go @v1.9.1). */
const wantsDangling = (query: URLSearchParams): boolean =>
  (readFilters(query).get('dangling') ?? []).some((value) => /^(true|1)$/i.test(value))

export default [
  {
    id: '1.21/volumes-endpoints',
    gate: 'release',
    summary: 'Volumes can be listed, created, inspected and removed.',
    see: 'docs/api/v1.21.md, 2.4 Volumes; api/server/router/local/local.go @v1.9.1',
    // Engines without the endpoints know no volume by name: inspect and remove get their 404. An empty list would hide the
    // named volumes that engine 1.8 has.
    ops: [
      endpointAdded(['VolumeList', 'VolumeCreate'], { missing: 501 }),
      endpointAdded(['VolumeInspect', 'VolumeDelete'], { missing: 404 }),
    ],
  },
  {
    id: '1.21/networks-endpoints',
    gate: 'release',
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
        [{ path: '/networks/bridge' }, { answered: 200 }, { params: { name: 'bridge' } }],
        [{ path: '/networks/web' }, /^network web not found$/, { params: { name: 'web' } }],
      ],
    },
  },
  {
    id: '1.21/filter-unknown-volume',
    gate: 'release',
    from: '1.22',
    summary: 'Unknown filters of volumes are an error, dangling=false omits unused volumes; engine 1.9 ignored both.',
    see: 'daemon/volumes.go VolumesList @v1.9.1, FilterVolumes @v1.10.3; recordings 1.9.1 and 1.10.3, volumes-unknownfilter',
    ops: [
      byHand('VolumeList', 'filters other than a true dangling are removed', {
        part: 'head',
        stripsNewer: true,
        requestUp: ({ query }, context, change) => {
          for (const key of readFilters(query).keys()) {
            if (key === 'dangling' && wantsDangling(query)) continue
            takeFilter(query, key)
            context.ignore(`filter ${key}`, change.id)
          }
        },
      }),
    ],
    examples: {
      'VolumeList requestUp': [
        ['filters={"dangling":["false"]}', ''],
        ['filters={"dangling":["1"]}'],
        ['filters={"dangling":["true"],"bogus":["1"]}', 'filters={"dangling":["true"]}'],
      ],
    },
  },
] satisfies Change[]
