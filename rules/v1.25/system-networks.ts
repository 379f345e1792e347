import { Info, Network, NetworkCreateRequest, Volume } from '../../src/api/shapes/shapes.ts'
import { nameVersion } from '../../src/translate/announced-version.ts'
import {
  added,
  addedAll,
  byHand,
  type Changes,
  endpointAdded,
  leftOut,
  only,
  queryAdded,
  removed,
  retyped,
  statusChanged,
} from '../../src/translate/ops.ts'
import { eachOf, eachText } from '../by-hand/each-text.ts'

const NO_COMMIT = { ID: '', Expected: '' }

/** `name=seccomp,profile=default` and `seccomp`. */
const bareName = (option: string): string => option.replace(/^name=([^,]*).*$/, '$1')
function structured(option: string): string {
  if (option.startsWith('name=')) return option
  return option === 'seccomp' ? 'name=seccomp,profile=default' : `name=${option}`
}

export default {
  '1.25/info-new': {
    summary: 'Info has the commits of its components, the init binary and isolation; the execution driver is gone.',
    see: 'version-history.md v1.25; api/types/types.go:Info @v1.13.0; recordings info 1.12.6, 20.10.24',
    ops: [
      ...addedAll(Info, ['Isolation', 'InitBinary'], { sample: 'x', up: '' }),
      ...addedAll(Info, ['ContainerdCommit', 'RuncCommit', 'InitCommit'], { sample: NO_COMMIT, up: NO_COMMIT }),
      removed(Info, 'ExecutionDriver', { down: '' }),
      // Newer engines show it again at older versions, so to a target pinned below the client's version too.
      ...only({ legs: ['responseUp'], gate: 'prefix' }, removed(Info, 'ExecutionDriver', { down: '' })),
      // The value of engines 1.13 to 26 below 1.25.
      retyped(Info, 'ExecutionDriver', { toOlder: [['<not supported>', '']] }),
    ],
  },
  '1.25/security-options-structured': {
    gate: 'prefix',
    prefixCodeGoneFrom: '1.52',
    summary: 'The security options of info are pairs of names and values; before, bare names.',
    see: 'version-history.md v1.25; system_routes.go:getInfo @v1.13.0 … v28.5.2',
    ops: retyped(Info, 'SecurityOptions', {
      samples: {
        toNewer: eachOf({ apparmor: 'name=apparmor', seccomp: 'name=seccomp,profile=default' }),
        toOlder: eachOf({ 'name=seccomp,profile=builtin': 'seccomp', 'name=cgroupns': 'cgroupns', a: 'a' }),
      },
      toOlder: (value) => eachText(value, bareName),
      toNewer: (value) => eachText(value, structured),
    }),
  },
  '1.25/headers': {
    summary: 'Every answer has headers with the engine’s API version and operating system.',
    see: 'version-history.md v1.25; api/server/middleware @v1.13.0',
    // Older clients keep them: they describe the bridge (src/translate/announced-version.ts), and clients ignore unknown headers.
    ops: (['head', 'error'] as const).map((part) =>
      byHand('every', 'Api-Version, Docker-Experimental and Ostype are added', { part, responseUp: nameVersion }),
    ),
    examples: {
      'SystemPing responseUp': [
        [
          { headers: { Server: 'Docker/1.12.6 (linux)' } },
          { headers: { 'Api-Version': '1.24', 'Docker-Experimental': 'false', Ostype: 'linux' } },
        ],
      ],
    },
  },
  '1.25/volume-options-force': {
    summary: 'A volume shows its options and can be removed by force.',
    ops: [
      // Each engine of 1.25 and newer shows them at every version, and Compose 1.24 compares them in files of 2.0 and 2.1.
      leftOut(Volume, 'Options', null),
      added(Volume, 'UsageData', { sample: { Size: 1 } }),
      queryAdded('VolumeDelete', 'force', { sample: '1' }),
      // A missing volume can be removed by force.
      statusChanged('VolumeDelete', { before: 404, after: 204, asked: 'force', legs: 'up' }),
    ],
  },
  '1.25/network-created': {
    summary: 'A network shows when it was created, whether containers can attach to it, and its peers.',
    see: 'version-history.md v1.25; api/types/types.go @v1.13.0',
    ops: [
      added(Network, 'Created', { sample: '2026-01-01T00:00:00Z', up: '0001-01-01T00:00:00Z' }),
      added(Network, 'Attachable', { sample: true, up: false }),
      added(Network, 'Peers', { sample: [{ Name: 'p' }] }),
      added(NetworkCreateRequest, 'Attachable', { sample: true, onLoss: 'refuse' }),
    ],
  },
  '1.25/prune-df-endpoints': {
    summary: 'Unused objects can be pruned, disk usage can be read, and a swarm stores secrets.',
    ops: endpointAdded(
      [
        ...(['ContainerPrune', 'ImagePrune', 'VolumePrune', 'NetworkPrune', 'SystemDataUsage'] as const),
        ...(['SecretList', 'SecretCreate', 'SecretInspect', 'SecretDelete', 'SecretUpdate'] as const),
      ],
      { missing: 404 },
    ),
  },
} satisfies Changes
