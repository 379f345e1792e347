import { ExecConfig, Info, Version } from '../../src/api/shapes/shapes.ts'
import type { Changes } from '../../src/translate/change.ts'
import {
  added,
  addedAll,
  bodyRetyped,
  byClient,
  filled,
  leftOut,
  only,
  retyped,
  statusChanged,
} from '../../src/translate/ops.ts'

/** New in engine 1.7; the specification has them in every version. */
const NEW_SWITCHES = ['CpuCfsPeriod', 'CpuCfsQuota', 'OomKillDisable', 'ExperimentalBuild']
const NUMBERS_AND_BOOLEANS = [
  [0, false],
  [1, true],
] as const
const PROXIES = ['HttpProxy', 'HttpsProxy', 'NoProxy']

export default {
  '1.19/info-bools': {
    summary: 'Four switches of info are booleans; before, 0 and 1.',
    see: 'docs/api/v1.19.md, Display system-wide information; daemon/info.go @v1.6.2, @v1.7.1',
    ops: ['Debug', 'IPv4Forwarding', 'MemoryLimit', 'SwapLimit'].map((member) =>
      retyped(Info, member, { pairs: NUMBERS_AND_BOOLEANS }),
    ),
  },
  '1.19/info-new-fields': {
    summary: 'Info shows support for CFS limits and OomKillDisable, experimental builds and the log driver.',
    see: 'docs/api/v1.19.md, Display system-wide information; api/types/types.go:Info @v1.7.1; recordings, info',
    ops: [
      ...addedAll(Info, NEW_SWITCHES, { sample: true, up: false, down: 'keep' }),
      ...only({ profile: 'engine', legs: ['responseDown'] }, ...addedAll(Info, NEW_SWITCHES, { sample: true })),
      added(Info, 'LoggingDriver', { sample: 'syslog', up: 'json-file' }),
    ],
    examples: {
      'SystemInfo responseDown body.CpuCfsPeriod': [[true, true, { profile: 'spec' }]],
    },
  },
  '1.19/info-proxy-fields': {
    summary: 'Info has the proxies even if none is set.',
    see: 'daemon/info.go @v1.6.2, @v1.7.1; recordings of 1.6.2 and 1.7.1, info',
    ops: PROXIES.map((member) => leftOut(Info, member, '')),
  },
  '1.19/version-experimental': {
    // Engine 1.7 decides by the prefix, later ones do not; removing a missing member does no harm.
    summary: 'Version shows that the engine is an experimental build.',
    see: 'api/server/server.go:getVersion @v1.7.1; docs/api/v1.20.md, Show the docker version information',
    ops: [
      added(Version, 'Experimental', { sample: true }),
      // The specification has it from 1.21 on, even if false.
      ...only({ profile: 'spec' }, filled(Version, 'Experimental', byClient({ '1.21': false }), { leg: 'responseUp' })),
    ],
    examples: {
      'SystemVersion responseUp body': [
        [{ Version: '1.6.2' }, { Version: '1.6.2', Experimental: false }, { profile: 'spec', client: '1.21' }],
      ],
    },
  },
  '1.19/auth-response': {
    summary: 'A login is always answered with a status text; before, with 204 if the registry sent none.',
    see: 'api/server/server.go:postAuth @v1.6.2, @v1.7.1; recording 1.12.6 at 1.24, auth-registry',
    // A 1.18 client accepts both answers.
    ops: statusChanged('SystemAuth', { before: 204, after: 200, legs: 'up', body: { Status: 'Login Succeeded' } }),
  },
  '1.19/json-serialisation': {
    summary: 'Members are in the order of the engine’s types, and an empty list of changes is null; before, [].',
    see: 'recordings of 1.6.2 and 1.7.1, changes-exited',
    // The order of members and the newlines between them have no meaning in JSON.
    ops: bodyRetyped('ContainerChanges', { toOlder: [[null, []]], words: 'null becomes an empty list' }),
  },
  '1.19/exec-user': {
    summary: 'An exec can run as another user.',
    see: 'docs/api/v1.19.md, Exec Create; runconfig/exec.go @v1.6.2 (not read), daemon/exec.go @v1.7.1',
    // Kept in older requests: engines that serve 1.18 run the command as this user (seen on 20.10), not as root.
    ops: added(ExecConfig, 'User', { sample: 'nobody', onLoss: 'refuse', request: 'keep' }),
  },
  '1.19/exec-cmd-string': {
    summary: 'The command of an exec is a list; before, a string was accepted.',
    see: 'runconfig/exec.go @v1.6.2, @v1.7.1; recording 1.6.2 at 1.18, exec-create-stringcmd',
    ops: retyped(ExecConfig, 'Cmd', {
      samples: [['id', ['id']]],
      sides: 'request',
      toNewer: (command) => (typeof command === 'string' ? [command] : undefined),
    }),
  },
} satisfies Changes
