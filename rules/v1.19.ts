import type { JsonObject } from '../src/api/json/json.ts'
import { onlyIn } from '../src/api/shapes/shape.ts'
import { ExecConfig, HistoryItem, ImageListItem, Info, SearchItem, Version } from '../src/api/shapes/shapes.ts'
import {
  added,
  addedAll,
  byClient,
  byHand,
  type Changes,
  filled,
  headRetyped,
  leftOut,
  only,
  queryAdded,
  retyped,
  sameAs,
  statusChanged,
} from '../src/translate/ops.ts'
import { textAsList } from './by-hand/each-text.ts'
import { inBase64, unwrapConfigs, wrapConfigs } from './by-hand/registry-config.ts'
import create from './v1.19/create.ts'
import inspect from './v1.19/inspect.ts'
import streams from './v1.19/streams.ts'

/** Engines read an invalid number as 0. */
const isZero = (value: string): boolean => !/^\s*[+-]?\d+\s*$/.test(value) || Number(value) === 0

const standard = (config: JsonObject): string => Buffer.from(JSON.stringify(config)).toString('base64')
const auth = { 'registry.example': { username: 'a', password: '??>' } }

/** New in engine 1.7; the specification has them in every version. */
export const NEW_SWITCHES = ['CpuCfsPeriod', 'CpuCfsQuota', 'OomKillDisable', 'ExperimentalBuild']
const NUMBERS_AND_BOOLEANS = [
  [0, false],
  [1, true],
] as const

const system = {
  '1.19/images-labels': {
    summary: 'The list of images has labels in the documents; engine 1.6 already sends them.',
    see: 'docs/api/v1.19.md, List Images; graph/list.go @v1.6.2; recording 1.6.2 at 1.18, images-list',
    ops: added(onlyIn(ImageListItem, 'ImageList'), 'Labels', { sample: { a: 'b' }, up: null, down: 'keep' }),
  },
  '1.19/image-history-fields': {
    summary: 'History has comments, and in the documents tags and sizes, which engine 1.6 already sends.',
    see: 'docs/api/v1.19.md, Get the history of an image; graph/history.go @v1.6.2, @v1.7.1; recordings, image-history',
    ops: [
      added(HistoryItem, 'Comment', { sample: 'c', up: '' }),
      added(HistoryItem, 'Tags', { sample: ['a:1'], up: null, down: 'keep' }),
      added(HistoryItem, 'Size', { sample: 5, up: 0, down: 'keep' }),
    ],
  },
  '1.19/search-is-trusted': {
    summary: 'A search result has is_automated beside is_trusted; both are always equal.',
    see: 'docs/api/v1.18.md (is_automated only), v1.19.md; registry/types.go @v1.6.2 (is_trusted only), @v1.7.1 (both)',
    // A 1.18 client follows its document or its engine: it gets both.
    ops: [
      added(SearchItem, 'is_automated', { sample: true, up: sameAs('is_trusted', false), down: 'keep' }),
      filled(SearchItem, 'is_trusted', sameAs('is_automated'), { sample: true }),
      filled(SearchItem, 'is_automated', sameAs('is_trusted', false), { sample: true }),
    ],
  },
  '1.19/build-cpu-params': {
    summary: 'A build can be limited in CPU time and memory nodes, and put under a parent cgroup.',
    see: 'docs/api/v1.19.md, Build image; api/server/server.go:postBuild @v1.7.1',
    ops: [
      queryAdded('ImageBuild', 'cpuperiod', { sample: '100000', onLoss: 'refuse', neutral: isZero, request: 'keep' }),
      queryAdded('ImageBuild', 'cpuquota', { sample: '5000', onLoss: 'refuse', neutral: isZero, request: 'keep' }),
      queryAdded('ImageBuild', 'cpusetmems', { sample: '0', onLoss: 'refuse', request: 'keep' }),
      queryAdded('ImageBuild', 'cgroupparent', { sample: '/x', onLoss: 'refuse', request: 'keep' }),
    ],
    examples: { 'ImageBuild requestDown': [['t=x&cpuperiod=0&cpuquota=none', 't=x']] },
  },
  '1.19/build-registry-config-shape': {
    summary: 'X-Registry-Config is the map of registries; engine 1.6 reads a configuration file that contains it.',
    see: 'registry/auth.go:ConfigFile, api/server/server.go:postBuild @v1.6.2; cliconfig @v1.7.1',
    ops: headRetyped('ImageBuild', 'header X-Registry-Config', {
      samples: {
        toNewer: [[standard({ configs: auth }).replaceAll('=', ''), inBase64(auth)]],
        toOlder: [[standard(auth), inBase64({ configs: auth })]],
      },
      toNewer: unwrapConfigs,
      toOlder: wrapConfigs,
    }),
  },
  '1.19/push-missing-auth': {
    summary: 'A push without X-Registry-Auth gets 400; before, 500.',
    see: 'recordings of 1.6.2 and 1.7.1, image-push-noauth',
    // `{}` in base64: an anonymous push.
    ops: headRetyped('ImagePush', 'header X-Registry-Auth', { toNewer: 'e30=', toOlder: 'e30=', ifMissing: true }),
  },
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
  },
  '1.19/info-proxy-fields': {
    summary: 'Info has the proxies even if none is set.',
    see: 'daemon/info.go @v1.6.2, @v1.7.1; recordings of 1.6.2 and 1.7.1, info',
    ops: ['HttpProxy', 'HttpsProxy', 'NoProxy'].map((member) => leftOut(Info, member, '')),
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
    ops: byHand('ContainerChanges', 'null becomes an empty list', {
      responseDown: (message) => {
        if (message.body === null) message.body = []
      },
    }),
    examples: { 'ContainerChanges responseDown body': [[null, []], ['x']] },
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
    ops: retyped(ExecConfig, 'Cmd', { samples: [['id', ['id']]], toNewer: textAsList }),
  },
} satisfies Changes

/** From 1.19 on bodies are strictly typed. `create` is first, so that all later steps can rely on the types. */
export default [create, inspect, streams, system] satisfies readonly Changes[]
