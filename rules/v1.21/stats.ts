import { StatsRecord } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, emulated, removed } from '../../src/translate/ops.ts'
import { answerForStopped, containerOf, rememberContainer } from '../emulate/stats-container.ts'
import { networksOf, sumOfNetworks } from './stats-networks.ts'

const eth0 = {
  rx_bytes: 736,
  rx_packets: 8,
  rx_errors: 0,
  rx_dropped: 0,
  tx_bytes: 516,
  tx_packets: 6,
  tx_errors: 0,
  tx_dropped: 0,
}
/** The sum of eth0 and eth1 in the examples. */
const sum = { ...eth0, rx_bytes: 740, rx_packets: 16, tx_bytes: 1032, tx_packets: 12 }
const none = {
  rx_bytes: 0,
  rx_packets: 0,
  rx_errors: 0,
  rx_dropped: 0,
  tx_bytes: 0,
  tx_packets: 0,
  tx_errors: 0,
  tx_dropped: 0,
}
const inspected = (mode: string) => ({
  'GET /containers/web/json': {
    body: { Id: 'c1', Name: '/web', State: { Running: true }, HostConfig: { NetworkMode: mode } },
  },
})

export default [
  {
    id: '1.21/stats-networks',
    gate: 'prefix',
    summary: 'Stats have the counters of each network interface in networks; before, their sum in network.',
    see: 'docs/api/v1.21.md, Get container stats; api/types/versions/v1p20/types.go StatsJSON, api/server/router/local @v1.9.1',
    ops: [
      emulated('ContainerStats', 'the container’s network mode is looked up', { requestDown: rememberContainer }),
      added(StatsRecord, 'networks', {
        sample: { eth0, eth1: { ...eth0, rx_bytes: 4 } },
        up: networksOf,
        onLoss: 'ignore',
      }),
      removed(StatsRecord, 'network', {
        sample: sum,
        down: sumOfNetworks,
      }),
    ],
    examples: {
      'ContainerStats responseDown body': [
        [
          { read: 't', networks: { eth0, eth1: { ...eth0, rx_bytes: 4 } } },
          { read: 't', network: sum },
        ],
        [{}, { network: none }],
      ],
      'ContainerStats responseUp body': [
        [{ network: none }, {}, { params: { name: 'web' }, asked: 'stream=1', calls: inspected('host') }],
        [{ network: eth0 }, { networks: { eth0 } }],
      ],
    },
  },
  {
    id: '1.21/stats-name-id',
    gate: 'release',
    from: '1.25',
    summary: 'A stats record names its container.',
    see: 'api/types/stats.go StatsJSON @v1.13.0',
    ops: [
      emulated('ContainerStats', 'the container’s name and id are looked up', { requestDown: rememberContainer }),
      added(StatsRecord, 'name', {
        sample: '/web',
        up: (_record, context) => containerOf(context)?.['name'],
        onLoss: 'ignore',
      }),
      added(StatsRecord, 'id', {
        sample: 'c1',
        up: (_record, context) => containerOf(context)?.['id'],
        onLoss: 'ignore',
      }),
    ],
    examples: {
      'ContainerStats responseUp body': [
        [
          { read: 't' },
          { read: 't', name: '/web', id: 'c1' },
          { params: { name: 'web' }, asked: {}, calls: inspected('bridge') },
        ],
      ],
    },
  },
  {
    id: '1.21/stats-stopped-container',
    gate: 'release',
    summary: 'Stats of a stopped container answer one record of zeros; engines up to 1.8 wait until it starts.',
    see: 'recordings 1.8.3 and 1.9.1, stats-exited',
    // An older client gets its answer at once instead of waiting for a start.
    ops: [
      emulated('ContainerStats', 'the bridge answers one reading of a stopped container', {
        requestDown: answerForStopped,
      }),
    ],
    examples: {
      'ContainerStats requestDown': [
        [
          'stream=false',
          { answered: 200 },
          {
            params: { name: 'old' },
            calls: { 'GET /containers/old/json': { body: { Id: 'c2', Name: '/old', State: { Running: false } } } },
          },
        ],
        ['stream=false', 'stream=false', { params: { name: 'web' }, calls: inspected('bridge') }],
      ],
    },
  },
] satisfies Change[]
