import { isObject, type JsonValue } from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import { ContainerConfig, ContainerListItem, HostConfig, IpamConfig } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { onEach, retyped } from '../../src/translate/ops.ts'
import { bareHostIp, exposedPorts, portBindings } from '../by-hand/ports.ts'

/** A string is a list of one, never split: what engines up to 28 made of it (api/types/strslice @v28.5.2). */
const asList = (value: JsonValue): JsonValue | undefined => (typeof value === 'string' ? [value] : undefined)

export const strictTypes = {
  id: '1.52/strict-types',
  gate: 'release',
  summary: 'Bodies are read strictly: lists are arrays, ports and addresses must parse.',
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
      // 28.5 took the one empty string for no entrypoint at all (runconfig; seen on the daemon).
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
      words: 'HostConfig.Dns has no blanks around its addresses',
      toNewer: (value) =>
        Array.isArray(value) ? value.map((entry) => (typeof entry === 'string' ? entry.trim() : entry)) : undefined,
    }),
    // An address is a type of its own now, and its zero value is written.
    onEach(ContainerListItem, 'an unpublished port has no IP', {
      responseDown: ({ Ports: ports }) => {
        for (const port of Array.isArray(ports) ? ports : []) if (isObject(port) && port['IP'] === '') delete port['IP']
      },
    }),
    onEach(onSide(IpamConfig, 'response'), 'a range or gateway that was not asked for is left out', {
      responseDown: (config) => {
        for (const member of ['IPRange', 'Gateway']) if (config[member] === '') delete config[member]
      },
    }),
  ],
  examples: {
    'ContainerCreate requestUp': [
      [
        {
          body: {
            Cmd: 'echo a b',
            Entrypoint: '/bin/sh',
            Shell: 'bash',
            HostConfig: { CapAdd: 'NET_ADMIN', CapDrop: null },
          },
        },
        {
          body: {
            Cmd: ['echo a b'],
            Entrypoint: ['/bin/sh'],
            Shell: ['bash'],
            HostConfig: { CapAdd: ['NET_ADMIN'], CapDrop: null },
          },
        },
      ],
      [{ body: { Cmd: '', Entrypoint: '' } }, { body: { Cmd: [''], Entrypoint: null } }],
      [
        { body: { ExposedPorts: { '80': {}, '81/': {}, ' 82/TCP': {}, '90-92/udp': {}, '': {}, 'x/y': {} } } },
        {
          body: {
            ExposedPorts: { '80/tcp': {}, '81/tcp': {}, '82/tcp': {}, '90/udp': {}, '91/udp': {}, '92/udp': {} },
          },
        },
      ],
      [
        {
          body: {
            HostConfig: {
              PortBindings: { '80': [{ HostIp: '[::1]', HostPort: '8080' }, { HostIp: ' 127.0.0.1' }], '81/tcp': null },
            },
          },
        },
        {
          body: {
            HostConfig: {
              PortBindings: {
                '80/tcp': [{ HostIp: '::1', HostPort: '8080' }, { HostIp: '127.0.0.1' }],
                '81/tcp': null,
              },
            },
          },
        },
      ],
      [{ body: { HostConfig: { Dns: [' 8.8.8.8 ', ''] } } }, { body: { HostConfig: { Dns: ['8.8.8.8', ''] } } }],
    ],
    'ImageCommit requestUp': [
      [{ body: { Cmd: 'sh', Entrypoint: ['a'] } }, { body: { Cmd: ['sh'], Entrypoint: ['a'] } }],
    ],
    'ContainerList responseDown': [
      [
        {
          body: [
            {
              Ports: [
                { IP: '', PrivatePort: 80, Type: 'tcp' },
                { IP: '::', PrivatePort: 81, Type: 'tcp' },
              ],
            },
          ],
        },
        {
          body: [
            {
              Ports: [
                { PrivatePort: 80, Type: 'tcp' },
                { IP: '::', PrivatePort: 81, Type: 'tcp' },
              ],
            },
          ],
        },
      ],
    ],
    'SystemDataUsage responseDown': [
      [
        { body: { Containers: [{ Ports: [{ IP: '', PrivatePort: 80, Type: 'tcp' }] }] } },
        { body: { Containers: [{ Ports: [{ PrivatePort: 80, Type: 'tcp' }] }] } },
      ],
    ],
    'NetworkInspect responseDown': [
      [
        { body: { IPAM: { Config: [{ Subnet: '10.0.0.0/24', IPRange: '', Gateway: '10.0.0.1' }] } } },
        { body: { IPAM: { Config: [{ Subnet: '10.0.0.0/24', Gateway: '10.0.0.1' }] } } },
      ],
    ],
  },
} satisfies Change
