import { response, shape } from '../src/api/shapes/shape.ts'
import type { Changes } from '../src/translate/change.ts'
import { added, isTrue, queryAdded, queryRefused } from '../src/translate/ops.ts'
import errorWords from './v1.54/error-words.ts'
import { logsAsJson } from './v1.54/logs-as-json.ts'

const ManifestImage = shape('Manifests[].ImageData', '', [
  response('ImageList', '[].Manifests.[].ImageData'),
  response('ImageInspect', 'Manifests.[].ImageData'),
])

export default {
  '1.54/manifest-identity': {
    // 1.52/connect-mac translates the MAC address of connect.
    gate: 'prefix',
    summary: 'The manifests in the list of images can show their origin.',
    see: 'docs/api/version-history.md v1.54',
    ops: [
      queryAdded('ImageList', 'identity', { sample: '1', onLoss: 'ignore', neutral: (value) => !isTrue(value) }),
      // A request passes the ops from the last to the first.
      queryRefused('ImageList', 'identity without manifests', {
        ...{ leg: 'requestDown', says: 'bad-request' },
        finds: (query, { call }) =>
          isTrue(query.get('identity')) && !isTrue(call.query.get('manifests'))
            ? 'conflicting options: identity requires manifests=1'
            : undefined,
        samples: [['identity=1', 'conflicting options: identity requires manifests=1']],
        stay: ['identity=1&manifests=1'],
      }),
      added(ManifestImage, 'Identity', { sample: { Pull: [] } }),
    ],
  },
  '1.54/logs-json': {
    gate: 'prefix',
    summary: 'Logs can be JSON.',
    see: 'docs/api/version-history.md v1.54; api/server/router/container/container_routes.go:getContainersLogs',
    ops: logsAsJson,
    examples: {
      'ContainerLogs requestUp': [
        ['format=json', ''],
        [
          { query: 'stdout=1', headers: { Accept: 'application/jsonl, */*' } },
          { query: 'stdout=1', headers: { Accept: '*/*' } },
        ],
        [{ headers: { Accept: 'application/json-seq' } }, { headers: { Accept: null } }],
      ],
      'ContainerLogs requestDown': [
        ['stdout=1&format=json', /logs as JSON .* needs API 1\.54/],
        [{ query: 'stdout=1', headers: { Accept: 'application/x-ndjson' } }, /logs as JSON .* needs API 1\.54/],
        ['stdout=1&format=xml', /^unsupported log format$/],
      ],
    },
  },
  '1.54/error-words': errorWords,
} satisfies Changes
