import { isObject } from '../../src/api/json/json.ts'
import { onlyIn } from '../../src/api/shapes/shape.ts'
import { HistoryItem, ImageListItem, SearchItem } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import type { RequestMessage } from '../../src/translate/message.ts'
import { added, byHand, queryAdded } from '../../src/translate/ops.ts'
import { unwrapConfigs, wrapConfigs } from '../by-hand/registry-config.ts'

/** `{}` in base64: nobody in particular, which is what an anonymous push needs. */
function anonymous({ headers }: RequestMessage): void {
  if (!headers.has('X-Registry-Auth')) headers.set('X-Registry-Auth', 'e30=')
}

/** Engines read a number that does not parse as 0. */
const isZero = (value: string): boolean => !/^\s*[+-]?\d+\s*$/.test(value) || Number(value) === 0

const encoded = (config: object): string => Buffer.from(JSON.stringify(config)).toString('base64')
const auth = { 'registry.example': { username: 'a', password: '??>' } }

export default [
  {
    id: '1.19/images-labels',
    gate: 'release',
    summary: 'The list of images is documented with labels, which engine 1.6 sends already.',
    see: 'docs/api/v1.19.md, List Images; graph/list.go @v1.6.2; recording 1.6.2 at 1.18, images-list',
    ops: [
      byHand('ImageList', 'no labels, as the document has it', {
        profile: 'spec',
        stripsNewer: true,
        responseDown: ({ body }) => {
          for (const image of Array.isArray(body) ? body : []) if (isObject(image)) delete image['Labels']
        },
      }),
      added(onlyIn(ImageListItem, 'ImageList'), 'Labels', { up: null, down: 'keep', onLoss: 'ignore' }),
    ],
    examples: [
      {
        on: 'ImageList',
        leg: 'responseDown',
        profile: 'spec',
        before: { body: [{ Id: 'a', Labels: null }] },
        after: { body: [{ Id: 'a' }] },
      },
      {
        on: 'ImageList',
        leg: 'responseUp',
        before: { body: [{ Id: 'a' }] },
        after: { body: [{ Id: 'a', Labels: null }] },
      },
    ],
  },
  {
    id: '1.19/image-history-fields',
    gate: 'release',
    summary: 'History has comments; tags and sizes are documented, which engine 1.6 sends already.',
    see: 'docs/api/v1.19.md, Get the history of an image; graph/history.go @v1.6.2, @v1.7.1; recordings, image-history',
    ops: [
      added(HistoryItem, 'Comment', { up: '', onLoss: 'ignore' }),
      added(HistoryItem, 'Tags', { up: null, down: 'keep', onLoss: 'ignore' }),
      added(HistoryItem, 'Size', { up: 0, down: 'keep', onLoss: 'ignore' }),
    ],
    examples: [
      {
        on: 'ImageHistory',
        leg: 'responseDown',
        before: { body: [{ Id: 'a', Tags: null, Size: 5, Comment: 'c' }] },
        after: { body: [{ Id: 'a', Tags: null, Size: 5 }] },
      },
      {
        on: 'ImageHistory',
        leg: 'responseUp',
        before: { body: [{ Id: 'a', Size: 5 }] },
        after: { body: [{ Id: 'a', Size: 5, Comment: '', Tags: null }] },
      },
    ],
  },
  {
    id: '1.19/search-is-trusted',
    gate: 'release',
    summary: 'A search result says is_automated beside is_trusted; both are always the same.',
    see: 'docs/api/v1.18.md (is_automated only), v1.19.md; registry/types.go @v1.6.2 (is_trusted only), @v1.7.1 (both)',
    // A 1.18 client may follow its document or its engine: it gets both.
    ops: [
      added(SearchItem, 'is_automated', { up: (item) => item['is_trusted'] ?? false, down: 'keep', onLoss: 'ignore' }),
      byHand('ImageSearch', 'both are there', {
        responseDown: ({ body }, { policy }) => {
          for (const item of (Array.isArray(body) ? body : []).filter(isObject)) {
            item['is_automated'] ??= item['is_trusted'] ?? false
            if (policy.profile === 'spec') delete item['is_trusted']
            else item['is_trusted'] ??= item['is_automated']
          }
        },
      }),
    ],
    examples: [
      {
        on: 'ImageSearch',
        leg: 'responseDown',
        before: { body: [{ name: 'a', is_automated: true }] },
        after: { body: [{ name: 'a', is_automated: true, is_trusted: true }] },
      },
      {
        on: 'ImageSearch',
        leg: 'responseDown',
        profile: 'spec',
        before: { body: [{ name: 'a', is_automated: true, is_trusted: true }] },
        after: { body: [{ name: 'a', is_automated: true }] },
      },
      {
        on: 'ImageSearch',
        leg: 'responseUp',
        before: { body: [{ name: 'a', is_trusted: true }] },
        after: { body: [{ name: 'a', is_trusted: true, is_automated: true }] },
      },
    ],
  },
  {
    id: '1.19/build-cpu-params',
    gate: 'release',
    summary: 'A build can be limited in CPU time and memory nodes, and put under a parent cgroup.',
    see: 'docs/api/v1.19.md, Build image; api/server/server.go:postBuild @v1.7.1',
    ops: [
      queryAdded('ImageBuild', 'cpuperiod', { onLoss: 'refuse', neutral: isZero, request: 'keep' }),
      queryAdded('ImageBuild', 'cpuquota', { onLoss: 'refuse', neutral: isZero, request: 'keep' }),
      queryAdded('ImageBuild', 'cpusetmems', { onLoss: 'refuse', request: 'keep' }),
      queryAdded('ImageBuild', 'cgroupparent', { onLoss: 'refuse', request: 'keep' }),
    ],
    examples: [
      {
        on: 'ImageBuild',
        leg: 'requestDown',
        before: { query: 't=x&cpuperiod=0&cpuquota=none&cpusetmems=&cgroupparent=' },
        after: { query: 't=x' },
      },
      {
        on: 'ImageBuild',
        leg: 'requestDown',
        before: { query: 't=x&cpuquota=5000' },
        after: { refused: /query parameter cpuquota/ },
      },
    ],
  },
  {
    id: '1.19/build-registry-config-shape',
    gate: 'release',
    summary: 'X-Registry-Config is the map of registries; engine 1.6 reads a whole configuration file with it inside.',
    see: 'registry/auth.go:ConfigFile, api/server/server.go:postBuild @v1.6.2; cliconfig @v1.7.1',
    ops: [
      byHand('ImageBuild', 'the shape of X-Registry-Config', {
        part: 'head',
        requestUp: unwrapConfigs,
        requestDown: wrapConfigs,
      }),
    ],
    examples: [
      {
        on: 'ImageBuild',
        leg: 'requestUp',
        before: { headers: { 'X-Registry-Config': encoded({ configs: auth }).replaceAll('=', '') } },
        after: { headers: { 'X-Registry-Config': encoded(auth).replaceAll('/', '_').replaceAll('+', '-') } },
      },
      {
        on: 'ImageBuild',
        leg: 'requestDown',
        before: { headers: { 'X-Registry-Config': encoded(auth) } },
        after: {
          headers: { 'X-Registry-Config': encoded({ configs: auth }).replaceAll('/', '_').replaceAll('+', '-') },
        },
      },
      { on: 'ImageBuild', leg: 'requestDown', before: {}, after: { headers: { 'X-Registry-Config': null } } },
    ],
  },
  {
    id: '1.19/push-missing-auth',
    gate: 'release',
    summary: 'A push without X-Registry-Auth is answered with 400, before with 500.',
    see: 'recordings of 1.6.2 and 1.7.1, image-push-noauth',
    ops: [
      byHand('ImagePush', 'a push without X-Registry-Auth is an anonymous one', {
        part: 'head',
        requestUp: anonymous,
        requestDown: anonymous,
      }),
    ],
    examples: [
      { on: 'ImagePush', leg: 'requestUp', before: {}, after: { headers: { 'X-Registry-Auth': 'e30=' } } },
      { on: 'ImagePush', leg: 'requestDown', before: {}, after: { headers: { 'X-Registry-Auth': 'e30=' } } },
      {
        on: 'ImagePush',
        leg: 'requestDown',
        before: { headers: { 'X-Registry-Auth': 'eyJ9' } },
        after: { headers: { 'X-Registry-Auth': 'eyJ9' } },
      },
    ],
  },
] satisfies Change[]
