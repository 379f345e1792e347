import { ProxyError } from '../src/api/errors.ts'
import { response, shape } from '../src/api/shapes/shape.ts'
import type { Changes } from '../src/translate/change.ts'
import { added, byHand, isTrue } from '../src/translate/ops.ts'
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
      byHand('ImageList', 'query parameter identity is new', {
        part: 'head',
        onLoss: 'ignore',
        loses: 'query parameter identity',
        losesOn: 'requestDown',
        requestUp: ({ query }) => query.delete('identity'),
        requestDown: ({ query }, context, change) => {
          const wanted = isTrue(query.get('identity'))
          query.delete('identity')
          if (!wanted) return
          if (!isTrue(context.call.query.get('manifests')))
            throw new ProxyError('bad-request', 'conflicting options: identity requires manifests=1')
          context.lose({ what: 'query parameter identity', needs: change.version, change: change.id, onLoss: 'ignore' })
        },
      }),
      added(ManifestImage, 'Identity', { sample: { Pull: [] } }),
    ],
    examples: {
      'ImageList requestUp': [['identity=1', '']],
      'ImageList requestDown': [
        ['identity=1', /^conflicting options: identity requires manifests=1$/],
        ['identity=1&manifests=1', 'manifests=1', { losses: ['query parameter identity'] }],
      ],
    },
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
