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
    retyped(ContainerConfig, 'Cmd', { sides: 'request', toNewer: asList }),
    retyped(ContainerConfig, 'Shell', { sides: 'request', toNewer: asList }),
    retyped(ContainerConfig, 'Entrypoint', {
      sides: 'request',
      // 28.5 took the one empty string for no entrypoint at all (runconfig; seen on the daemon).
      toNewer: (value) => (value === '' ? null : asList(value)),
    }),
    retyped(HostConfig, 'CapAdd', { sides: 'request', toNewer: asList }),
    retyped(HostConfig, 'CapDrop', { sides: 'request', toNewer: asList }),
    retyped(ContainerConfig, 'ExposedPorts', { sides: 'request', toNewer: exposedPorts }),
    retyped(HostConfig, 'PortBindings', {
      sides: 'request',
      toNewer: (value) => portBindings(value, bareHostIp),
    }),
    retyped(HostConfig, 'Dns', {
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
  examples: [
    {
      on: 'ContainerCreate',
      leg: 'requestUp',
      before: {
        body: {
          Cmd: 'echo a b',
          Entrypoint: '/bin/sh',
          Shell: 'bash',
          HostConfig: { CapAdd: 'NET_ADMIN', CapDrop: null },
        },
      },
      after: {
        body: {
          Cmd: ['echo a b'],
          Entrypoint: ['/bin/sh'],
          Shell: ['bash'],
          HostConfig: { CapAdd: ['NET_ADMIN'], CapDrop: null },
        },
      },
    },
    {
      on: 'ContainerCreate',
      leg: 'requestUp',
      before: { body: { Cmd: '', Entrypoint: '' } },
      after: { body: { Cmd: [''], Entrypoint: null } },
    },
    {
      on: 'ImageCommit',
      leg: 'requestUp',
      before: { body: { Cmd: 'sh', Entrypoint: ['a'] } },
      after: { body: { Cmd: ['sh'], Entrypoint: ['a'] } },
    },
    {
      on: 'ContainerCreate',
      leg: 'requestUp',
      before: { body: { ExposedPorts: { '80': {}, '81/': {}, ' 82/TCP': {}, '90-92/udp': {}, '': {}, 'x/y': {} } } },
      after: {
        body: {
          ExposedPorts: {
            '80/tcp': {},
            '81/tcp': {},
            '82/tcp': {},
            '90/udp': {},
            '91/udp': {},
            '92/udp': {},
          },
        },
      },
    },
    {
      on: 'ContainerCreate',
      leg: 'requestUp',
      before: {
        body: {
          HostConfig: {
            PortBindings: { '80': [{ HostIp: '[::1]', HostPort: '8080' }, { HostIp: ' 127.0.0.1' }], '81/tcp': null },
          },
        },
      },
      after: {
        body: {
          HostConfig: {
            PortBindings: { '80/tcp': [{ HostIp: '::1', HostPort: '8080' }, { HostIp: '127.0.0.1' }], '81/tcp': null },
          },
        },
      },
    },
    {
      on: 'ContainerCreate',
      leg: 'requestUp',
      before: { body: { HostConfig: { Dns: [' 8.8.8.8 ', ''] } } },
      after: { body: { HostConfig: { Dns: ['8.8.8.8', ''] } } },
    },
    {
      on: 'ContainerList',
      leg: 'responseDown',
      before: {
        body: [
          {
            Ports: [
              { IP: '', PrivatePort: 80, Type: 'tcp' },
              { IP: '::', PrivatePort: 81, Type: 'tcp' },
            ],
          },
        ],
      },
      after: {
        body: [
          {
            Ports: [
              { PrivatePort: 80, Type: 'tcp' },
              { IP: '::', PrivatePort: 81, Type: 'tcp' },
            ],
          },
        ],
      },
    },
    {
      on: 'SystemDataUsage',
      leg: 'responseDown',
      before: { body: { Containers: [{ Ports: [{ IP: '', PrivatePort: 80, Type: 'tcp' }] }] } },
      after: { body: { Containers: [{ Ports: [{ PrivatePort: 80, Type: 'tcp' }] }] } },
    },
    {
      on: 'NetworkInspect',
      leg: 'responseDown',
      before: { body: { IPAM: { Config: [{ Subnet: '10.0.0.0/24', IPRange: '', Gateway: '10.0.0.1' }] } } },
      after: { body: { IPAM: { Config: [{ Subnet: '10.0.0.0/24', Gateway: '10.0.0.1' }] } } },
    },
  ],
} satisfies Change
