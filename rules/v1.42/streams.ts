import {
  byHand,
  type Changes,
  callRefused,
  emulated,
  gated,
  headRetyped,
  isTrue,
  only,
  queryAdded,
} from '../../src/translate/ops.ts'
import { isOwnPlatform } from '../by-hand/platform.ts'
import { MULTIPLEXED, nameStream, RAW, rememberExecTerminal, rememberTerminal } from '../emulate/stream-type.ts'

const LOGS = ['ContainerLogs', 'ServiceLogs', 'TaskLogs'] as const
const STREAMS = ['ContainerAttach', 'ExecStart', 'ContainerLogs'] as const
const STANDARD = ['stdin', 'stdout', 'stderr'] as const

const ALWAYS_RAW = { toOlder: [[MULTIPLEXED, RAW]] } as const

const ARCHITECTURE = /^(?:amd64|x86[-_]64|386|i386|arm|armhf|armel|arm64|aarch64|mips\w*|ppc64\w*|riscv64|s390x?)$/

/** Neither an invalid platform nor another operating system, which every engine refuses with its own error. */
function isOfSystem(platform: string, system: string): boolean {
  const [first = '', ...rest] = platform.toLowerCase().split('/')
  if (![first, ...rest].every((part) => /^[\w-]+$/.test(part))) return false
  return rest.length === 0 ? ARCHITECTURE.test(first) : first === system
}

const typed = (type: string) => ({ headers: { 'Content-Type': type } })

export default {
  '1.42/raw-stream-content-type': {
    gate: 'prefix',
    summary: 'The type of a stream shows whether it is multiplexed, and logs have a type.',
    see: 'docs/api/version-history.md v1.42; container_routes.go, exec.go; recordings 20.10 and 28.5, logs and attach-upgrade',
    ops: [
      headRetyped(STREAMS, 'response header Content-Type', ALWAYS_RAW),
      ...gated(
        { gate: 'release' }, // engines from 23.0 on send the type of logs at every version
        ...only({ profile: 'engine' }, headRetyped(LOGS, 'response header Content-Type', { toOlder: null })),
        ...only({ profile: 'spec' }, headRetyped('ContainerLogs', 'response header Content-Type', ALWAYS_RAW)),
      ),
      emulated(['ContainerAttach', 'ContainerLogs'], 'inspect shows whether the container has a terminal', {
        part: 'head',
        requestDown: rememberTerminal,
      }),
      byHand('ExecStart', 'the body shows whether the exec has a terminal', { requestDown: rememberExecTerminal }),
      byHand(STREAMS, 'the type of the stream is set accordingly', { part: 'head', responseUp: nameStream }),
    ],
    examples: {
      'ContainerLogs responseUp': [
        [
          { headers: {} },
          typed(RAW),
          { asked: 'stdout=1', calls: { 'GET /containers/web/json': { body: { Config: { Tty: true } } } } },
        ],
      ],
      'ExecStart responseUp': [
        [typed(RAW), typed(MULTIPLEXED), { asked: { headers: { Upgrade: 'tcp' }, body: { Tty: false } } }],
        [typed(RAW)],
      ],
    },
  },
  '1.42/ws-streams': {
    gate: 'prefix',
    summary: 'A websocket attaches the streams that it names; before, all three.',
    see: 'docs/api/version-history.md v1.42; container_routes.go:wsContainersAttach',
    ops: [
      ...STANDARD.map((stream) =>
        headRetyped('ContainerAttachWebsocket', `query ${stream}`, { toNewer: '1', toOlder: null }),
      ),
      callRefused('ContainerAttachWebsocket', 'the choice of streams', {
        onLoss: 'warn',
        finds: ({ query }) =>
          STANDARD.every((stream) => isTrue(query.get(stream))) ? undefined : 'the choice of streams',
        samples: [['stdout=1', 'the choice of streams']],
        stay: ['stdin=1&stdout=1&stderr=1'],
      }),
    ],
  },
  '1.42/stop-signal-param': {
    gate: 'prefix',
    summary: 'Stop and restart can name the signal.',
    ops: queryAdded(['ContainerStop', 'ContainerRestart'], 'signal', { sample: 'SIGINT', onLoss: 'refuse' }),
  },
  '1.42/import-platform': {
    summary: 'An imported image has the requested architecture; before, the engine’s.',
    see: 'daemon/images/image_import.go:ImportImage @v20.10.24, @v23.0.6; moby integration/image/import_test.go @v28.5.2',
    ops: callRefused('ImageCreate', 'another platform of an import', {
      finds: ({ query }, context) => {
        const platform = query.get('platform') ?? ''
        if (!query.get('fromSrc') || isOwnPlatform(platform, context)) return undefined
        return isOfSystem(platform, context.engine.os) ? `import for platform ${platform}` : undefined
      },
      samples: ['linux/arm64', 'arm64'].map((name) => [`fromSrc=-&platform=${name}`, `import for platform ${name}`]),
      stay: [...['macos', '//', 'linux/x86_64'].map((name) => `fromSrc=-&platform=${name}`), 'platform=linux/arm64'],
    }),
  },
} satisfies Changes
