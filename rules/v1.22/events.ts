import {
  integer,
  isObject,
  type JsonObject,
  type JsonValue,
  listOf,
  memberAt,
  stringOf,
} from '../../src/api/json/json.ts'
import { EventRecord } from '../../src/api/shapes/shapes.ts'
import type { StepContext } from '../../src/translate/message.ts'
import {
  added,
  askedFirst,
  type Changes,
  filterApplied,
  filtersKnown,
  headRetyped,
  leftOut,
  only,
  recordDropped,
  retyped,
  sameAs,
} from '../../src/translate/ops.ts'
import { BILLION, nanoseconds } from '../by-hand/moments.ts'
import { namesById } from '../emulate/looked-up.ts'

const OF_IMAGES = new Set(['delete', 'import', 'pull', 'push', 'tag', 'untag'])

/** Records of images have no `from`, and their actions are not those of containers. */
const typeOf = ({ status, from }: JsonObject): string =>
  OF_IMAGES.has(stringOf(status)) && stringOf(from) === '' ? 'image' : 'container'

/** Asked when the stream begins, for the names of containers. */
const CONTAINERS = '/containers/json?all=1'

/** The older record lacks labels, exit codes and sizes of terminals. */
function actorOf(record: JsonObject, { memory }: StepContext): JsonObject {
  const id = stringOf(record['id'])
  if (record['Type'] === 'image') return { ID: id, Attributes: { name: id } }
  const names = namesById(listOf(memory.get(CONTAINERS)).filter((one) => memberAt(one, 'Id') === id))
  return { ID: id, Attributes: { image: stringOf(record['from']), ...(id in names ? { name: names[id] } : {}) } }
}

/** Up to engine 1.9 the id of a tag event is the tag. */
const idBefore110 = (_id: JsonValue, { Type: type, status, Actor: actor }: JsonObject): JsonValue | undefined =>
  type === 'image' && status === 'tag' ? memberAt(actor, 'Attributes', 'name') : undefined

/** Volumes, networks and the daemon had no events; containers had no `update`. */
function isNewRecord(record: JsonValue | undefined): boolean {
  if (!isObject(record)) return false
  const { status, Type: type } = record
  return (
    stringOf(status) === '' || status === 'update' || (type !== undefined && type !== 'container' && type !== 'image')
  )
}

/** Filters of engine 1.10. */
const FILTERS = ['type', 'volume', 'network']

/** A time with a fraction, in nanoseconds. */
const exact = (text: string | null): bigint | undefined => (text?.includes('.') ? nanoseconds(text) : undefined)

const floor = (time: bigint): string => String((time - (((time % BILLION) + BILLION) % BILLION)) / BILLION)

/** Engines up to 1.9 read whole seconds (500 strconv error from 1.7 on): the exact times select the records. */
function wholeSeconds(text: string, spare: bigint): string | undefined {
  const time = exact(text)
  return time === undefined ? undefined : floor(time + spare)
}

function isOutside(record: JsonValue | undefined, { call, engine }: StepContext): boolean {
  // Engine 1.9 is the first whose events have nanoseconds.
  const time = engine.highest >= 21 ? integer(memberAt(record, 'timeNano')) : undefined
  if (time === undefined) return false
  const [since = time, until = time] = ['since', 'until'].map((name) => exact(call.query.get(name)))
  return time < since || time > until
}

const ACTOR = { ID: 'c1', Attributes: { image: 'busybox', name: 'web' } }
const DIE = { status: 'die', id: 'c1', from: 'busybox' }
const TAGGED = { status: 'tag', Type: 'image', Actor: { Attributes: { name: 'rec:1' } } }

