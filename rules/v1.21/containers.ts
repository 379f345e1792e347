import {
  fromInteger,
  integer,
  isObject,
  type JsonObject,
  type JsonValue,
  listOf,
  memberAt,
} from '../../src/api/json/json.ts'
import { onlyIn } from '../../src/api/shapes/shape.ts'
import { ContainerListItem, StatsRecord } from '../../src/api/shapes/shapes.ts'
import { words } from '../../src/config/text.ts'
import type { StepContext } from '../../src/translate/message.ts'
import {
  added,
  askedFirst,
  byHand,
  type Changes,
  emulated,
  filterAdded,
  headRetyped,
  inspectPath,
  lookedUp,
  removed,
} from '../../src/translate/ops.ts'
import { ancestorsDown, imageNamed, keepDescendants } from '../emulate/looked-up.ts'
import { answerForStopped, containerOf } from '../emulate/stats-container.ts'

const IMAGES = '/images/json?all=1'
const images = [
  { Id: '78046e56a8fa', RepoTags: ['busybox:latest'], ParentId: 'aaaa1111' },
  { Id: 'cccc2222', RepoTags: ['web:latest'], ParentId: '78046e56a8fa' },
  { Id: 'dddd3333', RepoTags: ['<none>:<none>'], ParentId: '' },
]

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
  return silent && memberAt(containerOf(context), 'HostConfig', 'NetworkMode') === 'host'
    ? undefined
    : { eth0: network }
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
  '1.21/list-image-id': {
    summary: 'The list of containers has the image id of each container.',
    see: 'docs/api/v1.21.md, List containers; api/types/types.go Container @v1.9.1',
    ops: [
      added(ContainerListItem, 'ImageID', { sample: 'sha256:78046e56a8fa' }),
      // An item has an id in Image where another image has the name by now.
      lookedUp(onlyIn(ContainerListItem, 'ContainerList'), 'the ids are looked up in the list of images', {
        asks: IMAGES,
        lacks: 'ImageID',
        finds: ({ Image: image }, images) => ({
          ImageID: imageNamed(listOf(images).filter(isObject), image)?.['Id'] ?? '',
        }),
        samples: [
          [{ Image: 'busybox' }, images, { ImageID: '78046e56a8fa' }],
          [{ Image: 'dddd' }, images, { ImageID: 'dddd3333' }],
          [{ Image: 'gone' }, images, { ImageID: '' }],
        ],
      }),
    ],
  },
  '1.21/filter-ancestor': {
    summary: 'Containers can be filtered by the image they descend from.',
    see: 'daemon/list.go @v1.9.1; docs/api/v1.23.md, List containers',
    ops: [
      filterAdded('ContainerList', 'ancestor', { ignored: true }),
      byHand('ContainerList', 'the filter ancestor is applied here', { part: 'head', requestDown: ancestorsDown }),
      emulated('ContainerList', 'only descendants of the images stay', { responseUp: keepDescendants }),
    ],
    examples: {
      'ContainerList requestDown': [
        ['limit=1&filters={"ancestor":["busybox"],"status":["exited"]}', 'filters={"status":["exited"]}&all=1'],
      ],
      'ContainerList responseUp': [
        [
          {
            query: 'filters={"ancestor":["busybox"]}',
            body: [{ Image: 'busybox' }, { Image: 'web' }, { Image: 'dddd3333' }],
          },
          { body: [{ Image: 'busybox' }, { Image: 'web' }] },
          { calls: { [`GET ${IMAGES}`]: { body: images } } },
        ],
      ],
    },
  },
  '1.21/containers-ps-alias': {
    summary: 'GET /containers/ps, another name of /containers/json, is gone.',
    see: 'api/server/server.go route table @v1.8.3, @v1.9.1',
    ops: headRetyped('ContainerListPs', 'path', { toNewer: '/containers/json' }),
  },
  '1.21/stats-networks': {
    gate: 'prefix',
    summary: 'Stats have the counters of each network interface in networks; before, their sum in network.',
    see: 'docs/api/v1.21.md, Get container stats; api/types/versions/v1p20/types.go StatsJSON, api/server/router/local @v1.9.1',
    ops: [
      askedFirst('ContainerStats', 'the container’s network mode is looked up', inspectPath),
      added(StatsRecord, 'networks', { sample: { eth1 }, up: networksOf, upSamples: [[{ network: eth0 }, { eth0 }]] }),
      removed(StatsRecord, 'network', {
        sample: sum,
        down: sumOfNetworks,
        downSamples: [[{ networks: { eth0, eth1 } }, sum]],
      }),
    ],
    examples: {
      'ContainerStats responseUp body': [[{ network: none }, {}, { asked: 'stream=1', calls: inspected('host') }]],
    },
  },
  '1.21/stats-name-id': {
    from: '1.25',
    summary: 'A stats record names its container.',
    see: 'api/types/stats.go StatsJSON @v1.13.0',
    ops: [
      askedFirst('ContainerStats', 'the container’s name and id are looked up', inspectPath),
      added(StatsRecord, 'name', { sample: 'x', up: (_record, context) => containerOf(context)['Name'] }),
      added(StatsRecord, 'id', { sample: 'x', up: (_record, context) => containerOf(context)['Id'] }),
    ],
    examples: {
      'ContainerStats responseUp body': [[{}, { name: '/web', id: 'c1' }, { asked: {}, calls: inspected('bridge') }]],
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
        ['stream=false', { answered: 200 }, { calls: inspected('bridge', false) }],
        ['stream=false', 'stream=false', { calls: inspected('bridge') }],
      ],
    },
  },
} satisfies Changes
