import { onlyIn } from '../../src/api/shapes/shape.ts'
import { HistoryItem, ImageListItem, SearchItem } from '../../src/api/shapes/shapes.ts'
import type { Changes } from '../../src/translate/change.ts'
import { added, filled, headRetyped, queryAdded, requestHeader } from '../../src/translate/ops.ts'
import { unwrapConfigs, wrapConfigs } from '../by-hand/registry-config.ts'

/** Engines read an invalid number as 0. */
const isZero = (value: string): boolean => !/^\s*[+-]?\d+\s*$/.test(value) || Number(value) === 0

const standard = (config: object): string => Buffer.from(JSON.stringify(config)).toString('base64')
const urlSafe = (config: object): string => standard(config).replaceAll('/', '_').replaceAll('+', '-')
const auth = { 'registry.example': { username: 'a', password: '??>' } }

export default {
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
      added(SearchItem, 'is_automated', {
        sample: true,
        up: (item) => item['is_trusted'] ?? false,
        upSamples: [[{ is_trusted: true }, true]],
        down: 'keep',
      }),
      filled(SearchItem, 'is_trusted', (item) => item['is_automated']),
      filled(SearchItem, 'is_automated', (item) => item['is_trusted'] ?? false),
    ],
    examples: {
      'ImageSearch responseDown body.[]': [[{ is_automated: true }, { is_automated: true, is_trusted: true }]],
    },
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
        toNewer: [[standard({ configs: auth }).replaceAll('=', ''), urlSafe(auth)]],
        toOlder: [[standard(auth), urlSafe({ configs: auth })]],
      },
      toNewer: unwrapConfigs,
      toOlder: wrapConfigs,
    }),
  },
  '1.19/push-missing-auth': {
    summary: 'A push without X-Registry-Auth gets 400; before, 500.',
    see: 'recordings of 1.6.2 and 1.7.1, image-push-noauth',
    // `{}` in base64: an anonymous push.
    ops: requestHeader('ImagePush', 'X-Registry-Auth', { before: 'e30=', after: 'e30=', ifMissing: true }),
  },
} satisfies Changes
