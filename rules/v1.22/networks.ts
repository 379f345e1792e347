import { ProxyError } from '../../src/api/errors.ts'
import { essence, isObject, type JsonObject, objectOf, stringOf } from '../../src/api/json/json.ts'
import {
  ConnectRequest,
  DisconnectRequest,
  Ipam,
  Network,
  NetworkContainer,
  NetworkCreateRequest,
  VolumeListResponse,
} from '../../src/api/shapes/shapes.ts'
import { added, type Changes, filterApplied, filtersKnown, lookedUp, only, retyped } from '../../src/translate/ops.ts'
import { addressesSent, addressesShown } from '../by-hand/aux-addresses.ts'
import { isPredefined } from '../by-hand/endpoints.ts'
import { withNames } from '../emulate/looked-up-networks.ts'

const startsId = (start: string, { Id: id }: JsonObject): boolean => stringOf(id).startsWith(start)

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
      // Engine 1.9 shows networks that match either filter (network_routes.go:getNetworksList).
      filterApplied('NetworkList', ['name', 'id'], {
        of: 'older',
        evenEmpty: true,
        keeps: (filters) => (network) =>
          (filters.get('name') ?? []).includes(stringOf(network['Name'])) ||
          (filters.get('id') ?? []).some((start) => startsId(start, network)),
        samples: [
          { asks: '{"name":["web"]}', keeps: { Name: 'web' }, drops: { Name: 'web2' } },
          { asks: '{"name":["web"],"id":["1"]}', keeps: { Name: 'a', Id: '12' }, drops: { Name: 'b', Id: '21' } },
        ],
      }),
      filterApplied('NetworkList', ['name', 'id', 'type'], {
        evenEmpty: true,
        checks: (filters) => {
          const type = filters.get('type')?.find((one) => one !== 'custom' && one !== 'builtin')
          if (type !== undefined) throw new ProxyError('bad-request', `Invalid filter: 'type'='${type}'`)
        },
        keeps: {
          name: (part, { Name: name }) => stringOf(name).includes(part),
          id: startsId,
          type: (type, { Name: name }) => type === (isPredefined(name) ? 'builtin' : 'custom'),
        },
        samples: [{ asks: '{"type":["custom"]}', keeps: { Name: 'a' }, drops: { Name: 'bridge' } }],
      }),
      // First on requestDown, last on requestUp.
      filtersKnown('NetworkList', { before: [], after: ['name', 'id', 'type'], code: 'bad-request' }),
    ],
    examples: { 'NetworkList requestDown': [['filters={"type":["x"]}', /^Invalid filter: 'type'='x'$/]] },
  },
  '1.22/network-containers-name': {
    summary: 'A network shows the names of its containers.',
    see: 'docs/api/v1.22.md, Inspect network; engine-api types:EndpointResource @v1.10.3; recorded on 1.9.1, 1.10.3',
    ops: [
      added(NetworkContainer, 'Name', { sample: 'web', up: '' }),
      lookedUp(Network, 'the names are looked up', {
        asks: '/containers/json?all=1',
        lacks: ({ Containers: members }) => Object.values(objectOf(members)).some(isObject),
        finds: withNames,
        samples: [
          [
            { Containers: { c1: {}, c2: {} } },
            [{ Id: 'c1', Names: ['/db/web', '/web'] }],
            { Containers: { c1: { Name: 'web' }, c2: { Name: '' } } },
          ],
        ],
      }),
    ],
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
      neutral: (endpoint) => essence(endpoint) === undefined,
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
    ops: [addressesSent, ...only({ profile: 'spec' }, ...addressesShown)],
  },
} satisfies Changes
