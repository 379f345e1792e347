import { apiVersion } from '../../src/api/version.ts'
import { byHand, type Changes } from '../../src/translate/ops.ts'
import { inOlderWords, rememberAsked, streamInOlderWords } from '../by-hand/error-words.ts'

/** Engine 1.6 treated an invalid number as unset (engine/env.go:GetInt @v1.6.2; recordings 1.6.2, …-bad). */
const TOOK_ANY_NUMBER = apiVersion(18)

const failed = (error: string) => ({ errorDetail: { message: error }, error })

export default {
  '1.25/error-words': {
    summary: 'Engines up to 1.12 had other texts for many errors, and 500 for many bad requests and conflicts.',
    see: 'daemon/errors.go, errors/*.go @v1.9.1, @v1.12.6, errdefs @v17.10; recordings 1.6.2 to 1.12.6, every exchange with an error',
    ops: [
      byHand('every', 'errors have the status and the words of the engine of the client’s version', {
        part: 'error',
        profile: 'engine',
        responseDown: inOlderWords,
      }),
      byHand(
        ['ImageBuild', 'ImageCreate', 'ImagePush'],
        'an error in a stream has the words of the engine of the client’s version',
        { profile: 'engine', elementwise: true, responseDown: streamInOlderWords },
      ),
      byHand('ContainerList', 'up to 1.18 an invalid limit is removed', {
        part: 'head',
        profile: 'engine',
        requestUp: ({ query }, { client }) => {
          if (client <= TOOK_ANY_NUMBER && !/^[+-]?\d+$/.test(query.get('limit') || '0')) query.delete('limit')
        },
      }),
      // Some older texts name parts of the request that newer ones do not.
      byHand(
        ['ContainerCreate', 'ContainerStart', 'ContainerExec', 'ContainerUpdate', 'NetworkCreate'],
        'the request is remembered for the text of an error',
        { profile: 'engine', requestUp: rememberAsked },
      ),
    ],
    // Further rows are in test/rules/error-words.test.ts.
    examples: {
      'ImageCreate responseDown': [
        [
          {
            query: 'fromImage=h:5000/a/b&tag=x',
            status: 404,
            text: 'manifest for h:5000/a/b:x not found: manifest unknown',
          },
          { status: 200, body: [{ status: 'Pulling repository h:5000/a/b' }, failed('Error: image a/b not found')] },
          { client: '1.22' },
        ],
        [
          { query: 'fromImage=web:2', status: 404, text: 'pull access denied for web, repository does not exist' },
          {
            status: 200,
            body: [
              { status: 'Pulling repository docker.io/library/web' },
              failed('Error: image library/web:2 not found'),
            ],
          },
        ],
      ],
      'ContainerList requestUp': [
        ['limit=abc&all=1', 'all=1', { client: '1.18' }],
        ['limit=abc', 'limit=abc', { client: '1.19' }],
      ],
      'ContainerList responseDown': [
        [{ status: 400, text: "Invalid filter 'status=bogus'" }, { status: 200, body: [] }, { client: '1.19' }],
      ],
      'ImageBuild responseDown': [
        [
          { status: 400, text: 'dockerfile parse error line 2: unknown instruction: BOGUS' },
          { status: 200, body: failed('Unknown instruction: BOGUS') },
          { client: '1.21' },
        ],
      ],
      'ImageBuild responseDown body': [[failed('invalid signal: X'), failed('Invalid signal: X')]],
    },
  },
} satisfies Changes
