import { isObject, type JsonValue } from '../../src/api/json/json.ts'
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
      ...addedAll(Info, ['Isolation', 'InitBinary'], { up: '', onLoss: 'ignore' }),
      ...addedAll(Info, ['ContainerdCommit', 'RuncCommit', 'InitCommit'], { up: NO_COMMIT, onLoss: 'ignore' }),
      removed(Info, 'ExecutionDriver', { down: '' }),
      // Newer engines show it again where the version asked for is older: also to a pin below the client's version.
      ...gated(
        { gate: 'prefix' },
        byHand('SystemInfo', 'ExecutionDriver is gone', {
          responseUp: ({ body }) => {
            if (isObject(body)) delete body['ExecutionDriver']
          },
        }),
      ),
      // The words of engines 1.13 to 26 at a version below 1.25.
      retyped(Info, 'ExecutionDriver', {
        toOlder: (value) => (value === '<not supported>' ? '' : undefined),
        sides: 'response',
      }),
    ],
    examples: [
      {
        on: 'SystemInfo',
        leg: 'responseDown',
        before: { body: { NCPU: 2, Isolation: '', InitBinary: 'docker-init', RuncCommit: NO_COMMIT } },
        after: { body: { NCPU: 2, ExecutionDriver: '' } },
      },
      {
        on: 'SystemInfo',
        leg: 'responseDown',
        before: { body: { NCPU: 2, ExecutionDriver: '<not supported>' } },
        after: { body: { NCPU: 2, ExecutionDriver: '' } },
      },
      {
        on: 'SystemInfo',
        leg: 'responseUp',
        before: { body: { NCPU: 2, ExecutionDriver: '' } },
        after: {
          body: {
            NCPU: 2,
            Isolation: '',
            InitBinary: '',
            ContainerdCommit: NO_COMMIT,
            RuncCommit: NO_COMMIT,
            InitCommit: NO_COMMIT,
          },
        },
      },
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
        toOlder: (value) => each(value, bareName),
        toNewer: (value) => each(value, structured),
        sides: 'response',
      }),
    ],
    examples: [
      {
        on: 'SystemInfo',
        leg: 'responseDown',
        before: { body: { SecurityOptions: ['name=seccomp,profile=builtin', 'name=cgroupns', 'apparmor'] } },
        after: { body: { SecurityOptions: ['seccomp', 'cgroupns', 'apparmor'] } },
      },
      {
        on: 'SystemInfo',
        leg: 'responseUp',
        before: { body: { SecurityOptions: ['apparmor', 'seccomp'] } },
        after: { body: { SecurityOptions: ['name=apparmor', 'name=seccomp,profile=default'] } },
      },
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
    examples: [
      {
        on: 'SystemPing',
        leg: 'responseUp',
        before: { headers: { Server: 'Docker/1.12.6 (linux)' } },
        after: { headers: { 'Api-Version': '1.24', 'Docker-Experimental': 'false', Ostype: 'linux' } },
      },
    ],
  },
  {
    id: '1.25/volume-options-force',
    gate: 'release',
    summary: 'A volume shows its options and can be removed by force.',
    see: 'version-history.md v1.25',
    ops: [
      added(Volume, 'Options', { up: null, onLoss: 'ignore' }),
      added(Volume, 'UsageData', { onLoss: 'ignore' }),
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
    examples: [
      {
        on: 'VolumeInspect',
        leg: 'responseDown',
        before: { body: { Name: 'v', Options: null } },
        after: { body: { Name: 'v' } },
      },
      {
        on: 'VolumeInspect',
        leg: 'responseUp',
        before: { body: { Name: 'v' } },
        after: { body: { Name: 'v', Options: null } },
      },
      { on: 'VolumeDelete', leg: 'requestUp', before: { query: 'force=1' }, after: { query: '' } },
      { on: 'VolumeDelete', leg: 'requestDown', before: { query: 'force=1' }, after: { query: '' }, losses: [] },
      {
        on: 'VolumeDelete',
        leg: 'responseUp',
        before: { query: 'force=1', status: 404, text: 'no such volume' },
        after: { status: 204 },
      },
      {
        on: 'VolumeDelete',
        leg: 'responseUp',
        before: { status: 404, text: 'no such volume' },
        after: { status: 404, text: 'no such volume' },
      },
    ],
  },
  {
    id: '1.25/network-created',
    gate: 'release',
    summary: 'A network says when it was made, whether containers can join it, and its peers.',
    see: 'version-history.md v1.25; api/types/types.go @v1.13.0',
    ops: [
      added(Network, 'Created', { up: '0001-01-01T00:00:00Z', onLoss: 'ignore' }),
      added(Network, 'Attachable', { up: false, onLoss: 'ignore' }),
      added(Network, 'Peers', { onLoss: 'ignore' }),
      added(NetworkCreateRequest, 'Attachable', { onLoss: 'refuse' }),
    ],
    examples: [
      {
        on: 'NetworkInspect',
        leg: 'responseDown',
        before: { body: { Name: 'n', Created: '2026-01-01T00:00:00Z', Attachable: false } },
        after: { body: { Name: 'n' } },
      },
      {
        on: 'NetworkInspect',
        leg: 'responseUp',
        before: { body: { Name: 'n' } },
        after: { body: { Name: 'n', Created: '0001-01-01T00:00:00Z', Attachable: false } },
      },
      {
        on: 'NetworkCreate',
        leg: 'requestUp',
        before: { body: { Name: 'n', Attachable: true } },
        after: { body: { Name: 'n' } },
      },
      {
        on: 'NetworkCreate',
        leg: 'requestDown',
        before: { body: { Name: 'n', Attachable: true } },
        after: { refused: /NetworkCreateRequest\.Attachable/ },
      },
      {
        on: 'NetworkCreate',
        leg: 'requestDown',
        before: { body: { Name: 'n', Attachable: false } },
        after: { body: { Name: 'n' } },
      },
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
    examples: [{ on: 'SystemDataUsage', leg: 'requestDown', before: {}, after: { refused: /^page not found$/ } }],
  },
] satisfies Change[]
