import type { JsonValue } from '../../src/api/json/json.ts'
import { below, onSide } from '../../src/api/shapes/shape.ts'
import { ContainerConfig, ContainerListItem, HostConfig, IpamConfig } from '../../src/api/shapes/shapes.ts'
import type { Pairs } from '../../src/translate/ops/members/values.ts'
import { byHand, type Change, leftOut, only, retyped } from '../../src/translate/ops.ts'
import { bareHostIp, exposedPorts, portBindings, refuseLoose } from './strict-values.ts'

/** A string becomes a list with one element, never split, as in engines up to 28 (api/types/strslice @v28.5.2). */
const asList = (value: JsonValue): JsonValue | undefined => (typeof value === 'string' ? [value] : undefined)
const SPLIT_NEVER: Pairs = [['echo a b', ['echo a b']]]

export const strictTypes = {
  summary: 'Bodies are strictly checked: lists must be arrays, ports and addresses must be valid.',
  see: 'api/types/container/{config,hostconfig}.go, api/types/network/{port,endpoint}.go @docker-v29.0.0; recordings `29`',
  ops: [
    ...(
      [
        [ContainerConfig, 'Cmd'],
        [ContainerConfig, 'Shell'],
        [HostConfig, 'CapAdd'],
        [HostConfig, 'CapDrop'],
      ] as const
    ).map(([shape, member]) =>
      retyped(shape, member, { samples: [...SPLIT_NEVER, ['', ['']]], sides: 'request', toNewer: asList }),
    ),
    retyped(ContainerConfig, 'Entrypoint', {
      samples: [...SPLIT_NEVER, ['', null]],
      sides: 'request',
      // Engine 28.5 treats an empty string as no entrypoint (runconfig; seen on the daemon).
      toNewer: (value) => (value === '' ? null : asList(value)),
    }),
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
    leftOut(below(ContainerListItem, 'Ports.[]'), 'IP', ''),
    ...only(
      { legs: ['responseDown'] },
      // A range or gateway that is unset.
      ...['IPRange', 'Gateway'].map((name) => leftOut(onSide(IpamConfig, 'response'), name, '')),
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
