import {
  ConnectRequest,
  DisconnectRequest,
  Ipam,
  NetworkContainer,
  NetworkCreateRequest,
  VolumeListResponse,
} from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, byHand, emulated, retyped } from '../../src/translate/ops.ts'
import { documentedAddresses, wireAddresses } from '../by-hand/aux-addresses.ts'
import { saysNothing } from '../by-hand/host-config.ts'
import { keepAs19, keepAs110, noteNewFilters, noteOldFilters } from '../by-hand/network-filters.ts'
import { nameContainers } from '../emulate/network-container-names.ts'

export default [
  {
    id: '1.22/volumes-warnings',
    gate: 'release',
    summary: 'The list of volumes has warnings.',
    see: 'docs/api/v1.22.md, List volumes; engine-api types @v1.10.3; recorded on 1.9.1, 1.10.3',
    ops: [
      added(VolumeListResponse, 'Warnings', { up: null, onLoss: 'ignore' }),
      retyped(VolumeListResponse, 'Volumes', { toNewer: (volumes) => (volumes === null ? [] : undefined) }),
    ],
    examples: [
      {
        on: 'VolumeList',
        leg: 'responseDown',
        before: { body: { Volumes: [], Warnings: null } },
        after: { body: { Volumes: [] } },
      },
      {
        on: 'VolumeList',
        leg: 'responseUp',
        before: { body: { Volumes: null } },
        after: { body: { Volumes: [], Warnings: null } },
      },
    ],
  },
  {
    id: '1.22/networks-filters',
    gate: 'release',
    summary: 'Filters of networks match in part and together; before names were exact and unknown filters ignored.',
    see: 'docs/api/v1.21.md, v1.22.md, List networks; api/server/router/network/{network_routes,filter}.go @v1.9.1, @v1.10.3; recorded on 1.9.1, 1.10.3 (networks-filter-…)',
    ops: [
      byHand('NetworkList', 'filters are applied here, to the whole list', {
        part: 'head',
        requestUp: noteOldFilters,
        requestDown: noteNewFilters,
      }),
      byHand('NetworkList', 'networks that were not asked for are left out', {
        responseDown: keepAs19,
        responseUp: keepAs110,
      }),
    ],
    examples: [
      {
        on: 'NetworkList',
        leg: 'requestUp',
        before: { query: 'filters={"name":["web"],"bogus":["1"]}' },
        after: { query: '' },
      },
      {
        on: 'NetworkList',
        leg: 'requestUp',
        before: { query: 'filters=notjson' },
        after: { query: 'filters=notjson' },
      },
      { on: 'NetworkList', leg: 'requestDown', before: { query: 'filters={"type":["custom"]}' }, after: { query: '' } },
      {
        on: 'NetworkList',
        leg: 'requestDown',
        before: { query: 'filters={"bogus":["1"]}' },
        after: { refused: /^Invalid filter 'bogus'$/ },
      },
      {
        on: 'NetworkList',
        leg: 'requestDown',
        before: { query: 'filters={"type":["x"]}' },
        after: { refused: /^Invalid filter: 'type'='x'$/ },
      },
      {
        on: 'NetworkList',
        leg: 'responseDown',
        asked: { query: 'filters={"name":["web"]}' },
        before: { body: [{ Name: 'web' }, { Name: 'web2' }] },
        after: { body: [{ Name: 'web' }] },
      },
      {
        on: 'NetworkList',
        leg: 'responseUp',
        asked: { query: 'filters={"type":["custom"]}' },
        before: { body: [{ Name: 'bridge' }, { Name: 'a' }] },
        after: { body: [{ Name: 'a' }] },
      },
    ],
  },
  {
    id: '1.22/network-containers-name',
    gate: 'release',
    summary: 'A network names its containers.',
    see: 'docs/api/v1.22.md, Inspect network; engine-api types:EndpointResource @v1.10.3; recorded on 1.9.1, 1.10.3',
    ops: [
      added(NetworkContainer, 'Name', { up: '', onLoss: 'ignore' }),
      emulated(['NetworkList', 'NetworkInspect'], 'the names are looked up', { responseUp: nameContainers }),
    ],
    examples: [
      {
        on: 'NetworkInspect',
        leg: 'responseDown',
        before: { body: { Containers: { c1: { Name: 'web', EndpointID: 'e' } } } },
        after: { body: { Containers: { c1: { EndpointID: 'e' } } } },
      },
      {
        on: 'NetworkList',
        leg: 'responseUp',
        calls: { 'GET /containers/json?all=1': { body: [{ Id: 'c1', Names: ['/web'] }] } },
        before: { body: [{ Containers: { c1: { EndpointID: 'e' }, c2: { EndpointID: 'f' } } }] },
        after: {
          body: [{ Containers: { c1: { EndpointID: 'e', Name: 'web' }, c2: { EndpointID: 'f', Name: '' } } }],
        },
      },
    ],
  },
  {
    id: '1.22/network-ipam-options',
    gate: 'release',
    summary: 'The driver of addresses takes options.',
    see: 'docs/api/v1.22.md, Create a network; engine-api types/network @v1.10.3; recorded on 1.10.3',
    ops: [added(Ipam, 'Options', { up: null, onLoss: 'refuse' })],
    examples: [
      {
        on: 'NetworkCreate',
        leg: 'requestUp',
        before: { body: { Name: 'n', IPAM: { Driver: 'default', Options: { a: 'b' } } } },
        after: { body: { Name: 'n', IPAM: { Driver: 'default' } } },
      },
      {
        on: 'NetworkCreate',
        leg: 'requestDown',
        before: { body: { Name: 'n', IPAM: { Driver: 'default', Options: {} } } },
        after: { body: { Name: 'n', IPAM: { Driver: 'default' } } },
      },
      {
        on: 'NetworkCreate',
        leg: 'requestDown',
        before: { body: { Name: 'n', IPAM: { Options: { a: 'b' } } } },
        after: { refused: /IPAM\.Options/ },
      },
      {
        on: 'NetworkInspect',
        leg: 'responseDown',
        before: { body: { IPAM: { Driver: 'default', Options: null, Config: [] } } },
        after: { body: { IPAM: { Driver: 'default', Config: [] } } },
      },
      {
        on: 'NetworkList',
        leg: 'responseUp',
        before: { body: [{ IPAM: { Driver: 'default', Config: [] } }] },
        after: { body: [{ IPAM: { Driver: 'default', Config: [], Options: null } }] },
      },
    ],
  },
  {
    id: '1.22/network-internal',
    gate: 'release',
    summary: 'A network can be cut off from the outside.',
    see: 'docs/api/v1.22.md, Create a network (inspect shows it from 1.23 on)',
    ops: [added(NetworkCreateRequest, 'Internal', { onLoss: 'refuse', request: 'keep' })],
    examples: [
      {
        on: 'NetworkCreate',
        leg: 'requestDown',
        before: { body: { Name: 'n', Internal: true } },
        after: { refused: /Internal .* needs API 1\.22/ },
      },
      {
        on: 'NetworkCreate',
        leg: 'requestDown',
        before: { body: { Name: 'n', Internal: false } },
        after: { body: { Name: 'n' } },
      },
    ],
  },
  {
    id: '1.22/network-connect-endpoint',
    gate: 'release',
    summary: 'Connecting a container can say how.',
    see: 'docs/api/v1.22.md, Connect a container to a network; engine-api types @v1.10.3',
    ops: [added(ConnectRequest, 'EndpointConfig', { neutral: saysNothing, onLoss: 'refuse' })],
    examples: [
      {
        on: 'NetworkConnect',
        leg: 'requestUp',
        before: { body: { Container: 'web', EndpointConfig: { Aliases: ['a'] } } },
        after: { body: { Container: 'web' } },
      },
      {
        on: 'NetworkConnect',
        leg: 'requestDown',
        before: { body: { Container: 'web', EndpointConfig: { IPAMConfig: {}, Links: null, Aliases: [] } } },
        after: { body: { Container: 'web' } },
      },
      {
        on: 'NetworkConnect',
        leg: 'requestDown',
        before: { body: { Container: 'web', EndpointConfig: { IPAMConfig: { IPv4Address: '10.0.0.5' } } } },
        after: { refused: /EndpointConfig/ },
      },
    ],
  },
  {
    id: '1.22/network-disconnect-force',
    gate: 'release',
    summary: 'A container can be disconnected by force.',
    see: 'docs/api/v1.22.md, Disconnect a container from a network; api/server/router/network @v1.10.3',
    ops: [added(DisconnectRequest, 'Force', { onLoss: 'warn' })],
    examples: [
      {
        on: 'NetworkDisconnect',
        leg: 'requestUp',
        before: { body: { Container: 'web', Force: true } },
        after: { body: { Container: 'web' } },
      },
      {
        on: 'NetworkDisconnect',
        leg: 'requestDown',
        before: { body: { Container: 'web', Force: true } },
        after: { body: { Container: 'web' } },
        losses: ['DisconnectRequest.Force'],
      },
    ],
  },
  {
    id: '1.22/network-aux-address-name',
    gate: 'release',
    summary: 'Reserved addresses are AuxAddress in the documents and AuxiliaryAddresses on the wire.',
    see: 'docs/api/v1.21.md, v1.22.md, Create a network; daemon/network/settings.go:IPAMConfig @v1.9.1',
    ops: [
      retyped(Ipam, 'Config', {
        toNewer: wireAddresses,
        toOlder: wireAddresses,
        sides: 'request',
        words: 'IPAM.Config[].AuxAddress is sent as AuxiliaryAddresses',
      }),
      byHand(['NetworkInspect', 'NetworkList'], 'AuxAddress is shown as the documents have it', {
        profile: 'spec',
        responseDown: ({ body }) => documentedAddresses(body),
        responseUp: ({ body }) => documentedAddresses(body),
      }),
    ],
    examples: [
      {
        on: 'NetworkCreate',
        leg: 'requestUp',
        before: { body: { IPAM: { Config: [{ Subnet: '10.0.0.0/24', AuxAddress: { a: '10.0.0.9' } }] } } },
        after: { body: { IPAM: { Config: [{ Subnet: '10.0.0.0/24', AuxiliaryAddresses: { a: '10.0.0.9' } }] } } },
      },
      {
        on: 'NetworkCreate',
        leg: 'requestDown',
        before: { body: { IPAM: { Config: [{ AuxAddress: { a: '10.0.0.9' } }] } } },
        after: { body: { IPAM: { Config: [{ AuxiliaryAddresses: { a: '10.0.0.9' } }] } } },
      },
      ...(['responseDown', 'responseUp'] as const).map((leg) => ({
        on: 'NetworkInspect' as const,
        leg,
        profile: 'spec' as const,
        before: { body: { IPAM: { Config: [{ AuxiliaryAddresses: { a: '10.0.0.9' } }] } } },
        after: {
          body: { IPAM: { Config: [{ AuxiliaryAddresses: { a: '10.0.0.9' }, AuxAddress: { a: '10.0.0.9' } }] } },
        },
      })),
    ],
  },
] satisfies Change[]
