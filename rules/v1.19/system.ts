import { isObject, isUnset } from '../../src/api/json/json.ts'
import { ExecConfig, Info, Version } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, addedAll, byHand, retyped } from '../../src/translate/ops.ts'

/** New with 1.7, but named for every version by the specification. */
const NEW_SWITCHES = ['CpuCfsPeriod', 'CpuCfsQuota', 'OomKillDisable', 'ExperimentalBuild']
const PROXIES = ['HttpProxy', 'HttpsProxy', 'NoProxy']

export default [
  {
    id: '1.19/info-bools',
    gate: 'release',
    summary: 'Four switches of info are booleans; before they were 0 and 1.',
    see: 'docs/api/v1.19.md, Display system-wide information; daemon/info.go @v1.6.2, @v1.7.1',
    ops: ['Debug', 'IPv4Forwarding', 'MemoryLimit', 'SwapLimit'].map((member) =>
      retyped(Info, member, {
        toNewer: [
          [0, false],
          [1, true],
        ],
        toOlder: [
          [false, 0],
          [true, 1],
        ],
      }),
    ),
  },
  {
    id: '1.19/info-new-fields',
    gate: 'release',
    summary:
      'Info tells of CFS periods and quotas, of the out-of-memory killer, experimental builds and the log driver.',
    see: 'docs/api/v1.19.md, Display system-wide information; api/types/types.go:Info @v1.7.1; recordings, info',
    ops: [
      addedAll(Info, NEW_SWITCHES, { up: false, down: 'keep', onLoss: 'ignore' }),
      byHand('SystemInfo', 'switches that engine 1.6 does not have', {
        profile: 'engine',
        stripsNewer: true,
        responseDown: ({ body }) => {
          if (isObject(body)) for (const member of NEW_SWITCHES) delete body[member]
        },
      }),
      added(Info, 'LoggingDriver', { up: 'json-file', onLoss: 'ignore' }),
    ].flat(),
    examples: [
      {
        on: 'SystemInfo',
        leg: 'responseDown',
        before: { body: { NFd: 11, CpuCfsPeriod: true, ExperimentalBuild: false, LoggingDriver: 'syslog' } },
        after: { body: { NFd: 11 } },
      },
      {
        on: 'SystemInfo',
        leg: 'responseDown',
        profile: 'spec',
        before: { body: { CpuCfsPeriod: true, LoggingDriver: 'syslog' } },
        after: { body: { CpuCfsPeriod: true } },
      },
      {
        on: 'SystemInfo',
        leg: 'responseUp',
        before: { body: {} },
        after: {
          body: {
            CpuCfsPeriod: false,
            CpuCfsQuota: false,
            OomKillDisable: false,
            ExperimentalBuild: false,
            LoggingDriver: 'json-file',
          },
        },
      },
    ],
  },
  {
    id: '1.19/info-proxy-fields',
    gate: 'release',
    summary: 'Info names the proxies even where none is set.',
    see: 'daemon/info.go @v1.6.2, @v1.7.1; recordings of 1.6.2 and 1.7.1, info',
    ops: [
      byHand('SystemInfo', 'a proxy that is not set', {
        responseDown: ({ body }) => {
          if (isObject(body)) for (const member of PROXIES) if (isUnset(body[member])) delete body[member]
        },
        responseUp: ({ body }) => {
          if (isObject(body)) for (const member of PROXIES) body[member] ??= ''
        },
      }),
    ],
    examples: [
      {
        on: 'SystemInfo',
        leg: 'responseDown',
        before: { body: { HttpProxy: '', NoProxy: 'localhost' } },
        after: { body: { NoProxy: 'localhost' } },
      },
      {
        on: 'SystemInfo',
        leg: 'responseUp',
        before: { body: { NoProxy: 'localhost' } },
        after: { body: { HttpProxy: '', HttpsProxy: '', NoProxy: 'localhost' } },
      },
    ],
  },
  {
    id: '1.19/version-experimental',
    // Engine 1.7 goes by the prefix, later ones do not: taking out what is not there does no harm.
    gate: 'release',
    summary: 'Version tells when the engine is an experimental build.',
    see: 'api/server/server.go:getVersion @v1.7.1; docs/api/v1.20.md, Show the docker version information',
    ops: [
      added(Version, 'Experimental', { onLoss: 'ignore' }),
      byHand('SystemVersion', 'shown even when false, as the specification has it from 1.21 on', {
        profile: 'spec',
        responseUp: ({ body }, { client }) => {
          if (isObject(body) && client >= 21) body['Experimental'] ??= false
        },
      }),
    ],
    examples: [
      {
        on: 'SystemVersion',
        leg: 'responseDown',
        before: { body: { Version: '17.05.0-ce', Experimental: true } },
        after: { body: { Version: '17.05.0-ce' } },
      },
      {
        on: 'SystemVersion',
        leg: 'responseUp',
        profile: 'spec',
        client: '1.21',
        before: { body: { Version: '1.6.2' } },
        after: { body: { Version: '1.6.2', Experimental: false } },
      },
    ],
  },
  {
    id: '1.19/auth-response',
    gate: 'release',
    summary: 'A login is answered with a status text always; before with 204 where the registry says nothing.',
    see: 'api/server/server.go:postAuth @v1.6.2, @v1.7.1; recording 1.12.6 at 1.24, auth-registry',
    // A 1.18 client takes either answer.
    ops: [
      byHand('SystemAuth', 'a login without words gets them', {
        responseUp: (message) => {
          if (message.status !== 204) return
          message.status = 200
          message.headers.set('Content-Type', 'application/json')
          message.body = { Status: 'Login Succeeded' }
        },
      }),
    ],
    examples: [
      {
        on: 'SystemAuth',
        leg: 'responseUp',
        before: { status: 204 },
        after: { status: 200, body: { Status: 'Login Succeeded' }, headers: { 'Content-Type': 'application/json' } },
      },
    ],
  },
  {
    id: '1.19/json-serialisation',
    gate: 'release',
    summary: 'Members stand in the order of the engine’s types, and no changes are null; before they were [].',
    see: 'recordings of 1.6.2 and 1.7.1, changes-exited',
    // The order of members, and newlines between them, mean nothing in JSON.
    ops: [
      byHand('ContainerChanges', 'no changes are an empty list', {
        responseDown: (message) => {
          if (message.body === null) message.body = []
        },
      }),
    ],
    examples: [{ on: 'ContainerChanges', leg: 'responseDown', before: { body: null }, after: { body: [] } }],
  },
  {
    id: '1.19/exec-user',
    gate: 'release',
    summary: 'A command can be run as another user.',
    see: 'docs/api/v1.19.md, Exec Create; runconfig/exec.go @v1.6.2 (not read), daemon/exec.go @v1.7.1',
    // Up it is kept: an engine that speaks 1.18 still runs the command as this user (asked of 20.10), not as root.
    ops: [added(ExecConfig, 'User', { onLoss: 'refuse', request: 'keep' })],
    examples: [
      {
        on: 'ContainerExec',
        leg: 'requestDown',
        before: { body: { User: 'nobody', Cmd: ['id'] } },
        after: { refused: /ExecConfig\.User/ },
      },
      {
        on: 'ContainerExec',
        leg: 'requestDown',
        before: { body: { User: '', Cmd: ['id'] } },
        after: { body: { Cmd: ['id'] } },
      },
    ],
  },
  {
    id: '1.19/exec-cmd-string',
    gate: 'release',
    summary: 'The command of an exec is a list; before a string would do.',
    see: 'runconfig/exec.go @v1.6.2, @v1.7.1; recording 1.6.2 at 1.18, exec-create-stringcmd',
    ops: [
      retyped(ExecConfig, 'Cmd', {
        sides: 'request',
        toNewer: (command) => (typeof command === 'string' ? [command] : undefined),
      }),
    ],
    examples: [
      { on: 'ContainerExec', leg: 'requestUp', before: { body: { Cmd: 'id' } }, after: { body: { Cmd: ['id'] } } },
    ],
  },
] satisfies Change[]
