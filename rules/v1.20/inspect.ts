import { type JsonObject, type JsonValue, memberAt, stringOf } from '../../src/api/json/json.ts'
import { ContainerInspect, ImageConfig, ImageInspect } from '../../src/api/shapes/shapes.ts'
import type { Changes } from '../../src/translate/change.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { readFilters } from '../../src/translate/ops/calls/filter-values.ts'
import {
  added,
  byHand,
  gated,
  headRetyped,
  lookedUp,
  omittedWhenEmpty,
  only,
  removed,
  retyped,
} from '../../src/translate/ops.ts'
import { CreateBody, LISTS, Listed, ShownConfig } from '../by-hand/places.ts'
import { byDestination, mountsFromVolumes } from './mounts.ts'

const driverNamed = (name: JsonValue = ''): JsonObject => ({ Name: name, Data: null })

const VOLUME = 'ab'.repeat(32)
const OF_VOLUME = { Driver: 'local', Mode: '', RW: true }
const MOUNTS = [
  { Source: '/tmp', Destination: '/t', RW: false },
  { Source: '/v/d/_data', Destination: '/d' },
]

const CREATED = 'created'
const EXITED = 'exited'

/** Engines up to 1.7 show a container that never started as exited, too, without a status text. */
function withoutOthers(message: ResponseMessage, { call }: StepContext): void {
  const { body } = message
  const asked = readFilters(call.query).get('status') ?? []
  if (!Array.isArray(body) || !(asked.includes(CREATED) || asked.includes(EXITED))) return
  message.body = body.filter((item) => {
    const text = stringOf(memberAt(item, 'Status'))
    return text === 'Created' ? asked.includes(CREATED) : !text.startsWith('Exited') || asked.includes(EXITED)
  })
}

export default {
  '1.20/inspect-mounts': {
    // Engines 1.8 to 25 answer in the old form below 1.20; 26 dropped these versions.
    gate: 'prefix',
    summary: 'Inspect has Mounts with all their properties; before, Volumes and VolumesRW by destination.',
    see: 'docs/api/v1.20.md, Inspect a container; daemon/inspect_linux.go:containerInspectPre120 @v20.10; recordings of 1.7.1 and 1.8.3, inspect-big, inspect-pub',
    ops: [
      added(ContainerInspect, 'Mounts', {
        sample: [{}],
        up: mountsFromVolumes,
        upSamples: [
          [
            {
              HostConfig: { Binds: ['/tmp:/t:ro'] },
              Volumes: { '/t': '/tmp', '/d': '/root/volumes/d/_data', '/v': `/root/vfs/dir/${VOLUME}` },
              VolumesRW: { '/t': false, '/d': true },
            },
            [
              { Source: '/tmp', Destination: '/t', Mode: 'ro', RW: false },
              { Name: 'd', Source: '/root/volumes/d/_data', Destination: '/d', ...OF_VOLUME },
              { Name: VOLUME, Source: `/root/vfs/dir/${VOLUME}`, Destination: '/v', ...OF_VOLUME },
            ],
          ],
        ],
      }),
      // Every mount, tmpfs too. On responseDown the last op runs first: before Mounts is removed.
      removed(ContainerInspect, 'VolumesRW', {
        sample: {},
        down: byDestination('RW', true),
        downSamples: [[{ Mounts: MOUNTS }, { '/t': false, '/d': true }]],
      }),
      removed(ContainerInspect, 'Volumes', {
        sample: {},
        down: byDestination('Source', ''),
        downSamples: [[{ Mounts: MOUNTS }, { '/t': '/tmp', '/d': '/v/d/_data' }]],
      }),
    ],
  },
  '1.20/graphdriver': {
    summary: 'Containers and images show their storage driver.',
    see: 'daemon/inspect.go @v1.8.3; docs/api/v1.21.md, Inspect an image; recordings of 1.7.1 and 1.8.3, inspect-min, image-inspect',
    ops: [
      added(ContainerInspect, 'GraphDriver', {
        sample: driverNamed('vfs'),
        up: ({ Driver: driver }) => driverNamed(driver),
        upSamples: [[{ Driver: 'vfs' }, driverNamed('vfs')]],
        // Engines from 1.8 on show it at every version.
        down: 'keep',
      }),
      // All images have the storage driver of the engine.
      lookedUp(ImageInspect, 'the engine’s storage driver is looked up', {
        asks: '/info',
        lacks: 'GraphDriver',
        finds: (_image, info) => ({ GraphDriver: driverNamed(memberAt(info, 'Driver')) }),
        samples: [[{}, { Driver: 'aufs' }, { GraphDriver: driverNamed('aufs') }]],
      }),
    ],
  },
  '1.20/config-volume-driver': {
    summary: 'An empty VolumeDriver is omitted from Config; engines 1.7 and 1.9 to 25 show it below 1.20.',
    see: 'runconfig/config.go @v1.6.2, @v1.7.1, @v1.8.3; api/types/versions/v1p19 @v1.9.1; recordings, inspect-leg, inspect-new and image-inspect',
    // 1.21/volume-driver-moved translates its place.
    ops: [
      // Engine 1.6 ignores it. 1.21/volume-driver-moved has the other way.
      ...only(
        { legs: ['requestUp'], from: '1.19' },
        added(CreateBody, 'VolumeDriver', { sample: 'flocker', onLoss: 'ignore' }),
      ),
      ...gated({ from: '1.19' }, added(ImageConfig, 'VolumeDriver', { sample: 'flocker' })),
      ...[ShownConfig, ImageConfig].map((shape) => omittedWhenEmpty(shape, 'VolumeDriver', '', { bothWays: true })),
    ],
  },
  '1.20/list-hostconfig': {
    summary: 'The list of containers names the network mode.',
    see: 'api/types/types.go:Container @v1.8.3 (documented in 1.22); recording 1.8.3 at 1.20, list',
    ops: added(Listed, 'HostConfig', { sample: { NetworkMode: 'default' }, up: { NetworkMode: 'default' } }),
  },
  '1.20/filter-status-created': {
    summary: 'A container that never started is created; before, exited without a status text.',
    see: 'daemon/state.go:StateString, isValidStateString @v1.6.2, @v1.8.3; recordings of 1.7.1 and 1.8.3, list-filter-status-*',
    ops: [
      headRetyped(LISTS, 'filter status', {
        toNewer: (status) => (status === EXITED ? [EXITED, CREATED] : undefined),
        toOlder: (status, { query }) => {
          if (status !== CREATED && status !== EXITED) return undefined
          query.set('all', '1')
          return EXITED
        },
        description: 'filters for exited and created containers',
      }),
      retyped(Listed, 'Status', { pairs: [['', 'Created']] }),
      byHand(LISTS, 'containers of other states are left out', { responseUp: withoutOthers }),
    ],
    examples: {
      'ContainerList requestUp': [['filters={"status":["exited"]}', 'filters={"status":["exited","created"]}']],
      'ContainerList requestDown': [
        ['filters={"status":["created","running"]}', 'filters={"status":["exited","running"]}&all=1'],
      ],
      'ContainerList responseUp body': [
        [
          [{ Status: '' }, { Status: 'Exited (0) 2 minutes ago' }],
          [{ Status: 'Created' }],
          { asked: 'filters={"status":["created"]}' },
        ],
      ],
    },
  },
} satisfies Changes
