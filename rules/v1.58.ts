import { ProgressRecord } from '../src/api/shapes/shapes.ts'
import { byHand, type Changes, errorTexts, filled, isTrue, retyped, sameAs } from '../src/translate/ops.ts'
import { flatLists } from './by-hand/disk-usage.ts'
import { bindEmpty, EMPTY_BOUND } from './by-hand/empty-bindings.ts'
import { AskedHostConfig } from './by-hand/places.ts'

/**
 * Changes that engines have announced and no document has dated: they apply to engines newer than the newest document,
 * and do nothing if the engine still behaves as before. Once a document dates a change, it moves to the file of that
 * version.
 */
export default {
  '1.58/empty-port-bindings': {
    gate: 'prefix',
    summary: 'A port with an empty list of bindings is not published; before, the engine chose a host port for it.',
    see: 'docs/api/version-history.md v1.52 (deprecated); moby #51727; container_routes.go:handlePortBindingsBC @docker-v29.7.2, which puts it off to 30',
    ops: retyped(AskedHostConfig, 'PortBindings', {
      description: 'an empty list of bindings becomes one binding to any port',
      samples: [EMPTY_BOUND],
      toNewer: (bindings) => {
        bindEmpty({ PortBindings: bindings })
        return undefined
      },
    }),
  },
  '1.58/error-text': {
    summary: 'Records of build, pull and push no longer have `error`, the text beside errorDetail.',
    see: 'docs/api/version-history.md v1.48 (deprecated, no version named); daemon/internal/streamformatter:FormatError @docker-v29.7.2, which still writes it',
    // Clients that read `error` take a failure for success without it.
    ops: filled(ProgressRecord, 'error', sameAs('errorDetail.message'), { sample: 'a' }),
  },
  '1.58/system-df-lists': {
    gate: 'prefix',
    summary: 'Disk usage no longer has flat lists beside the usage by kind.',
    see: 'docs/api/version-history.md v1.52 (deprecated, for 1.53); system_routes.go:getDiskUsage @docker-v29.7.2, which still has them at every version',
    ops: byHand('SystemDataUsage', 'flat lists are made from the items of each kind', {
      requestUp: ({ query }) => {
        if (!isTrue(query.get('verbose'))) query.set('verbose', '1')
      },
      // Before 1.52 the parameter means nothing.
      responseDown: ({ body }, { call, client }) => {
        if (client < 52 || !isTrue(call.query.get('verbose'))) flatLists(body)
      },
    }),
    examples: {
      'SystemDataUsage responseDown body': [
        [
          { ImageUsage: { TotalSize: 7, Items: [{ Id: 'i' }] }, VolumeUsage: {} },
          { LayersSize: 7, Images: [{ Id: 'i' }], Volumes: [], ImageUsage: { TotalSize: 7 }, VolumeUsage: {} },
          { asked: '' },
        ],
        [{ ImageUsage: { Items: [] } }, { ImageUsage: { Items: [] } }, { asked: 'verbose=1' }],
        [
          { ImageUsage: { TotalSize: 7, Items: [] } },
          { LayersSize: 7, Images: [], ImageUsage: { TotalSize: 7 } },
          { asked: 'verbose=1', client: '1.51' },
        ],
      ],
      'SystemDataUsage requestUp': [['', 'verbose=1']],
    },
  },
  '1.58/session-grpc': {
    summary: 'BuildKit is reached over HTTP/2 only: /session and /grpc are gone.',
    see: 'docs/api/version-history.md v1.53 (deprecated); daemon/server/router/{session,grpc} @docker-v29.7.2: "removed in the next major version"',
    ops: errorTexts(
      `
      Session Grpc
        404 {rest}
          down 404 the engine no longer has /session and /grpc: build with a newer client, which reaches BuildKit over HTTP/2, or without BuildKit (DOCKER_BUILDKIT=0)
      `,
      { everyProfile: true },
    ),
  },
} satisfies Changes