export default {
  '1.22/events-shape': {
    // On responseDown the last op runs first: the name of the tag is read before Actor is removed.
    summary: 'An event has Type, Action and Actor.',
    see: 'docs/api/v1.22.md, Monitor events; engine-api types/events @v1.10.3; recorded on 1.6.2 … 1.10.3, 20.10.24, 28.5 (events)',
    ops: [
      added(EventRecord, 'Type', {
        sample: 'container',
        up: typeOf,
        upSamples: [
          [{ status: 'untag' }, 'image'],
          [DIE, 'container'],
        ],
      }),
      added(EventRecord, 'Action', { sample: 'start', up: sameAs('status', '') }),
      added(EventRecord, 'Actor', {
        sample: ACTOR,
        up: actorOf,
        upSamples: [
          [
            { Type: 'image', id: '0a' },
            { ID: '0a', Attributes: { name: '0a' } },
          ],
        ],
      }),
      ...only({ legs: ['responseDown'] }, ...['id', 'from'].map((member) => leftOut(EventRecord, member, ''))),
      retyped(EventRecord, 'id', {
        samples: [['sha256:0a', 'rec:1', { with: TAGGED }]],
        toOlder: idBefore110,
        description: 'the id of a tag event is the tag',
      }),
      askedFirst('SystemEvents', 'the names of containers are looked up', () => CONTAINERS),
    ],
    examples: {
      'SystemEvents responseUp body': [
        [
          DIE,
          { ...DIE, Type: 'container', Action: 'die', Actor: ACTOR },
          { asked: '', calls: { [`GET ${CONTAINERS}`]: { body: [{ Id: 'c1', Names: ['/db/web', '/web'] }] } } },
        ],
      ],
    },
  },
  '1.22/events-new-types': {
    // After events-shape in this file, so that it runs first on responseDown: it needs Type.
    summary: 'Volumes and networks have events, and containers have the event update.',
    see: 'docs/api/v1.22.md, Monitor events; daemon/events @v1.10.3; recorded on 1.10.3, 28.5 (events)',
    ops: recordDropped('SystemEvents', 'new records are dropped', isNewRecord, {
      stripsNewer: true,
      drops: [
        { Type: 'network', Action: 'connect', Actor: { ID: 'n1', Attributes: {} }, time: 1 },
        { status: 'update', id: 'c1', from: 'busybox', Type: 'container', time: 1 },
      ],
      keeps: [{ status: 'start', id: 'c1', Type: 'container', time: 1 }],
    }),
  },
  '1.22/events-filters': {
    summary: 'Events can be filtered by type, volume and network; before, these filters were ignored.',
    see: 'docs/api/v1.22.md, Monitor events; daemon/events/filter.go @v1.10.3; recorded on 1.9.1, 1.10.3 (events-filter-type)',
    ops: [
      filtersKnown('SystemEvents', { before: (key) => !FILTERS.includes(key) }),
      // An older engine ignores these filters. It has no events of volumes and networks.
      filterApplied('SystemEvents', FILTERS, {
        records: true,
        keeps: (filters) => {
          const none = filters.has('volume') || filters.has('network')
          return ({ Type: type }) => !none && (filters.get('type')?.includes(stringOf(type)) ?? true)
        },
        samples: [
          { asks: '{"type":["container"]}', keeps: { Type: 'container' }, drops: { Type: 'image' } },
          { asks: '{"type":["volume"]}', keeps: { Type: 'volume' }, drops: { Type: 'container' } },
        ],
      }),
    ],
    examples: {
      'SystemEvents requestUp': [['filters={"type":["network"],"event":["die"]}', 'filters={"event":["die"]}']],
    },
  },
  '1.22/timestamps-fractional': {
    summary: 'Times can have fractions of a second.',
    see: 'engine-api types/time/timestamp.go:ParseTimestamps @v1.10.3; engines 1.9 (500) and 1.10 on a fraction',
    ops: [
      headRetyped(['SystemEvents', 'ContainerLogs'], 'query since', {
        samples: [['10.5', '10']],
        toOlder: (text) => wholeSeconds(text, 0n),
      }),
      headRetyped(['SystemEvents', 'ContainerLogs'], 'query until', {
        samples: [['20.000000001', '21']],
        toOlder: (text) => wholeSeconds(text, BILLION - 1n),
      }),
      recordDropped('SystemEvents', 'records outside the exact times are dropped', isOutside, { leg: 'responseUp' }),
    ],
    examples: { 'SystemEvents responseUp body': [[{ timeNano: 10100000000 }, 'dropped', { asked: 'since=10.5' }]] },
  },
} satisfies Changes
