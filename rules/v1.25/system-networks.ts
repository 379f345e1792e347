import type { JsonValue } from '../../src/api/json/json.ts'
import { Info, Network, NetworkCreateRequest, Volume } from '../../src/api/shapes/shapes.ts'
import { formatVersion } from '../../src/api/version.ts'
import type { Change } from '../../src/translate/change.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'
import {
  added,
  addedAll,
  byHand,
  endpointAdded,
  gated,
  isTrue,
  only,
  queryAdded,
  removed,
  retyped,
} from '../../src/translate/ops.ts'

const NO_COMMIT = { ID: '', Expected: '' }

/** `name=seccomp,profile=default` and `seccomp`. */
const bareName = (option: JsonValue): JsonValue =>
  typeof option === 'string' ? option.replace(/^name=([^,]*).*$/, '$1') : option
const structured = (option: JsonValue): JsonValue => {
  if (typeof option !== 'string' || option.startsWith('name=')) return option
  return option === 'seccomp' ? 'name=seccomp,profile=default' : `name=${option}`
}
const each = (value: JsonValue, spell: (option: JsonValue) => JsonValue): JsonValue | undefined =>
  Array.isArray(value) ? value.map(spell) : undefined

function nameEngine({ headers }: ResponseMessage, { engine, policy }: StepContext): void {
  if (headers.has('Api-Version')) return
  headers.set('Api-Version', formatVersion(policy.announce ?? engine.highest))
  headers.set('Docker-Experimental', 'false')
  headers.set('Ostype', engine.os)
}

export default [
  {
    id: '1.25/info-new',
    gate: 'release',
    summary: 'Info names the commits of its parts, its init binary and isolation; the execution driver is gone.',
    see: 'version-history.md v1.25; api/types/types.go:Info @v1.13.0; recordings info 1.12.6, 20.10.24',
    ops: [
      ...addedAll(Info, ['Isolation', 'InitBinary'], { sample: 'x', up: '', onLoss: 'ignore' }),
      ...addedAll(Info, ['ContainerdCommit', 'RuncCommit', 'InitCommit'], {
        sample: NO_COMMIT,
        up: NO_COMMIT,
        onLoss: 'ignore',
      }),
      removed(Info, 'ExecutionDriver', { down: '' }),
      // Newer engines show it again where the version asked for is older: also to a pin below the client's version.
      ...gated({ gate: 'prefix' }, ...only({ legs: ['responseUp'] }, removed(Info, 'ExecutionDriver', { down: '' }))),
      // The words of engines 1.13 to 26 at a version below 1.25.
      retyped(Info, 'ExecutionDriver', { toOlder: [['<not supported>', '']], sides: 'response' }),
    ],
  },
  {
    id: '1.25/security-options-structured',
    gate: 'prefix',
    prefixCodeGoneFrom: '1.52',
    summary: 'The security options of info are pairs of names and values; before they were bare names.',
    see: 'version-history.md v1.25; system_routes.go:getInfo @v1.13.0 … v28.5.2',
    ops: [
      retyped(Info, 'SecurityOptions', {
        samples: {
          toNewer: [
            [
              ['apparmor', 'seccomp'],
              ['name=apparmor', 'name=seccomp,profile=default'],
            ],
          ],
          toOlder: [
            [
              ['name=seccomp,profile=builtin', 'name=cgroupns', 'apparmor'],
              ['seccomp', 'cgroupns', 'apparmor'],
            ],
          ],
        },
        toOlder: (value) => each(value, bareName),
        toNewer: (value) => each(value, structured),
        sides: 'response',
      }),
    ],
  },
  {
    id: '1.25/headers',
    gate: 'release',
    summary: 'Every answer says the engine’s version of the API and its system.',
    see: 'version-history.md v1.25; api/server/middleware @v1.13.0',
    // An older client keeps them: the bridge speaks of itself there (src/translate/own.ts), and no client minds a header.
    ops: (['head', 'error'] as const).map((part) =>
      byHand('every', 'Api-Version, Docker-Experimental and Ostype are named', { part, responseUp: nameEngine }),
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
  {
    id: '1.25/volume-options-force',
    gate: 'release',
    summary: 'A volume shows its options and can be removed by force.',
    see: 'version-history.md v1.25',
    ops: [
      added(Volume, 'Options', { sample: { a: 'b' }, up: null, onLoss: 'ignore' }),
      added(Volume, 'UsageData', { sample: { Size: 1 }, onLoss: 'ignore' }),
      queryAdded('VolumeDelete', 'force', { onLoss: 'ignore', neutral: () => true }),
      byHand('VolumeDelete', 'by force, a volume that is not there is removed', {
        part: 'error',
        responseUp: (message, { call }) => {
          if (message.status !== 404 || !isTrue(call.query.get('force'))) return
          message.status = 204
          delete message.text
        },
      }),
    ],
    examples: {
      'VolumeDelete requestUp': [['force=1', '']],
      'VolumeDelete requestDown': [['force=1', '', { losses: [] }]],
      'VolumeDelete responseUp': [[{ query: 'force=1', status: 404, text: 'no such volume' }, { status: 204 }]],
      'VolumeDelete responseUp error': [['404 no such volume']],
    },
  },
  {
    id: '1.25/network-created',
    gate: 'release',
    summary: 'A network says when it was made, whether containers can join it, and its peers.',
    see: 'version-history.md v1.25; api/types/types.go @v1.13.0',
    ops: [
      added(Network, 'Created', { sample: '2026-01-01T00:00:00Z', up: '0001-01-01T00:00:00Z', onLoss: 'ignore' }),
      added(Network, 'Attachable', { sample: true, up: false, onLoss: 'ignore' }),
      added(Network, 'Peers', { sample: [{ Name: 'p' }], onLoss: 'ignore' }),
      added(NetworkCreateRequest, 'Attachable', { sample: true, onLoss: 'refuse' }),
    ],
  },
  {
    id: '1.25/prune-df-endpoints',
    gate: 'release',
    summary: 'What is unused can be pruned, disk usage asked for, and Swarm keeps secrets.',
    see: 'version-history.md v1.25',
    ops: [
      endpointAdded(
        [
          ...(['ContainerPrune', 'ImagePrune', 'VolumePrune', 'NetworkPrune', 'SystemDataUsage'] as const),
          ...(['SecretList', 'SecretCreate', 'SecretInspect', 'SecretDelete', 'SecretUpdate'] as const),
        ],
        { missing: 404 },
      ),
    ],
  },
] satisfies Change[]
