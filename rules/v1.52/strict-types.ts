import { below, onSide, type Shape } from '../../src/api/shapes/shape.ts'
import {
  ContainerConfig,
  ContainerListItem,
  EndpointIpamConfig,
  HostConfig,
  IpamConfig,
} from '../../src/api/shapes/shapes.ts'
import type { Pairs, Respell } from '../../src/translate/ops/members/values.ts'
import { byHand, type Change, leftOut, type Op, only, retyped } from '../../src/translate/ops.ts'
import { eachText, textAsList } from '../by-hand/each-text.ts'
import { exposedPorts, portBindings, refuseLoose } from './strict-values.ts'

/** As in engines up to 28 (api/types/strslice @v28.5.2). */
const SPLIT_NEVER: Pairs = [['echo a b', ['echo a b']]]
const LISTS = [
  [ContainerConfig, 'Cmd'],
  [ContainerConfig, 'Shell'],
  [HostConfig, 'CapAdd'],
  [HostConfig, 'CapDrop'],
] as const

const read = (shape: Shape, member: string, toNewer: Respell, samples: Pairs): Op =>
  retyped(onSide(shape, 'request'), member, { toNewer, samples })

export const strictTypes = {
  summary: 'Bodies are strictly checked: lists must be arrays, ports and addresses must be valid.',
  see: 'api/types/container/{config,hostconfig}.go, api/types/network/{port,endpoint}.go @docker-v29.0.0; recordings `29`',
  ops: [
    ...LISTS.map(([shape, member]) => read(shape, member, textAsList, [...SPLIT_NEVER, ['', ['']]])),
    // Engine 28.5 treats an empty string as no entrypoint (runconfig; seen on the daemon).
    read(ContainerConfig, 'Entrypoint', (value) => (value === '' ? null : textAsList(value)), [
      ...SPLIT_NEVER,
      ['', null],
    ]),
    read(ContainerConfig, 'ExposedPorts', exposedPorts, [
      [
        { '80': {}, '81/': {}, ' 82/TCP': {}, '90-92/udp': {}, '': {}, 'x/y': {} },
        { '80/tcp': {}, '81/tcp': {}, '82/tcp': {}, '90/udp': {}, '91/udp': {}, '92/udp': {} },
      ],
    ]),
    read(HostConfig, 'PortBindings', portBindings, [
      [
        { '80': [{ HostIp: '[::1]', HostPort: '8080' }, { HostIp: ' 127.0.0.1' }], '81/tcp': null },
        { '80/tcp': [{ HostIp: '::1', HostPort: '8080' }, { HostIp: '127.0.0.1' }], '81/tcp': null },
      ],
    ]),
    // Without the spaces around addresses.
    read(HostConfig, 'Dns', (value) => eachText(value, (address) => address.trim()), [[[' 8.8.8.8 '], ['8.8.8.8']]]),
    byHand('ContainerCreate', 'strings for lists and invalid ports and addresses are refused', {
      requestDown: refuseLoose,
    }),
    // Addresses now have their own type, whose zero value is sent.
    leftOut(below(ContainerListItem, 'Ports.[]'), 'IP', ''),
    ...only(
      { legs: ['responseDown'] },
      // A range or gateway that is unset.
      ...['IPRange', 'Gateway'].map((name) => leftOut(onSide(IpamConfig, 'response'), name, '')),
      // 29.0 and 29.1 send it (api/types/network/endpoint.go @docker-v29.1.5), later ones leave it out.
      ...['IPv4Address', 'IPv6Address'].map((name) => leftOut(onSide(EndpointIpamConfig, 'response'), name, '')),
    ),
  ],
  examples: {
    'ContainerCreate requestDown body': [
      [
        { Cmd: 'sh' },
        /^invalid JSON: json: cannot unmarshal string into Go struct field CreateRequest\.Config\.Cmd of type \[\]string$/,
      ],
      [{ ExposedPorts: { 'x/tcp': {} } }, /^invalid JSON: invalid port 'x': invalid syntax$/],
      [{ ExposedPorts: { '70000': {} } }, /^invalid JSON: invalid port '70000': value out of range$/],
      [{ HostConfig: { PortBindings: { '/tcp': [] } } }, /^invalid JSON: invalid port '': value is empty$/],
      [
        // Engine 28.5 published it on all addresses.
        { HostConfig: { PortBindings: { '80/tcp': [{ HostIp: 'nope' }] } } },
        /^invalid JSON: ParseAddr\("nope"\): unable to parse IP$/,
      ],
      [{ HostConfig: { Dns: ['8.8.8.8', 'nowhere'] } }, /^invalid JSON: ParseAddr\("nowhere"\): unable to parse IP$/],
      [{ Cmd: ['sh'], Entrypoint: null, ExposedPorts: { '80': {} }, HostConfig: { Dns: ['::1', ''] } }],
    ],
  },
} satisfies Change
