import { asJson, isObject, type JsonObject } from '../../src/api/json/json.ts'
import { response, type Shape } from '../../src/api/shapes/shape.ts'
import { ImageInspect } from '../../src/api/shapes/shapes.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { added, byHand, type Changes, queryAdded, querySet } from '../../src/translate/ops.ts'
import { olderTexts } from '../by-hand/error-words.ts'
import { refusedInAuth } from '../by-hand/registry-config.ts'

/** The records of a collected stream: a single value, or lines. Engines 1.11 and 1.12 also answer plain text. */
const recordsOf = ({ body, text }: ResponseMessage): JsonObject[] =>
  (body === undefined ? (text ?? '').split(/\r?\n/).map(asJson) : [body]).filter(isObject)

/** The answer of engine 1.10 to a load: empty, or 500 with the text of the error. */
function loadOutcome(message: ResponseMessage, context: StepContext): void {
  const error = recordsOf(message).find((record) => typeof record['error'] === 'string')?.['error']
  message.headers.delete('Content-Type')
  message.body = undefined
  message.text = ''
  if (error === undefined) return
  message.status = 500
  message.text = String(error)
  if (context.policy.profile === 'engine') olderTexts.toOlder(message, context)
}

const AuthAnswer: Shape = { name: 'AuthAnswer', members: ['Status'], places: [response('SystemAuth')] }

export default {
  '1.23/images-load-stream': {
    summary: 'Loading images answers a stream of records, with its error; before, an empty body or an error status.',
    see: 'docs/api/v1.23.md, Load a tarball; recordings image-load and image-load-bad 1.10.3, 1.12.6, 20.10.24',
    // The status is known only at the end of the stream, so the bridge collects it; quiet keeps it short.
    ops: [
      querySet('ImageLoad', 'quiet', { before: '1', after: null }),
      byHand('ImageLoad', 'the answer is empty, or the error of the stream', { responseDown: loadOutcome }),
    ],
    examples: {
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
  '1.23/build-labels': {
    summary: 'A build can label its image.',
    see: 'docs/api/v1.23.md, Build image from a Dockerfile; build_routes.go @v1.11.2',
    ops: queryAdded('ImageBuild', 'labels', { sample: '{"a":"b"}', onLoss: 'refuse', neutral: ['{}', 'null'] }),
  },
  '1.23/image-rootfs': {
    summary: 'An image shows its layers.',
    see: 'docs/api/v1.23.md, Inspect an image; engine-api types:ImageInspect @v1.11.2',
    ops: added(ImageInspect, 'RootFS', { sample: { Type: 'layers', Layers: ['sha256:1'] }, up: { Type: 'layers' } }),
  },
  '1.23/auth-identity-token': {
    summary: 'A registry can issue an identity token, which replaces the password.',
    see: 'docs/api/v1.23.md, Check auth configuration; engine-api types/auth.go @v1.11.2',
    ops: [
      added(AuthAnswer, 'IdentityToken', { sample: 't' }),
      refusedInAuth(
        'identitytoken',
        'a token in X-Registry-Auth is refused: the bridge cannot exchange it',
        'X-Registry-Auth identitytoken',
      ),
    ],
  },
} satisfies Changes
