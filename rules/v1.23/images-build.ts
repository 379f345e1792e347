import type { Shape } from '../../src/api/shapes/shape.ts'
import { response } from '../../src/api/shapes/shape.ts'
import { ImageInspect } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, byHand, queryAdded } from '../../src/translate/ops.ts'
import { refuseIdentityToken } from './identity-token.ts'
import { loadOutcome } from './load-outcome.ts'

const AuthAnswer: Shape = { name: 'AuthAnswer', members: ['Status'], places: [response('SystemAuth')] }

export default [
  {
    id: '1.23/images-load-stream',
    gate: 'release',
    summary:
      'Loading images answers a stream of records, which can contain an error; before, an empty body or an error status.',
    see: 'docs/api/v1.23.md, Load a tarball; recordings image-load and image-load-bad 1.10.3, 1.12.6, 20.10.24',
    // The status is known only at the end of the stream, so the bridge collects it; quiet keeps it short.
    ops: [
      byHand('ImageLoad', 'quiet is set, or removed', {
        part: 'head',
        requestUp: ({ query }) => query.set('quiet', '1'),
        requestDown: ({ query }) => query.delete('quiet'),
      }),
      byHand('ImageLoad', 'the answer is empty, or the error of the stream', { responseDown: loadOutcome }),
    ],
    examples: {
      'ImageLoad requestUp': [['', 'quiet=1']],
      'ImageLoad requestDown': [['quiet=0', '']],
      'ImageLoad responseDown': [
        [
          { headers: { 'Content-Type': 'text/plain; charset=utf-8' }, text: 'Loaded image: busybox:latest\n' },
          { status: 200, headers: { 'Content-Type': null }, text: '' },
        ],
        [
          { body: { errorDetail: { message: 'unexpected EOF' }, error: 'unexpected EOF' } },
          { status: 500, text: 'Untar re-exec error: exit status 1: output: unexpected EOF' },
        ],
        [
          { text: '{"stream":"Loaded image: a:1\\n"}\r\n{"error":"no space left on device"}\r\n' },
          { status: 500, text: 'no space left on device' },
        ],
      ],
    },
  },
  {
    id: '1.23/build-labels',
    gate: 'release',
    summary: 'A build can label its image.',
    see: 'docs/api/v1.23.md, Build image from a Dockerfile; build_routes.go @v1.11.2',
    ops: [queryAdded('ImageBuild', 'labels', { sample: '{"a":"b"}', onLoss: 'refuse', neutral: ['{}', 'null'] })],
  },
  {
    id: '1.23/image-rootfs',
    gate: 'release',
    summary: 'An image shows its layers.',
    see: 'docs/api/v1.23.md, Inspect an image; engine-api types:ImageInspect @v1.11.2',
    ops: [
      added(ImageInspect, 'RootFS', {
        sample: { Type: 'layers', Layers: ['sha256:1'] },
        up: { Type: 'layers' },
        onLoss: 'ignore',
      }),
    ],
  },
  {
    id: '1.23/auth-identity-token',
    gate: 'release',
    summary: 'A registry can issue an identity token, which replaces the password.',
    see: 'docs/api/v1.23.md, Check auth configuration; engine-api types/auth.go @v1.11.2',
    ops: [
      added(AuthAnswer, 'IdentityToken', { sample: 't', onLoss: 'ignore' }),
      byHand(['ImageCreate', 'ImagePush'], 'a token in X-Registry-Auth is refused: the bridge cannot exchange it', {
        onLoss: 'refuse',
        part: 'head',
        requestDown: refuseIdentityToken,
      }),
    ],
    examples: {
      'ImageCreate requestDown': [
        [
          { headers: { 'X-Registry-Auth': 'eyJpZGVudGl0eXRva2VuIjoidCJ9' } },
          /X-Registry-Auth identitytoken .* needs API 1\.23/,
        ],
      ],
      'ImagePush requestDown': [[{ headers: { 'X-Registry-Auth': 'e30=' } }]],
    },
  },
] satisfies Change[]
