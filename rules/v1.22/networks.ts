import type { JsonValue } from '../../src/api/json/json.ts'
import {
  ConnectRequest,
  DisconnectRequest,
  Ipam,
  NetworkContainer,
  NetworkCreateRequest,
  VolumeListResponse,
} from '../../src/api/shapes/shapes.ts'
import type { Changes } from '../../src/translate/change.ts'
import { added, byHand, emulated, only, retyped } from '../../src/translate/ops.ts'
import { documentedAddresses, wireAddresses } from '../by-hand/aux-addresses.ts'
import { saysNothing } from '../by-hand/host-config.ts'
import { nameContainers } from '../emulate/looked-up-networks.ts'
import { keepAs19, keepAs110, noteNewFilters, noteOldFilters } from './network-filters.ts'

const addresses = { AuxiliaryAddresses: { a: '10.0.0.9' } }
const ON_WIRE: [JsonValue, JsonValue] = [[{ AuxAddress: { a: '10.0.0.9' } }], [addresses]]
const DOCUMENTED: [JsonValue, JsonValue] = [[addresses], [{ ...addresses, AuxAddress: { a: '10.0.0.9' } }]]

export default {
  '1.22/volumes-warnings': {
    summary: 'The list of volumes has warnings.',
    see: 'docs/api/v1.22.md, List volumes; engine-api types @v1.10.3; recorded on 1.9.1, 1.10.3',
    ops: [
      added(VolumeListResponse, 'Warnings', { sample: ['w'], up: null }),
      retyped(VolumeListResponse, 'Volumes', { toNewer: [[null, []]] }),
    ],
  },
  '1.22/networks-filters': {
    summary: 'Filters of networks match parts of names and are combined; before, only name and id, and whole names.',
    see: 'docs/api/v1.21.md, v1.22.md, List networks; api/server/router/network/{network_routes,filter}.go @v1.9.1, @v1.10.3; recorded on 1.9.1, 1.10.3 (networks-filter-…)',
    ops: [
      byHand('NetworkList', 'the filters are removed, and applied to the list', {
        part: 'head',
        requestUp: noteOldFilters,
        requestDown: noteNewFilters,
      }),
      byHand('NetworkList', 'networks that do not match are left out', {
        responseDown: keepAs19,
        responseUp: keepAs110,
      }),
    ],
    examples: {
      'NetworkList requestUp': [['filters={"name":["web"],"bogus":["1"]}', ''], ['filters=notjson']],
      'NetworkList requestDown': [
        ['filters={"type":["custom"]}', ''],
        ['filters={"bogus":["1"]}', /^Invalid filter 'bogus'$/],
        ['filters={"type":["x"]}', /^Invalid filter: 'type'='x'$/],
      ],
      'NetworkList responseDown body': [
        [[{ Name: 'web' }, { Name: 'web2' }], [{ Name: 'web' }], { asked: 'filters={"name":["web"]}' }],
      ],
      'NetworkList responseUp body': [
        [[{ Name: 'bridge' }, { Name: 'a' }], [{ Name: 'a' }], { asked: 'filters={"type":["custom"]}' }],
      ],
    },
  },
  '1.22/network-containers-name': {
    summary: 'A network shows the names of its containers.',
    see: 'docs/api/v1.22.md, Inspect network; engine-api types:EndpointResource @v1.10.3; recorded on 1.9.1, 1.10.3',
    ops: [
      added(NetworkContainer, 'Name', { sample: 'web', up: '' }),
      emulated(['NetworkList', 'NetworkInspect'], 'the names are looked up', { responseUp: nameContainers }),
    ],
    examples: {
      'NetworkList responseUp body.[].Containers': [
        [
          { c1: {}, c2: {} },
          { c1: { Name: 'web' }, c2: { Name: '' } },
          { calls: { 'GET /containers/json?all=1': { body: [{ Id: 'c1', Names: ['/web'] }] } } },
        ],
      ],
    },
  },
  '1.22/network-ipam-options': {
    summary: 'The IPAM driver takes options.',
    see: 'docs/api/v1.22.md, Create a network; engine-api types/network @v1.10.3; recorded on 1.10.3',
    ops: added(Ipam, 'Options', { sample: { a: 'b' }, up: null, onLoss: 'refuse' }),
  },
  '1.22/network-internal': {
    summary: 'A network can be internal, without access to the outside.',
    see: 'docs/api/v1.22.md, Create a network (inspect shows it from 1.23 on)',
    ops: added(NetworkCreateRequest, 'Internal', { sample: true, onLoss: 'refuse', request: 'keep' }),
  },
  '1.22/network-connect-endpoint': {
    summary: 'Connecting a container can set its endpoint.',
    see: 'docs/api/v1.22.md, Connect a container to a network; engine-api types @v1.10.3',
    ops: added(ConnectRequest, 'EndpointConfig', {
      sample: { IPAMConfig: { IPv4Address: '10.0.0.5' } },
      neutral: saysNothing,
      onLoss: 'refuse',
    }),
    examples: {
      'NetworkConnect requestDown body': [[{ EndpointConfig: { IPAMConfig: {}, Links: null, Aliases: [] } }, {}]],
    },
  },
  '1.22/network-disconnect-force': {
    summary: 'A container can be disconnected by force.',
    see: 'docs/api/v1.22.md, Disconnect a container from a network; api/server/router/network @v1.10.3',
    ops: added(DisconnectRequest, 'Force', { sample: true, onLoss: 'warn' }),
  },
  '1.22/network-aux-address-name': {
    summary: 'Reserved addresses are AuxAddress in the documents and AuxiliaryAddresses on the wire.',
    see: 'docs/api/v1.21.md, v1.22.md, Create a network; daemon/network/settings.go:IPAMConfig @v1.9.1',
    ops: [
      retyped(Ipam, 'Config', {
        samples: { toNewer: [ON_WIRE], toOlder: [ON_WIRE] },
        toNewer: wireAddresses,
        toOlder: wireAddresses,
        sides: 'request',
        words: 'IPAM.Config[].AuxAddress is sent as AuxiliaryAddresses',
      }),
      ...only(
        { profile: 'spec' },
        retyped(Ipam, 'Config', {
          samples: { toNewer: [DOCUMENTED], toOlder: [DOCUMENTED] },
          toNewer: documentedAddresses,
          toOlder: documentedAddresses,
          sides: 'response',
          words: 'IPAM.Config[].AuxAddress is shown, as documented',
        }),
      ),
    ],
  },
} satisfies Changes
