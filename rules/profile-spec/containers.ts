import { onlyIn, response, shape } from '../../src/api/shapes/shape.ts'
import { ContainerInspect, ContainerState, MountPoint, NetworkSettings } from '../../src/api/shapes/shapes.ts'
import type { Deviations } from '../../src/translate/change.ts'
import {
  added,
  addedAll,
  errorForm,
  filled,
  leftOut,
  only,
  onlyMembers,
  retyped,
  statusChanged,
} from '../../src/translate/ops.ts'
import { rateAsNumber, throttled } from '../by-hand/blkio-rates.ts'
import { LISTS, Listed, ShownConfig, ShownHostConfig } from '../by-hand/places.ts'
import { stopSignalAsText } from '../v1.21/create.ts'
import { OMITTED } from '../v1.21/inspect.ts'

/** The settings of 1.18 and 1.19. */
const SETTINGS = ['Bridge', 'Gateway', 'IPAddress', 'IPPrefixLen', 'MacAddress', 'PortMapping', 'Ports']

const PORTS = LISTS.map((name) => response(name, '[].Ports.[]'))
const Port = shape('Ports[]', '', PORTS)

const BAD_ARCHIVES = 'not a directory|cannot overwrite directory|cannot overwrite non-directory|cannot be empty'
const ARCHIVES = ['ContainerArchive', 'ContainerArchiveInfo', 'PutContainerArchive'] as const

export default {
  'spec/stop-signal-number': {
    clients: ['1.21', '1.22'],
    summary: 'The stop signal of a container can be a number.',
    see: 'specification, 2.1; every engine requires a string',
    ops: stopSignalAsText,
  },
  'spec/state-dead-from-1.22': {
    clients: ['1.18', '1.21'],
    summary: 'A state has Dead from 1.22 on.',
    see: 'specification, 2.3; engine 1.6 has the member',
    ops: added(ContainerState, 'Dead', { sample: true }),
  },
  'spec/mounts-short': {
    clients: ['1.20', '1.21'],
    summary: 'Before 1.22 a mount has only Source, Destination, Mode and RW.',
    see: 'specification, 2.3; engine 1.8 sends Name and Driver',
    ops: addedAll(onlyIn(MountPoint, 'ContainerInspect'), ['Name', 'Driver'], { sample: 'd' }),
  },
  'spec/list-host-config-from-1.22': {
    clients: ['1.18', '1.21'],
    summary: 'The list of containers shows HostConfig from 1.22 on.',
    see: 'specification, 2.3; engine 1.8 has it',
    ops: added(Listed, 'HostConfig', { sample: { NetworkMode: 'default' } }),
  },
  'spec/list-ports': {
    clients: ['1.18', '1.22'],
    summary: 'A listed port has PrivatePort, PublicPort and Type.',
    see: 'specification, 2.3; engines send IP too, and no PublicPort for an unpublished port',
    ops: [...only({ legs: ['responseDown'] }, added(Port, 'IP', { sample: '0.0.0.0' })), filled(Port, 'PublicPort', 0)],
  },
  'spec/network-settings-short': {
    clients: ['1.18', '1.19'],
    summary: 'The network settings of a container have seven members.',
    see: 'specification, 2.3; engines 1.6 and 1.7 send twelve',
    ops: onlyMembers(NetworkSettings, SETTINGS),
  },
  'spec/graph-driver-from-1.20': {
    clients: ['1.18', '1.19'],
    summary: 'A container shows its storage driver from 1.20 on.',
    see: 'specification, 2.3; engines from 1.8 on send it to every version',
    ops: added(ContainerInspect, 'GraphDriver', { sample: { Name: 'vfs', Data: null } }),
  },
  'spec/limits-in-host-config': {
    clients: ['1.19', '1.20'],
    summary: 'From 1.19 on the limits of a container are in HostConfig only.',
    see: 'specification, 2.1; engines 1.8 to 25 show them in Config too below 1.20',
    ops: addedAll(ShownConfig, ['Memory', 'MemorySwap', 'CpuShares', 'Cpuset'], { sample: 0 }),
  },
  'spec/config-omits-empty': {
    clients: ['1.20', '1.20'],
    summary: 'Unset members of a config are omitted in 1.20.',
    see: 'engine 1.8; 1.9 to 25 show it below 1.21',
    ops: [...OMITTED, ['VolumeDriver', ''] as const].flatMap(([member, empty]) =>
      only({ legs: ['responseDown'] }, leftOut(ShownConfig, member, empty)),
    ),
  },
  'spec/sandbox-id-from-1.21': {
    clients: ['1.20', '1.20'],
    summary: 'The network settings name the sandbox from 1.21 on.',
    see: 'specification, 2.3; engines from 1.9 on send it to every version',
    ops: added(NetworkSettings, 'SandboxID', { sample: 's1' }),
  },
  'spec/lxc-conf-unset': {
    clients: ['1.18', '1.21'],
    summary: 'An unset LxcConf is an empty list.',
    see: 'docs/api/v1.18.md, Inspect a container; engines 1.6 to 1.9 send null',
    ops: retyped(ShownHostConfig, 'LxcConf', { toOlder: [[null, []]] }),
  },
  'spec/memory-swappiness-unset': {
    clients: ['1.20', '1.22'],
    summary: 'MemorySwappiness is a number, -1 if unset.',
    see: 'specification, 2.2; engines 1.8 and 1.9 send null',
    ops: retyped(ShownHostConfig, 'MemorySwappiness', { toOlder: [[null, -1]] }),
  },
  'spec/blkio-rate-text': {
    clients: ['1.22', '1.22'],
    summary: 'The rate of a device can be a string.',
    see: 'docs/api/v1.22.md, Create a container; every engine requires a number',
    ops: throttled.map((device) =>
      retyped(device, 'Rate', { samples: [['1000', JSON.rawJSON('1000')]], toNewer: rateAsNumber }),
    ),
  },
  'spec/archive-errors': {
    clients: ['1.18', '1.22'],
    summary: 'A bad request to archive gets 400 with details in JSON; a read-only destination gets 403.',
    see: 'specification, 7, GET and PUT archive; engines from 1.8 to 20.10 answer 500, in text',
    // The errors for which engines answer 500 are recorded on 1.8.3 … 20.10.24.
    ops: [
      statusChanged(ARCHIVES, { before: 403, after: 500, when: '{lead}is marked read-only{rest}' }),
      statusChanged(ARCHIVES, { before: 400, after: 500, when: `{lead}{what=${BAD_ARCHIVES}}{rest}` }),
      errorForm(ARCHIVES, { before: 'json', status: 400 }),
    ],
  },
} satisfies Deviations
