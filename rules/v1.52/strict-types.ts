import type { JsonValue } from '../../src/api/json/json.ts'
import { below, onSide } from '../../src/api/shapes/shape.ts'
import { ContainerConfig, ContainerListItem, HostConfig, IpamConfig } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { byHand, leftOut, onEach, only, retyped } from '../../src/translate/ops.ts'
import { refuseLoose } from '../by-hand/strict-create.ts'
import { bareHostIp, exposedPorts, portBindings } from './ports.ts'

/** A string becomes a list with one element, never split, as in engines up to 28 (api/types/strslice @v28.5.2). */
const asList = (value: JsonValue): JsonValue | undefined => (typeof value === 'string' ? [value] : undefined)

export const strictTypes = {
  id: '1.52/strict-types',
  gate: 'release',
  summary: 'Bodies are strictly checked: lists must be arrays, ports and addresses must be valid.',
  see: 'api/types/container/{config,hostconfig}.go, api/types/network/{port,endpoint}.go @docker-v29.0.0; recordings `29`',
  ops: [
    retyped(ContainerConfig, 'Cmd', {
      samples: [
        ['echo a b', ['echo a b']],
        ['', ['']],
        ['sh', ['sh']],
      ],
      sides: 'request',
      toNewer: asList,
    }),
    retyped(ContainerConfig, 'Shell', { samples: [['bash', ['bash']]], sides: 'request', toNewer: asList }),
    retyped(ContainerConfig, 'Entrypoint', {
      samples: [
        ['/bin/sh', ['/bin/sh']],
        ['', null],
      ],
      sides: 'request',
      // Engine 28.5 treats an empty string as no entrypoint (runconfig; seen on the daemon).
      toNewer: (value) => (value === '' ? null : asList(value)),
    }),
    retyped(HostConfig, 'CapAdd', { samples: [['NET_ADMIN', ['NET_ADMIN']]], sides: 'request', toNewer: asList }),
    retyped(HostConfig, 'CapDrop', { sides: 'request', toNewer: asList }),
    retyped(ContainerConfig, 'ExposedPorts', {
      samples: [
        [
          { '80': {}, '81/': {}, ' 82/TCP': {}, '90-92/udp': {}, '': {}, 'x/y': {} },
          { '80/tcp': {}, '81/tcp': {}, '82/tcp': {}, '90/udp': {}, '91/udp': {}, '92/udp': {} },
        ],
      ],
      sides: 'request',
      toNewer: exposedPorts,
    }),
    retyped(HostConfig, 'PortBindings', {
      samples: [
        [
          { '80': [{ HostIp: '[::1]', HostPort: '8080' }, { HostIp: ' 127.0.0.1' }], '81/tcp': null },
          { '80/tcp': [{ HostIp: '::1', HostPort: '8080' }, { HostIp: '127.0.0.1' }], '81/tcp': null },
        ],
      ],
      sides: 'request',
      toNewer: (value) => portBindings(value, bareHostIp),
    }),
    retyped(HostConfig, 'Dns', {
      samples: [
        [
          [' 8.8.8.8 ', ''],
          ['8.8.8.8', ''],
        ],
      ],
      sides: 'request',
      words: 'HostConfig.Dns has no spaces around addresses',
      toNewer: (value) =>
        Array.isArray(value) ? value.map((entry) => (typeof entry === 'string' ? entry.trim() : entry)) : undefined,
    }),
    byHand('ContainerCreate', 'strings for lists and invalid ports and addresses are refused', {
      requestDown: refuseLoose,
    }),
    // Addresses now have their own type, whose zero value is sent.
    ...only(
      { legs: ['responseDown'] },
      leftOut(below(ContainerListItem, 'Ports.[]'), 'IP', '', { before: true }),
      // A range or gateway that is unset.
      ...['IPRange', 'Gateway'].map((name) => leftOut(onSide(IpamConfig, 'response'), name, '', { before: true })),
    ),
    onEach(below(ContainerListItem, 'Ports.[]'), 'an unpublished port has an empty IP', {
      responseUp: (port) => {
        port['IP'] ??= ''
      },
    }),
  ],
  examples: {
    'ContainerCreate requestDown': [
      [
        { body: { Cmd: 'sh' } },
        /^invalid JSON: json: cannot unmarshal string into Go struct field CreateRequest\.Config\.Cmd of type \[\]string$/,
      ],
      [{ body: { ExposedPorts: { 'x/tcp': {} } } }, /^invalid JSON: invalid port 'x': invalid syntax$/],
      [{ body: { ExposedPorts: { '80-90/tcp': {} } } }, /^invalid JSON: invalid port '80-90': invalid syntax$/],
      [{ body: { ExposedPorts: { '70000': {} } } }, /^invalid JSON: invalid port '70000': value out of range$/],
      [{ body: { HostConfig: { PortBindings: { '/tcp': [] } } } }, /^invalid JSON: invalid port '': value is empty$/],
      [
        // Engine 28.5 published it on all addresses.
        { body: { HostConfig: { PortBindings: { '80/tcp': [{ HostIp: 'nope' }] } } } },
        /^invalid JSON: ParseAddr\("nope"\): unable to parse IP$/,
      ],
      [
        { body: { HostConfig: { Dns: ['8.8.8.8', 'nowhere'] } } },
        /^invalid JSON: ParseAddr\("nowhere"\): unable to parse IP$/,
      ],
      [
        { body: { Cmd: ['sh'], Entrypoint: null, ExposedPorts: { '80': {} }, HostConfig: { Dns: ['::1', ''] } } },
        { body: { Cmd: ['sh'], Entrypoint: null, ExposedPorts: { '80': {} }, HostConfig: { Dns: ['::1', ''] } } },
      ],
    ],
    'ImageCommit requestUp body': [
      [
        { Cmd: 'sh', Entrypoint: ['a'] },
        { Cmd: ['sh'], Entrypoint: ['a'] },
      ],
    ],
    'ContainerList responseUp body.[].Ports.[]': [
      [
        { PrivatePort: 80, Type: 'tcp' },
        { PrivatePort: 80, Type: 'tcp', IP: '' },
      ],
    ],
  },
} satisfies Change
