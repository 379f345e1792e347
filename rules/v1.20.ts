import { Info, RegistryConfig, Version } from '../src/api/shapes/shapes.ts'
import {
  added,
  addedAll,
  type Changes,
  callRefused,
  headRetyped,
  queryAdded,
  recordDropped,
} from '../src/translate/ops.ts'
import { inBase64, urlSafe } from './by-hand/registry-config.ts'
import { statusOf } from './by-hand/status-of.ts'
import containers from './v1.20/containers.ts'
import create from './v1.20/create.ts'
import inspect from './v1.20/inspect.ts'

/** Image events: engine 1.6 sends import and pull, engine 1.7 sends all four. */
const NEW_IN_1_7 = new Set(['push', 'tag'])

const AUTH = { 'r.example': { password: '??>' } }
const SPELLINGS = [[Buffer.from(JSON.stringify(AUTH)).toString('base64'), inBase64(AUTH)]] as const

const system = {
  '1.20/build-ulimits': {
    summary: 'The containers of a build can have ulimits.',
    see: 'api/server/server.go:postBuild @v1.8.3',
    ops: queryAdded('ImageBuild', 'ulimits', {
      sample: '[{"Name":"nproc","Soft":64,"Hard":64}]',
      onLoss: 'refuse',
      neutral: (value) => /^(null|\[\s*\])$/.test(value),
      request: 'keep',
    }),
    examples: { 'ImageBuild requestDown': [['t=x&ulimits=null', 't=x']] },
  },
  '1.20/registry-config-urlsafe': {
    summary: 'X-Registry-Config is documented as URL-safe base64, the only form that engines read.',
    see: 'docs/api/v1.20.md, Build image; base64.URLEncoding in postBuild @v1.6.2 … HEAD',
    ops: headRetyped('ImageBuild', 'header X-Registry-Config', {
      samples: { toNewer: SPELLINGS, toOlder: SPELLINGS },
      toNewer: urlSafe,
      toOlder: urlSafe,
    }),
  },
  '1.20/commit-changes-label': {
    summary: 'A commit or an import can set labels.',
    see: 'recordings of 1.7.1 and 1.8.3, commit-changes',
    // The error of the older engine; otherwise the image would lack the label.
    ops: callRefused(['ImageCommit', 'ImageCreate'], 'the instruction LABEL is refused', {
      finds: ({ query }) => {
        const lines = query.getAll('changes').flatMap((change) => change.split('\n'))
        return lines.some((line) => /^\s*label(\s|$)/i.test(line)) ? 'label is not a valid change command' : undefined
      },
      says: 'loss',
      samples: [[{ query: 'container=web&changes=ENV A=b\nLABEL c=d' }, 'label is not a valid change command']],
      stay: [{ query: 'fromSrc=-&changes=ENV A=b' }],
    }),
  },
  '1.20/image-events': {
    summary: 'Import, pull, push and tag are events of an image.',
    see: 'docs/api/v1.20.md, Monitor events; LogEvent( @v1.6.2, @v1.7.1; recordings of 1.6.2 and 1.7.1, events',
    ops: recordDropped(
      'SystemEvents',
      'events that the client’s engine does not send',
      (record, { client }) => client < 19 && NEW_IN_1_7.has(statusOf(record)),
      { stripsNewer: true },
    ),
    examples: {
      'SystemEvents responseDown body.status': [
        ['tag', 'dropped', { client: '1.18' }],
        ['tag', 'tag', { client: '1.19' }],
      ],
    },
  },
  '1.20/info-bridge-nf': {
    summary: 'Info shows whether bridged traffic passes the firewall.',
    see: 'api/types/types.go:Info @v1.8.3; recordings of 1.7.1 and 1.8.3, info',
    ops: addedAll(Info, ['BridgeNfIptables', 'BridgeNfIp6tables'], { sample: true, up: true }),
  },
  '1.20/info-registry-mirrors': {
    summary: 'Info lists the mirrors of the registry.',
    see: 'recordings of 1.7.1 and 1.8.3, info',
    ops: added(RegistryConfig, 'Mirrors', { sample: ['https://m'], up: null }),
  },
  '1.20/version-build-time': {
    summary: 'Version shows when the engine was built.',
    see: 'api/types/types.go:Version @v1.8.3; recordings of 1.7.1 and 1.8.3, version',
    ops: added(Version, 'BuildTime', { sample: 'Wed Sep 23 17:21:45 UTC 2015' }),
  },
} satisfies Changes

export default [create, inspect, containers, system] satisfies readonly Changes[]
