import { fromInteger, integer, isObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts'
import { StatsRecord } from '../../src/api/shapes/shapes.ts'
import { words } from '../../src/config/text.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { added, type Changes, emulated, removed } from '../../src/translate/ops.ts'
import { answerForStopped, containerOf, rememberContainer } from '../emulate/stats-container.ts'

/** In the order of the engines' own struct (api/types/stats.go NetworkStats). */
const COUNTERS = ['rx', 'tx'].flatMap((way) => words('bytes packets errors dropped').map((what) => `${way}_${what}`))

/** `network` up to 1.20: each counter summed over all interfaces, zeros when there are none (versions/v1p20, daemon/stats.go). */
export function sumOfNetworks(record: JsonObject): JsonValue {
  const networks = isObject(record['networks']) ? Object.values(record['networks']).filter(isObject) : []
  return Object.fromEntries(
    COUNTERS.map((counter) => {
      const sum = networks.reduce((total, network) => total + (integer(network[counter]) ?? 0n), 0n)
      return [counter, fromInteger(sum)]
    }),
  )
}

/** `networks` from `network`: engines up to 1.8 have one interface. A container in the host's network has none. */
function networksOf(record: JsonObject, context: StepContext): JsonValue | undefined {
  const network = record['network']
  if (!isObject(network)) return undefined
  const silent = COUNTERS.every((counter) => (integer(network[counter]) ?? 0n) === 0n)
  return silent && containerOf(context)?.['mode'] === 'host' ? undefined : { eth0: network }
}

const none = Object.fromEntries(COUNTERS.map((counter) => [counter, 0]))
const eth0 = { ...none, rx_bytes: 736, tx_packets: 6 }
const eth1 = { ...none, rx_bytes: 4, tx_packets: 6 }
const sum = { ...none, rx_bytes: 740, tx_packets: 12 }
const inspected = (mode: string, running = true) => ({
  'GET /containers/web/json': {
    body: { Id: 'c1', Name: '/web', State: { Running: running }, HostConfig: { NetworkMode: mode } },
  },
})

export default {
  '1.21/stats-networks': {
    gate: 'prefix',
    summary: 'Stats have the counters of each network interface in networks; before, their sum in network.',
    see: 'docs/api/v1.21.md, Get container stats; api/types/versions/v1p20/types.go StatsJSON, api/server/router/local @v1.9.1',
    ops: [
      emulated('ContainerStats', 'the container’s network mode is looked up', { requestDown: rememberContainer }),
      added(StatsRecord, 'networks', {
        sample: { eth0, eth1 },
        up: networksOf,
        upSamples: [[{ network: eth0 }, { eth0 }]],
      }),
      removed(StatsRecord, 'network', {
        sample: sum,
        down: sumOfNetworks,
        downSamples: [[{ networks: { eth0, eth1 } }, sum]],
      }),
    ],
    examples: {
      'ContainerStats responseUp body': [
        [{ network: none }, {}, { params: { name: 'web' }, asked: 'stream=1', calls: inspected('host') }],
      ],
    },
  },
  '1.21/stats-name-id': {
    from: '1.25',
    summary: 'A stats record names its container.',
    see: 'api/types/stats.go StatsJSON @v1.13.0',
    ops: [
      emulated('ContainerStats', 'the container’s name and id are looked up', { requestDown: rememberContainer }),
      ...['name', 'id'].map((member) =>
        added(StatsRecord, member, { sample: 'x', up: (_record, context) => containerOf(context)?.[member] }),
      ),
    ],
    examples: {
      'ContainerStats responseUp body': [
        [{}, { name: '/web', id: 'c1' }, { params: { name: 'web' }, asked: {}, calls: inspected('bridge') }],
      ],
    },
  },
  '1.21/stats-stopped-container': {
    summary: 'Stats of a stopped container answer one record of zeros; engines up to 1.8 wait until it starts.',
    see: 'recordings 1.8.3 and 1.9.1, stats-exited',
    // An older client gets its answer at once instead of waiting for a start.
    ops: emulated('ContainerStats', 'the bridge answers one reading of a stopped container', {
      requestDown: answerForStopped,
    }),
    examples: {
      'ContainerStats requestDown': [
        ['stream=false', { answered: 200 }, { params: { name: 'web' }, calls: inspected('bridge', false) }],
        ['stream=false', 'stream=false', { params: { name: 'web' }, calls: inspected('bridge') }],
      ],
    },
  },
} satisfies Changes
