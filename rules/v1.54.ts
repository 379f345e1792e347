import { ProxyError } from '../src/api/errors.ts'
import { response, shape } from '../src/api/shapes/shape.ts'
import type { RequestMessage } from '../src/translate/message.ts'
import { added, byHand, type Changes, callRefused, isFalse, isTrue, queryAdded } from '../src/translate/ops.ts'
import errorWords from './v1.54/error-words.ts'

const ManifestImage = shape('Manifests[].ImageData', '', [
  response('ImageList', '[].Manifests.[].ImageData'),
  response('ImageInspect', 'Manifests.[].ImageData'),
])

/** Types in Accept that request records; wildcards do not (container_routes.go:getContainersLogs, jsonTypes). */
const TYPES: ReadonlySet<string> = new Set(['application/jsonl', 'application/x-ndjson', 'application/json-seq'])

const accepted = ({ headers }: RequestMessage): string[] =>
  headers
    .list('Accept')
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '')
const isRecords = (accept: string): boolean => TYPES.has((accept.split(';')[0] ?? '').trim().toLowerCase())
const asksForRecords = (message: RequestMessage): boolean => accepted(message).some(isRecords)

function leaveTypesOut(message: RequestMessage): void {
  const others = accepted(message).filter((type) => !isRecords(type))
  if (others.length === 0) message.headers.delete('Accept')
  else message.headers.set('Accept', others.join(', '))
}

export default {
  '1.54/manifest-identity': {
    // 1.52/connect-mac translates the MAC address of connect.
    gate: 'prefix',
    summary: 'The manifests in the list of images can show their origin.',
    ops: [
      queryAdded('ImageList', 'identity', { sample: '1', onLoss: 'ignore', request: 'always', neutral: isFalse }),
      // A request passes the ops from the last to the first.
      callRefused('ImageList', 'identity without manifests', {
        says: 'bad-request',
        finds: ({ query }, { call }) =>
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
    ops: byHand('ContainerLogs', 'requests for records by `format` or Accept are removed, or refused', {
      ...{ part: 'head', onLoss: 'refuse', loses: 'logs as JSON', losesOn: 'requestDown' },
      requestUp: (message) => {
        message.query.delete('format')
        if (asksForRecords(message)) leaveTypesOut(message)
      },
      requestDown: (message, context, { id, version }) => {
        const format = message.query.get('format') ?? ''
        message.query.delete('format')
        if (format !== '' && format !== 'json') throw new ProxyError('bad-request', 'unsupported log format')
        if (format === 'json' || asksForRecords(message))
          context.lose({ what: 'logs as JSON', needs: version, change: id, onLoss: 'refuse' })
      },
    }),
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
