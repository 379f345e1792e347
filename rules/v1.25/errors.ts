import { apiVersion } from '../../src/api/version.ts'
import { byHand, type Changes } from '../../src/translate/ops.ts'
import { olderTexts, streamInOlderWords } from '../by-hand/error-words.ts'

/** Engine 1.6 treated an invalid number as unset (engine/env.go:GetInt @v1.6.2; recordings 1.6.2, …-bad). */
const TOOK_ANY_NUMBER = apiVersion(18)

const failed = (error: string) => ({ errorDetail: { message: error }, error })

export default {
  '1.25/error-words': {
    summary: 'Engines up to 1.12 had other texts for many errors, and 500 for many bad requests and conflicts.',
    see: 'daemon/errors.go, errors/*.go @v1.9.1, @v1.12.6, errdefs @v17.10; recordings 1.6.2 to 1.12.6, every exchange with an error',
    ops: [
      olderTexts,
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
      ],
      'ContainerList requestUp': [
        ['limit=abc&all=1', 'all=1', { client: '1.18' }],
        ['limit=abc', 'limit=abc', { client: '1.19' }],
      ],
      'ImageBuild responseDown body': [[failed('invalid signal: X'), failed('Invalid signal: X')]],
    },
  },
} satisfies Changes
