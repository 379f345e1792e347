import { isObject, memberAt, objectOf } from '../../src/api/json/json.ts'
import { Headers } from '../../src/http/headers.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { errorTexts } from '../../src/translate/ops.ts'
import * as containers from './error-words/containers.ts'
import * as create from './error-words/create.ts'
import * as images from './error-words/images.ts'
import * as networks from './error-words/networks.ts'

/** Today's errors, and those of engines up to 1.12. */
export const olderTexts = errorTexts(
  [create.create, networks.networks, containers.containers, images.builds, images.images, images.archives].join('\n'),
  {
    holes: { ...create.holes, ...networks.holes, ...containers.holes, ...images.holes },
    remembers: ['ContainerCreate', 'ContainerStart', 'ContainerExec', 'ContainerUpdate', 'NetworkCreate'],
    anyCase: true,
    otherwise: statusByWords,
    samples: [
      {
        query: 'fromImage=web:2&fromSrc=x&tag=3',
        body: { Image: 'Bad', HostConfig: { Binds: ['/a:/b:x'], Memory: 1, KernelMemory: 1 } },
        values: {
          ...{ least: '4', leastKernel: '4', bind: '/a:/b:x', image: 'Bad' },
          ...{ tag: '3', status: 'bogus', shortId: '0a0a0a0a0a0a' },
          ...{ taken: '/web', bareName: 'web', options: 'dns and the network mode', list: 'b, a' },
          ...{ flags: '--dns and the network mode (--net)', commas: 'a, b', spaces: 'a b', unnamed: 'invalid name: ' },
          ...{ joined: 'a', removed: 'web', noExec: 'No exec command specified', tagged: 'web:latest' },
          ...{ command: 'ADD', lower: 'add', created: 'web:2', createdName: 'web', source: 'Get "x": x' },
          ...{ pulled: 'library/web', pulledTag: '3', fullName: 'docker.io/library/web', asNamed: 'web' },
        },
      },
    ],
  },
)

/**
 * Engines up to 1.12 derive the status from the text (api/server/server.go:httpError @v1.6.2; api/server/httputils:WriteError
 * @v1.9.1, @v1.10.3, errors.go @v1.11.2, @v1.12.6); a row applies from its version on. Other bad requests were server errors.
 */
const STATUS_BY_WORDS: readonly (readonly [RegExp, number, from: number])[] = [
  [/not found/i, 404, 19],
  [/no such/i, 404, 12],
  [/bad parameter/i, 400, 12],
  [/no command/i, 400, 24],
  [/conflict/i, 409, 12],
  [/impossible/i, 406, 12],
  [/wrong login\/password/i, 401, 12],
  [/unauthorized/i, 401, 23],
  [/hasn't been activated/i, 403, 12],
  [/this node/i, 406, 24],
]

function statusByWords(message: ResponseMessage, { client }: StepContext): void {
  const { status, text = '' } = message
  // A response to HEAD has no text.
  if (status !== 400 || text === '') return
  message.status = STATUS_BY_WORDS.find(([words, , from]) => client >= from && words.test(text))?.[1] ?? 500
}

/** Rewrites an error record of a stream. */
export function streamInOlderWords(message: ResponseMessage, context: StepContext): void {
  const { body } = message
  if (!isObject(body) || typeof body['error'] !== 'string') return
  const { text } = olderWords(500, body['error'], context)
  if (text !== body['error'])
    message.body = { ...body, errorDetail: { ...objectOf(body['errorDetail']), message: text }, error: text }
}

/** Rewrites an error that the bridge sends itself, or that a stream has, in an engine's words. */
export function olderWords(status: number, text: string, context: StepContext): { status: number; text: string } {
  const message: ResponseMessage = { status, headers: Headers.fromRaw([]), body: undefined, text }
  if (context.client < 25) olderTexts.toOlder(message, context)
  const said = message.text ?? memberAt(message.body, 'error')
  return { status: message.status, text: typeof said === 'string' ? said : text }
}
